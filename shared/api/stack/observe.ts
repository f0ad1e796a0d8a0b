import type { Runtime } from '../../runtime.ts';
import { truncatedAddress } from '../caller-network.ts';
import { HubError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { describeError } from '../redact.ts';
import type { Middleware, Passing } from './middleware.ts';
import { Slot } from './slot.ts';

/** `performance.now()` at the start of a request. */
export const startedAt = new Slot<number>('the start');

/**
 * Writes one log line and one metric per request. The line has the route and the truncated address of the caller, but
 * not the path, the query or the body. A failure has a second line with its cause.
 */
export const observe = (operation: Operation, { log, metrics }: Runtime): Middleware => {
  const write = ({ event, context, response, error }: Passing): void => {
    const status = response?.statusCode ?? 500;
    const { requestId, http } = event.requestContext;
    const route = operation.routeKey;
    const line = {
      route,
      status,
      duration_ms: Math.round(performance.now() - startedAt.get(event)),
      request_id: requestId,
      version: context.functionVersion,
      address: truncatedAddress(http.sourceIp),
    };
    const isFault = status >= 500;
    if (isFault && error && !(error instanceof HubError)) {
      log.error('request failed', { ...line, ...describeError(error) });
    } else {
      if (isFault && error) {
        log.warn('upstream failed', { route, request_id: requestId, ...describeError(error) });
      }
      log.info('request', line);
    }
    const outcome = isFault ? 'Fault' : status >= 400 ? 'Refusal' : 'Success';
    metrics.count(outcome, { operation: operation.name });
  };
  return {
    before: ({ event }) => {
      startedAt.set(event, performance.now());
    },
    after: write,
    onError: write,
  };
};
