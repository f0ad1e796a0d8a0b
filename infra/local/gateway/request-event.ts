import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';

/** Request that the gateway received. */
export interface GatewayRequest {
  readonly method: string;
  /** Percent-decoded, as the HTTP API passes it on. */
  readonly path: string;
  readonly rawQuery: string;
  /** Lower-case names, duplicates joined by commas, no cookies. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly protocol: string;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly receivedAt: Date;
}

/** Hop-by-hop headers, which the gateway does not pass on. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Collects the values of each name, joined by commas. */
const joinDuplicates = (pairs: Iterable<readonly [string, string]>): Record<string, string> => {
  const joined = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(joined);
};

const readHeaders = (rawHeaders: readonly string[]) => {
  const pairs: [string, string][] = [];
  const cookies: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    if (name === 'cookie') {
      cookies.push(
        ...value
          .split(';')
          .map((cookie) => cookie.trim())
          .filter(Boolean),
      );
    } else if (!HOP_BY_HOP.has(name)) {
      pairs.push([name, value]);
    }
  }
  return { headers: joinDuplicates(pairs), cookies };
};

/** Reads a request. @returns undefined if its target cannot be decoded. */
export const readRequest = (
  request: IncomingMessage,
  port: number,
  now: Date,
): GatewayRequest | undefined => {
  const target = request.url ?? '';
  const [rawPath = '', ...query] = target.split('?');
  if (!rawPath.startsWith('/')) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(rawPath);
  } catch {
    return undefined;
  }
  const sourceIp = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const { headers, cookies } = readHeaders(request.rawHeaders);
  headers['x-amzn-trace-id'] =
    `Root=1-${Math.floor(now.getTime() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;
  headers['x-forwarded-for'] = [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', ');
  headers['x-forwarded-port'] = String(port);
  headers['x-forwarded-proto'] = 'http';
  return {
    method: request.method ?? '',
    path,
    rawQuery: query.join('?'),
    headers,
    cookies,
    protocol: `HTTP/${request.httpVersion}`,
    sourceIp,
    requestId: randomBytes(11).toString('base64url').concat('='),
    receivedAt: now,
  };
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time in the common log format: 12/Mar/2020:19:03:58 +0000. */
const clfTime = (date: Date): string => {
  const [day, clock] = date.toISOString().slice(0, 19).split('T');
  const [year, month, ofMonth] = (day ?? '').split('-');
  return `${ofMonth}/${MONTHS[Number(month) - 1]}/${year}:${clock} +0000`;
};

type PathParameters = Readonly<Record<string, string>>;

const commonParts = (request: GatewayRequest, routeKey: string, pathParameters: PathParameters) => {
  const domainName = (request.headers.host ?? 'localhost').replace(/:\d+$/, '');
  return {
    rawPath: request.path,
    rawQueryString: request.rawQuery,
    ...(request.cookies.length > 0 && { cookies: [...request.cookies] }),
    headers: { ...request.headers },
    ...(request.rawQuery !== '' && {
      queryStringParameters: joinDuplicates(new URLSearchParams(request.rawQuery)),
    }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path: request.path,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage: '$default',
      time: clfTime(request.receivedAt),
      timeEpoch: request.receivedAt.getTime(),
    },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters: { ...pathParameters } }),
  };
};

/**
 * Content types whose bodies a function gets as text. It gets others, such as a form or a body without a type, as
 * base64. The real HTTP API does the same, but does not document the types.
 */
const TEXT = /^(text\/.*|application\/(json|javascript|xml))\s*(;|$)/i;

const bodyParts = (request: GatewayRequest, body: Buffer) => {
  if (body.byteLength === 0) return { isBase64Encoded: false };
  const isText = TEXT.test(request.headers['content-type'] ?? '') && !request.headers['content-encoding'];
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};

/** Builds the event of a proxy integration, payload format 2.0. */
export const proxyEvent = (
  request: GatewayRequest,
  routeKey: string,
  pathParameters: PathParameters,
  body: Buffer,
  authorizerContext?: Readonly<Record<string, unknown>>,
): APIGatewayProxyEventV2 => {
  const { requestContext, ...parts } = commonParts(request, routeKey, pathParameters);
  const authorizer = authorizerContext && { authorizer: { lambda: authorizerContext } };
  return {
    version: '2.0',
    routeKey,
    ...parts,
    requestContext: { ...requestContext, ...authorizer },
    ...bodyParts(request, body),
  };
};

/** Builds the event of a request authorizer, payload format 2.0. It has no body. */
export const authorizerEvent = (
  request: GatewayRequest,
  routeKey: string,
  pathParameters: PathParameters,
  identitySource: string,
): Omit<APIGatewayRequestAuthorizerEventV2, 'stageVariables'> => {
  const { requestContext, cookies = [], ...parts } = commonParts(request, routeKey, pathParameters);
  const route = `${requestContext.stage}/${request.method}${request.path}`;
  return {
    version: '2.0',
    type: 'REQUEST',
    routeArn: `arn:aws:execute-api:local:${requestContext.accountId}:${requestContext.apiId}/${route}`,
    identitySource: [identitySource],
    routeKey,
    ...parts,
    cookies,
    requestContext,
  };
};
