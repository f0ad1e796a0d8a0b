import middy, { type Request } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import urlencodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { ChangedMeanwhileError } from '../data/numbered-list/retry.ts';
import { NewerRecordError } from '../data/table/newer-record.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import { type Answer, answerOf, answerToError } from './answer.ts';
import type { ApiEvent, Arrived } from './api-event.ts';
import { authenticate } from './authenticate.ts';
import { networkOf, truncatedAddress } from './caller-network.ts';
import { explainContentType, refuseIgnoredBody } from './content-type.ts';
import { crossSiteRefused, isForeign } from './cookies.ts';
import { HubError, InternalError, ValidationError } from './errors.ts';
import { scopeOf } from './idempotency-scope.ts';
import { answerOnce } from './idempotent.ts';
import { checkDepth, checkFieldCount, checkSize } from './limits.ts';
import type { LateOperation, Operation } from './operation.ts';
import { describeError } from './redact.ts';
import { bodyText, cookiesOf, headersOf, jsonFault, parserFor, partsOf } from './request.ts';

export type ApiHandler = (event: ApiEvent, context: Context) => Promise<Answer>;

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

/** Runs an operation for an event with a parsed body. */
const perform = async (operation: Operation, runtime: Runtime, event: ApiEvent): Promise<Answer> => {
  const arrived = arrivedOf(event);
  const now = runtime.clock();
  const parts = partsOf(event, arrived.parser);
  const bound = operation.bind(parts);
  refuseIgnoredBody(operation, event);
  const { requestId, http, authorizer } = event.requestContext;
  const headers = headersOf(event);
  const cookies = cookiesOf(event);
  const foreign = operation.cookies !== 'any_site' && isForeign(headers, runtime.settings);
  if (foreign && operation.cookies === 'own_site') throw crossSiteRefused();
  const namedUserId = parts.query.user_id;
  const presented = { headers, cookies, foreign };
  const identity = await authenticate(runtime, operation.caller, namedUserId, presented, now);

  let isShownOnce = false;
  const showOnce = (): void => {
    isShownOnce = true;
  };
  const outcome = async (): Promise<Answer> => {
    const set: string[] = [];
    const setCookie = (cookie: string): void => {
      if (!operation.cookies)
        throw new InternalError(`${operation.name} sets a cookie without declaring cookies`);
      set.push(cookie);
    };
    const request = {
      requestId,
      method: http.method,
      path: event.rawPath,
      headers,
      cookies,
      foreign,
      network: networkOf(http.sourceIp),
      authorized: authorizer?.lambda,
      now,
      setCookie,
      showOnce,
    };
    try {
      return answerOf(await bound.run({ ...runtime, ...identity, ...request }), set);
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
  // Tokens may change between repeats of a request, so they are not part of it; the scope may hold them.
  const request = [operation.routeKey, event.rawQueryString, arrived.body];
  const scope = scopeOf(operation, {
    request,
    presented: { ...parts, ...presented, settings: runtime.settings },
    userId: identity.session?.userId,
  });
  const kept = (answer: Answer): Answer =>
    isShownOnce && answer.statusCode === 200 ? answerToError(alreadyShown(), requestId) : answer;
  return answerOnce(runtime, { key, scope, request, now, kept }, run);
};

type Passing = Request<ApiEvent, Answer, Error, Context>;

const isJsonParserError = (error: unknown): boolean => {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'package' in cause &&
    cause.package === '@middy/http-json-body-parser'
  );
};

const arrivedOf = ({ arrived }: ApiEvent): Arrived => {
  if (!arrived) throw new Error('the stack was entered past its first step');
  return arrived;
};

/**
 * Writes one log line and one metric per request. The line has the route and the truncated address of the caller, but
 * not the path, the query or the body.
 */
const observer =
  (operation: Operation, runtime: Runtime) =>
  (request: Passing): void => {
    const status = request.response?.statusCode ?? 500;
    const { at } = arrivedOf(request.event);
    const { requestId, http } = request.event.requestContext;
    const line = {
      route: operation.routeKey,
      status,
      duration_ms: Math.round(performance.now() - at),
      request_id: requestId,
      address: truncatedAddress(http.sourceIp),
    };
    if (request.error && status >= 500) {
      runtime.log.error('request failed', { ...line, ...describeError(request.error) });
    } else runtime.log.info('request', line);
    const outcome = status >= 500 ? 'Fault' : status >= 400 ? 'Refusal' : 'Success';
    runtime.metrics.count(outcome, { operation: operation.name });
  };

/** Body parser of middy. It replaces the body of the event. */
interface BodyParser {
  before?(request: Request<ApiEvent, unknown, Error, Context>): unknown;
}

/** Runs a body parser only for bodies of its type. Other bodies stay unparsed and fail validation. */
const when = (parser: Arrived['parser'], { before }: BodyParser) => ({
  before: (request: Passing): unknown =>
    arrivedOf(request.event).parser === parser ? before?.(request) : undefined,
});

/** Builds the middleware stack, which is the same for all operations. */
const stackOf = (operation: Operation, runtime: Runtime) => {
  const observe = observer(operation, runtime);
  return middy<ApiEvent, Answer, Error, Context>((event: ApiEvent) => perform(operation, runtime, event))
    .before((request) => {
      const { event } = request;
      const at = performance.now();
      event.arrived = { at, body: '', parser: undefined };
      checkSize(operation, event);
      const body = bodyText(event) ?? '';
      const parser = body === '' ? undefined : parserFor(operation, event);
      event.arrived = { at, body, parser };
      if (parser === 'json') checkDepth(body);
      if (parser === 'form') checkFieldCount(body);
    })
    .use({ after: observe, onError: observe })
    .onError((request) => {
      const { event } = request;
      const error = isJsonParserError(request.error) ? jsonFault(arrivedOf(event).body) : request.error;
      request.response = answerToError(
        error instanceof ValidationError ? explainContentType(operation, event, error) : error,
        event.requestContext.requestId,
      );
    })
    .use(when('json', jsonBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true })))
    .use(when('form', urlencodeBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true })));
};

/**
 * Creates the handler of a group of operations. Operations are loaded at their first request.
 *
 * @param runtime is called at the first request.
 */
export const createHandler = (
  operations: readonly (Operation | LateOperation)[],
  runtime: () => Runtime,
): ApiHandler => {
  const byRoute = new Map(operations.map((operation) => [operation.routeKey, operation]));
  const stacks = new Map<string, ReturnType<typeof stackOf>>();
  return async (event, context) => {
    const { routeKey } = event;
    let stack = stacks.get(routeKey);
    if (!stack) {
      const found = byRoute.get(routeKey);
      if (!found) throw new Error(`the gateway routes ${routeKey} to a function that does not serve it`);
      stack = stackOf('load' in found ? await found.load() : found, runtime());
      stacks.set(routeKey, stack);
    }
    return stack(event, context);
  };
};

/** Creates the Lambda handler of a group of operations. Reads its settings from the environment at the first request. */
export const lambdaHandler = (operations: readonly Operation[]): ApiHandler => {
  let runtime: Runtime | undefined;
  return createHandler(operations, () => {
    runtime ??= createRuntime(process.env);
    return runtime;
  });
};
