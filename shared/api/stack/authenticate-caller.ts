import type { Runtime } from '../../runtime.ts';
import { authenticate, type Identity } from '../authenticate.ts';
import type { Operation } from '../operation.ts';
import { ME } from '../own-names.ts';
import type { Middleware } from './middleware.ts';
import { Slot } from './slot.ts';
import { validRequest } from './validate-input.ts';

export const identity = new Slot<Identity>('the identity of the caller');

/** `performance.now()` when the caller was known. */
export const authenticatedAt = new Slot<number>('the time of authentication');

/** Authenticates the caller, and replaces `user_id=me` by the user of the session. */
export const authenticateCaller = (operation: Operation, runtime: Runtime): Middleware => ({
  before: async ({ event }) => {
    const request = validRequest.get(event);
    const { presented, now, bound } = request;
    const { query } = presented;
    const known = await authenticate(runtime, operation.caller, query, presented, {
      now,
      terms: bound.terms,
      scope: bound.scope,
      address: event.requestContext.http.sourceIp,
    });
    identity.set(event, known);
    if (known.session && query.user_id === ME) {
      const named = { ...presented, query: { ...query, user_id: known.session.userId } };
      validRequest.set(event, { ...request, presented: named, bound: operation.bind(named) });
    }
    authenticatedAt.set(event, performance.now());
  },
});
