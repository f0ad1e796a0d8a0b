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
 * Returns the headers of the answer to a preflight. Empty for an origin that is not allowed, and for an OPTIONS request
 * without an origin and a method, which is not a preflight.
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

/** Returns the CORS headers of an answer to a cross-origin request. */
export const answerHeaders = (cors: CorsConfiguration, request: IncomingMessage): OutgoingHttpHeaders => {
  const allowed = request.headers.origin && originHeaders(cors, request.headers.origin);
  if (!allowed) return {};
  return {
    ...allowed,
    ...(cors.exposeHeaders.length > 0 && { 'access-control-expose-headers': cors.exposeHeaders.join(',') }),
  };
};
