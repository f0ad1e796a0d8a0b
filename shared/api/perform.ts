import { ChangedMeanwhileError } from '../data/numbered-list/changed-meanwhile.ts';
import { NewerRecordError } from '../data/table/newer-record.ts';
import { reportDamaged } from '../lifecycle/report-damaged.ts';
import type { Runtime } from '../runtime.ts';
import { type Answer, answerOf, answerToError } from './answer.ts';
import { type ApiEvent, arrivedOf } from './api-event.ts';
import { authenticate, type Identity } from './authenticate.ts';
import type { Call, HeldSession } from './call.ts';
import { networkOf } from './caller-network.ts';
import { refuseIgnoredBody } from './content-type.ts';
import { crossSiteRefused, isForeign } from './cookies.ts';
import { HubError, InternalError, ValidationError } from './errors.ts';
import type { Operation, RequestParts } from './operation.ts';
import { ME } from './own-names.ts';
import type { Admission } from './rate-headers.ts';
import { rateKeyOf } from './rate-key.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { describeError } from './redact.ts';
import type { RepeatTerms } from './repeat-terms.ts';
import { cookiesOf, headersOf, partsOf, withQueryInBody } from './request.ts';

/** A handler threw an error that its operation does not declare. This is a bug, answered with 500. */
class UndeclaredError extends InternalError {
  constructor(operation: Operation, error: HubError) {
    super(`${operation.name} threw ${error.code} without declaring it`, { cause: error });
  }
}

const AUTHENTICATION_ERRORS = new Set([
  'session_required',
  'session_invalid',
  'session_mismatch',
  'cross_site_refused',
]);

/** Any operation may read a record that a newer version wrote. */
const newerVersion = (cause: NewerRecordError): HubError =>
  new HubError('newer_version', 'A newer version of the service wrote this. Try again in a minute.', {
    retryAfterS: 60,
    cause,
  });

const changedMeanwhile = (cause: ChangedMeanwhileError): HubError =>
  new HubError('changed_meanwhile', 'Too many changes at the same time. Try again in a moment.', {
    retryAfterS: 1,
    cause,
  });

/** Translates an error of the data layer into the refusal that callers get. */
const translated = (thrown: unknown): unknown => {
  if (thrown instanceof NewerRecordError) return newerVersion(thrown);
  return thrown instanceof ChangedMeanwhileError ? changedMeanwhile(thrown) : thrown;
};

const declared = (operation: Operation, thrown: unknown): unknown => {
  const error = translated(thrown);
  return error instanceof HubError &&
    error.code !== 'newer_version' &&
    !operation.errors.includes(error.code) &&
    !AUTHENTICATION_ERRORS.has(error.code)
    ? new UndeclaredError(operation, error)
    : error;
};

const alreadyShown = (): HubError =>
  new HubError('answer_shown_once', 'The answer to this request holds a secret, which is shown once.');

const tooManyRequests = ({ resetS }: Admission): HubError =>
  new HubError('rate_limited', 'Too many requests. Wait, and send fewer at a time.', { retryAfterS: resetS });

/** Replaces `user_id=me` by the user of the session. */
const namedBySession = (parts: RequestParts, { session }: Identity): RequestParts =>
  session && parts.query.user_id === ME
    ? { ...parts, query: { ...parts.query, user_id: session.userId } }
    : parts;

/** Runs an operation for an event with a parsed body. */
export const perform = async (
  operation: Operation,
  runtime: Runtime,
  event: ApiEvent,
  limiter?: RateLimiter,
): Promise<Answer> => {
  const arrived = arrivedOf(event);
  const now = runtime.clock();
  const received = partsOf(event, arrived.parser);
  const sent = operation.queryInBody ? withQueryInBody(received) : received;
  const validated = operation.bind(sent);
  refuseIgnoredBody(operation, event);
  const { requestId, http, authorizer } = event.requestContext;
  const headers = headersOf(event);
  const cookies = cookiesOf(event);
  const foreign = operation.cookies !== 'any_site' && isForeign(headers, runtime.settings);
  if (foreign && operation.cookies === 'own_site') throw crossSiteRefused();
  const presented = { headers, cookies, foreign };
  const identity = await authenticate(runtime, operation.caller, sent.query, presented, now);
  const parts = namedBySession(sent, identity);
  const bound = parts === sent ? validated : operation.bind(parts);
  arrived.authenticatedAt = performance.now();
  if (limiter) {
    const key = rateKeyOf(operation, {
      presented: { ...parts, ...presented, settings: runtime.settings },
      session: identity.session,
      authorized: authorizer?.lambda,
      sourceIp: http.sourceIp,
    });
    const admission = limiter.admit(bound.rateClass, key, now.getTime());
    arrived.admission = admission;
    if (!admission.isAdmitted) throw tooManyRequests(admission);
  }

  let isShownOnce = false;
  const showOnce = (): void => {
    isShownOnce = true;
  };
  let tied: HeldSession | undefined;
  const tieTo = (session: HeldSession): void => {
    tied = session;
  };
  const set: string[] = [];
  const setCookie = (cookie: string): void => {
    if (!operation.cookies)
      throw new InternalError(`${operation.name} sets a cookie without declaring cookies`);
    set.push(cookie);
  };
  const call: Call = {
    ...runtime,
    ...identity,
    requestId,
    method: http.method,
    path: event.rawPath,
    headers,
    cookies,
    foreign,
    network: networkOf(http.sourceIp),
    authorized: authorizer?.lambda,
    now,
    onDamaged: (error) => reportDamaged(runtime, error, { operation: operation.name }),
    setCookie,
    showOnce,
    tieTo,
  };
  const outcome = async (): Promise<Answer> => {
    try {
      const result = await bound.run(call);
      const answer = answerOf(result, set);
      if (!operation.isPaged || !('json' in result)) return answer;
      // Load late: functions without lists never need it.
      const { pageAnswer } = await import('./page-answer.ts');
      return await pageAnswer(answer, result.json, operation, {
        address: runtime.settings.HUB_PUBLIC_URL + event.rawPath,
        query: event.rawQueryString,
        accept: headers.accept,
      });
    } catch (thrown) {
      const error = declared(operation, thrown);
      // A refusal may set cookies and is stored for replays; a fault is not.
      if (error instanceof HubError || error instanceof ValidationError) {
        if (error.status >= 500) {
          runtime.log.warn('upstream failed', {
            route: operation.routeKey,
            request_id: requestId,
            ...describeError(error),
          });
        }
        return { ...answerToError(error, requestId), cookies: set };
      }
      throw error;
    }
  };

  const run = async (): Promise<Answer> => {
    try {
      return await outcome();
    } finally {
      // Never answer a caller whose session was revoked.
      await identity.confirm();
    }
  };

  const key = headers['idempotency-key'];
  if (operation.method !== 'POST' || key === undefined) return run();
  await identity.confirm();
  // Few requests have a key, so a cold start does not load the code.
  const [{ scopeOf }, { answerOnce }, { requireTerms, termsOf }, { wantsListForm }] = await Promise.all([
    import('./idempotency-scope.ts'),
    import('./idempotent.ts'),
    import('./repeat-terms.ts'),
    import('./page-answer.ts'),
  ]);
  // Tokens may change between repeats of a request, so they are not part of it; the scope may hold them.
  const request = [operation.routeKey, event.rawQueryString, arrived.body];
  // The same key with another form of a list is another request, as the first answer cannot be replayed for it.
  const { accept } = headers;
  if (operation.isPaged && wantsListForm(accept)) request.push(accept);
  const scope = scopeOf(operation, {
    request,
    presented: { ...parts, ...presented, settings: runtime.settings },
    userId: identity.session?.userId,
  });
  const kept = (answer: Answer): Answer =>
    isShownOnce && answer.statusCode === 200 ? answerToError(alreadyShown(), requestId) : answer;
  const { session } = identity;
  const terms = () => termsOf(session, tied);
  const admit = async (agreed: RepeatTerms): Promise<void> => {
    const isTokenEnough = !operation.errors.includes('platform_token_insufficient');
    try {
      await requireTerms(runtime, { session, isTokenEnough }, agreed);
      // A user_id is no credential any more once its user is gone.
      if (operation.caller === 'user') await identity.user();
      await bound.recheck(call);
    } catch (thrown) {
      throw declared(operation, thrown);
    }
  };
  return answerOnce(runtime, { key, scope, request, now, kept, terms, admit }, run);
};
