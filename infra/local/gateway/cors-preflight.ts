import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { CorsConfiguration } from '../../cors.ts';

const originHeaders = (cors: CorsConfiguration, origin: string): OutgoingHttpHeaders | undefined => {
  const anyOrigin = cors.allowOrigins.includes('*');
  if (!anyOrigin && !cors.allowOrigins.includes(origin)) return undefined;
  return {
    'access-control-allow-origin': anyOrigin && !cors.allowCredentials ? '*' : origin,
    ...(!anyOrigin && { vary: 'Origin' }),
    ...(cors.allowCredentials && { 'access-control-allow-credentials': 'true' }),
  };
};

/**
 * The headers of the answer to an OPTIONS request: those of a preflight; none for an origin that is not allowed, and
 * none where the request is no preflight, which names an origin and a method.
 */
export const preflightHeaders = (cors: CorsConfiguration, request: IncomingMessage): OutgoingHttpHeaders => {
  const { origin, 'access-control-request-method': method } = request.headers;
  const allowed = origin !== undefined && method !== undefined && originHeaders(cors, origin);
  if (!allowed) return {};
  return {
    ...allowed,
    'access-control-allow-methods': cors.allowMethods.join(','),
    'access-control-allow-headers': cors.allowHeaders.join(','),
    'access-control-max-age': String(cors.maxAgeS),
  };
};

/** The headers that an answer to a cross-origin request is given. */
export const answerHeaders = (cors: CorsConfiguration, request: IncomingMessage): OutgoingHttpHeaders => {
  const allowed = request.headers.origin && originHeaders(cors, request.headers.origin);
  if (!allowed) return {};
  return {
    ...allowed,
    ...(cors.exposeHeaders.length > 0 && { 'access-control-expose-headers': cors.exposeHeaders.join(',') }),
  };
};
