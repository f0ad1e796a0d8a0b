import { reportDamaged } from '../../lifecycle/report-damaged.ts';
import type { Runtime } from '../../runtime.ts';
import type { Call, HeldSession } from '../call.ts';
import { networkOf, wideNetworkOf } from '../caller-network.ts';
import { InternalError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { identity } from './authenticate-caller.ts';
import type { Middleware } from './middleware.ts';
import { Slot } from './slot.ts';
import { validRequest } from './validate-input.ts';

/** Context of the handler, and what the handler says of its answer through it. */
export interface OpenedCall {
  readonly call: Call;
  /** Whole Set-Cookie values. */
  cookies: readonly string[];
  /** True if the answer holds a secret that is shown once. */
  isShownOnce: boolean;
  /** Session that the answer holds. */
  tied: HeldSession | undefined;
  /** True once the handler runs. */
  isRunning: boolean;
}

export const opened = new Slot<OpenedCall>('the context of the handler');

/** Builds the context of the handler. */
export const openCall = (operation: Operation, runtime: Runtime): Middleware => ({
  before: ({ event }) => {
    const { requestId, http, authorizer } = event.requestContext;
    const { presented, now } = validRequest.get(event);
    const call: Call = {
      ...runtime,
      ...identity.get(event),
      requestId,
      method: http.method,
      path: event.rawPath,
      headers: presented.headers,
      cookies: presented.cookies,
      foreign: presented.foreign,
      network: networkOf(http.sourceIp),
      wideNetwork: wideNetworkOf(http.sourceIp),
      authorized: authorizer?.lambda,
      now,
      onDamaged: (error) => reportDamaged(runtime, error, { operation: operation.name }),
      setCookie: (cookie) => {
        if (!operation.cookies)
          throw new InternalError(`${operation.name} sets a cookie without declaring cookies`);
        state.cookies = [...state.cookies, cookie];
      },
      showOnce: () => {
        state.isShownOnce = true;
      },
      tieTo: (session) => {
        state.tied = session;
      },
    };
    const state: OpenedCall = { call, cookies: [], isShownOnce: false, tied: undefined, isRunning: false };
    opened.set(event, state);
  },
});
