import { HubError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { type Admission, rateHeaders } from '../rate-headers.ts';
import { rateKeyOf } from '../rate-key.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import { identity } from './authenticate-caller.ts';
import { type Middleware, onAnswer } from './middleware.ts';
import { Slot } from './slot.ts';
import { validRequest } from './validate-input.ts';

/** Verdict of the rate limits. Unset if the request was refused before, or without limits. */
export const admission = new Slot<Admission>('the verdict of the rate limits');

const tooManyRequests = ({ resetS }: Admission): HubError =>
  new HubError('rate_limited', 'Too many requests. Wait, and send fewer at a time.', { retryAfterS: resetS });

/** Refuses callers who send too many requests. */
export const limitRate = (operation: Operation, limiter: RateLimiter | undefined): Middleware => ({
  before: ({ event }) => {
    if (!limiter) return;
    const { presented, bound, now } = validRequest.get(event);
    const { authorizer, http } = event.requestContext;
    const key = rateKeyOf(operation, {
      presented,
      session: identity.get(event).session,
      authorized: authorizer?.lambda,
      sourceIp: http.sourceIp,
    });
    const verdict = admission.set(event, limiter.admit(bound.rateClass, key, now.getTime()));
    if (!verdict.isAdmitted) throw tooManyRequests(verdict);
  },
});

/** Shows the state of the rate limits, and tells the limiter whether the credential of a request is valid. */
export const showRate = (): Middleware =>
  onAnswer((answer, { event }) => {
    const verdict = admission.find(event);
    if (!verdict) return answer;
    if (answer.statusCode < 400) verdict.prove();
    if (answer.statusCode === 401) verdict.refute();
    return { ...answer, headers: { ...answer.headers, ...rateHeaders(verdict, answer.headers.ratelimit) } };
  });
