import middy, { type Request } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import urlencodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createRuntime, type Runtime } from '../runtime.ts';
import { type Answer, answerToError } from './answer.ts';
import { type ApiEvent, type Arrived, arrivedOf } from './api-event.ts';
import { truncatedAddress } from './caller-network.ts';
import { explainContentType } from './content-type.ts';
import { ValidationError } from './errors.ts';
import { finish } from './finish.ts';
import { checkDepth, checkFieldCount, checkSize } from './limits.ts';
import type { LateOperation, Operation } from './operation.ts';
import { perform } from './perform.ts';
import { RateLimiter } from './rate-limiter.ts';
import { describeError } from './redact.ts';
import { bodyText, parserFor } from './request.ts';

export type ApiHandler = (event: ApiEvent, context: Context) => Promise<Answer>;

const SALT_BYTES = 32;

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
      version: request.context.functionVersion,
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

/** Few bodies are malformed, so a cold start does not load the code that tells the position. */
const explainJson = async (body: string): Promise<ValidationError> =>
  (await import('./json-fault.ts')).jsonFault(body);

/** Replaces the address of the distribution by that of the caller. Few stages have one, so the code is loaded late. */
const passEdge = async (runtime: Runtime, { headers, requestContext: { http } }: ApiEvent): Promise<void> => {
  const { aroundEdge, callerAddress, EDGE_HEADER } = await import('./edge.ts');
  const address = await callerAddress(runtime, { headers, sourceIp: http.sourceIp });
  delete headers[EDGE_HEADER];
  if (address === undefined) throw aroundEdge();
  http.sourceIp = address;
};

/** Builds the middleware stack, which is the same for all operations. */
const stackOf = (operation: Operation, runtime: Runtime, limiter: RateLimiter | undefined) => {
  const observe = observer(operation, runtime);
  return middy<ApiEvent, Answer, Error, Context>((event: ApiEvent) =>
    perform(operation, runtime, event, limiter),
  )
    .before(async (request) => {
      const { event } = request;
      const at = performance.now();
      event.arrived = { at, body: '', parser: undefined };
      if (runtime.settings.HUB_EDGE !== 'off') await passEdge(runtime, event);
      checkSize(operation, event);
      const body = bodyText(event) ?? '';
      const parser = body === '' ? undefined : parserFor(operation, event);
      event.arrived = { at, body, parser };
      if (parser === 'json') checkDepth(body);
      if (parser === 'form') checkFieldCount(body);
    })
    .use({ after: observe, onError: observe })
    .after(async (request) => {
      const { event, response } = request;
      if (response) request.response = await finish(operation, runtime, event, response);
    })
    .onError(async (request) => {
      const { event } = request;
      const error = isJsonParserError(request.error)
        ? await explainJson(arrivedOf(event).body)
        : request.error;
      const answer = answerToError(
        error instanceof ValidationError ? explainContentType(operation, event, error) : error,
        event.requestContext.requestId,
      );
      request.response = await finish(operation, runtime, event, answer);
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
  let limiter: RateLimiter | undefined;
  const limiterOf = ({ settings, random }: Runtime): RateLimiter | undefined => {
    const limits = settings.HUB_RATE_LIMITS;
    limiter ??= limits ? new RateLimiter(limits, random(SALT_BYTES)) : undefined;
    return limiter;
  };
  return async (event, context) => {
    const { routeKey } = event;
    let stack = stacks.get(routeKey);
    if (!stack) {
      const found = byRoute.get(routeKey);
      if (!found) throw new Error(`the gateway routes ${routeKey} to a function that does not serve it`);
      const given = runtime();
      stack = stackOf('load' in found ? await found.load() : found, given, limiterOf(given));
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
