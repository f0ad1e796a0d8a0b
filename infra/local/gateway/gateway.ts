import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import findMyWay from 'find-my-way';
import type { CorsConfiguration } from '../../cors.ts';
import { PayloadTooLargeError } from '../lambda/functions.ts';
import { type Authorize, type AuthorizerOptions, createAuthorizer } from './authorizer.ts';
import { answerHeaders, preflightHeaders } from './cors-preflight.ts';
import { isEventStream, streamAnswers } from './event-stream.ts';
import { type GatewayRequest, proxyEvent, readRequest } from './request-event.ts';
import { type GatewayAnswer, readResult, writeAnswer } from './response.ts';
import { BodyTooLargeError, readBody } from './server.ts';
import type { ExplainAnswer } from './write-faults.ts';

export interface GatewayRoute {
  /** Such as `POST /login` or `DELETE /users/{id}`. */
  readonly routeKey: string;
  /** Invokes the function behind the route. */
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Runs before the function. Routes with the same object share its cache. */
  readonly authorizer?: AuthorizerOptions;
}

/** Line of the access log. It has the route, but not the URL, which may hold a password. */
export interface AccessEntry {
  readonly routeKey: string;
  readonly status: number;
  readonly ms: number;
}

export interface GatewayOptions {
  readonly routes: readonly GatewayRoute[];
  readonly port: number;
  readonly cors?: CorsConfiguration;
  readonly timeoutMs?: number;
  readonly log?: (entry: AccessEntry) => void;
  /** Called with an error for which the client gets only a 500. */
  readonly onError?: (routeKey: string, error: unknown) => void;
  /** Changes answers to requests with a route before they are sent. */
  readonly explain?: ExplainAnswer;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_TIMEOUT_MS = 30_000;

/** Answer of API Gateway itself. */
class GatewayError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Target {
  readonly route: GatewayRoute;
  readonly authorize: Authorize | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
}

type FindTarget = (method: string, rawPath: string) => Target | undefined;

/** Converts a path such as `/users/{id}` to the notation of the router. */
const pattern = (path: string): string =>
  path
    .replaceAll(':', '::')
    .replace(/\{[^}]+\+\}/g, '*')
    .replace(/\{([^}]+)\}/g, ':$1');

const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
type HttpMethod = (typeof HTTP_METHODS)[number];
const isHttpMethod = (text: string): text is HttpMethod => HTTP_METHODS.some((method) => method === text);

const createRouter = (routes: readonly GatewayRoute[]): FindTarget => {
  const router = findMyWay({ caseSensitive: true, maxParamLength: 8192 });
  const authorizers = new Map<AuthorizerOptions, Authorize>();
  const targets = new Map<string, Omit<Target, 'pathParameters'>>();
  for (const route of routes) {
    const { routeKey, authorizer } = route;
    if (targets.has(routeKey)) throw new Error(`the route ${routeKey} is declared twice`);
    const authorize = authorizer && (authorizers.get(authorizer) ?? createAuthorizer(authorizer));
    if (authorizer && authorize) authorizers.set(authorizer, authorize);
    targets.set(routeKey, { route, authorize });
    const [method = '', path = ''] = routeKey.split(' ');
    if (!isHttpMethod(method)) throw new Error(`${routeKey} is not a route key`);
    router.on(method, pattern(path), () => undefined, routeKey);
  }
  return (method, rawPath) => {
    const found = isHttpMethod(method) ? router.find(method, rawPath) : null;
    const target = found && targets.get(found.store);
    if (!target) return undefined;
    const pathParameters: Record<string, string> = {};
    for (const [name, value] of Object.entries(found.params)) {
      // The router accepts an empty parameter, API Gateway does not.
      if (!value) return undefined;
      pathParameters[name === '*' ? 'proxy' : name] = value;
    }
    return { ...target, pathParameters };
  };
};

const withTimeout = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GatewayError(503, 'Service Unavailable')), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

const authorizeRequest = async (target: Target, request: GatewayRequest) => {
  const verdict = await target.authorize?.(request, target.route.routeKey, target.pathParameters);
  if (verdict?.kind === 'unidentified') throw new GatewayError(401, 'Unauthorized');
  if (verdict?.kind === 'denied') throw new GatewayError(403, 'Forbidden');
  return verdict?.context;
};

const asGatewayError = (error: unknown): GatewayError | undefined => {
  if (error instanceof GatewayError) return error;
  const tooLarge = error instanceof BodyTooLargeError || error instanceof PayloadTooLargeError;
  return tooLarge ? new GatewayError(413, 'Request Entity Too Large') : undefined;
};

/** With CORS, the headers of the gateway replace those of the function. */
const withoutCors = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('access-control-')));

/**
 * Answers requests like an HTTP API of API Gateway with Lambda proxy integrations, payload format 2.0 and the stage
 * `$default`. Answers 404 to a request without a route. With CORS, answers every OPTIONS request itself.
 *
 * @throws Error if two routes have the same key.
 */
export const createGateway = (options: GatewayOptions): RequestListener => {
  const {
    port,
    cors,
    log,
    onError,
    timeoutMs = MAX_TIMEOUT_MS,
    explain = (_route, answer) => answer,
  } = options;
  const findTarget = createRouter(options.routes);

  const answer = async (
    target: Target | undefined,
    message: IncomingMessage,
    response: ServerResponse,
    request: GatewayRequest | undefined,
    extra: OutgoingHttpHeaders,
  ): Promise<void> => {
    if (!request) throw new GatewayError(400, 'Bad Request');
    if (!target) throw new GatewayError(404, 'Not Found');
    const { route, pathParameters } = target;
    const context = await authorizeRequest(target, request);
    const body = await readBody(message, MAX_BODY_BYTES);
    const invoke = async (asked: GatewayRequest): Promise<GatewayAnswer> => {
      const event = proxyEvent(asked, route.routeKey, pathParameters, body, context);
      const read = readResult(await withTimeout(route.invoke(event), timeoutMs));
      return explain(route.routeKey, { ...read, headers: cors ? withoutCors(read.headers) : read.headers });
    };
    const first = await invoke(request);
    if (!isEventStream(first)) {
      writeAnswer(response, first, extra);
      return;
    }
    await streamAnswers(response, first, extra, (lastId) =>
      invoke({ ...request, headers: { ...request.headers, 'last-event-id': lastId } }),
    );
  };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const now = new Date();
    const request = readRequest(message, port, now);
    const [rawPath = ''] = (message.url ?? '').split('?');
    const target = request && findTarget(request.method, rawPath);
    const routeKey = target?.route.routeKey ?? 'no route';
    const extra = {
      ...(request && { 'apigw-requestid': request.requestId }),
      ...(cors && answerHeaders(cors, message)),
    };
    try {
      await answer(target, message, response, request, extra);
    } catch (error) {
      if (message.errored) return; // The client disconnected while it was sending.
      const refusal = asGatewayError(error);
      if (!refusal) onError?.(routeKey, error);
      const { status, message: text } = refusal ?? { status: 500, message: 'Internal Server Error' };
      const answered = explain(routeKey, {
        status,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ message: text })),
      });
      if (!response.headersSent && !response.destroyed) writeAnswer(response, answered, extra);
      message.resume();
    }
    log?.({ routeKey, status: response.statusCode, ms: Date.now() - now.getTime() });
  };

  return (message, response) => {
    if (cors && message.method === 'OPTIONS') {
      response.writeHead(204, preflightHeaders(cors, message)).end();
      return;
    }
    void handle(message, response);
  };
};
