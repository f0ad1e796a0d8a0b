import type { Content, OpenApiHeader, OpenApiParameter, OpenApiResponse } from './document.ts';
import type { JsonSchema } from './schemas.ts';

/** Marks a part of the document that is not in the contract. */
export const EXTENSION = { 'x-extension': true } as const;
/** Returns a reference to a component schema. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } });

/** Content of a plain text. */
export const TEXT = { schema: { type: 'string' }, ...EXTENSION } as const;

/** Forms of a paged list other than JSON. */
export const LIST_FORMS: Content = { 'text/csv': TEXT, 'application/x-ndjson': TEXT };

export const LIST_HEADERS: NonNullable<OpenApiResponse['headers']> = {
  Link: {
    description:
      'Links to the `next`, `prev`, `first` and `last` page (RFC 8288), as far as the list knows them. They repeat the query of the request.',
    schema: { type: 'string' },
    ...EXTENSION,
  },
};

/** Schemas of error bodies. Validation errors have the names and the shape of FastAPI. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ValidationError: {
    title: 'ValidationError',
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { title: 'Location', type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { title: 'Message', type: 'string' },
      type: { title: 'Error Type', type: 'string' },
    },
  },
  HTTPValidationError: {
    title: 'HTTPValidationError',
    type: 'object',
    properties: { detail: { title: 'Detail', type: 'array', items: ref('ValidationError') } },
  },
  ErrorResponse: {
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      detail: { type: 'string' },
      code: { type: 'string' },
    },
    ...EXTENSION,
  },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string' },
      request_id: { type: 'string' },
      errors: { type: 'array', items: ref('ValidationError') },
      'violated-policies': { type: 'array', items: { type: 'string' } },
    },
    ...EXTENSION,
  },
  GatewayError: {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string' } },
    ...EXTENSION,
  },
};

export const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  integrator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of an integrator, from `/oauth/token`.',
  },
  sessionBearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Access token of a session, a platform token, or an API key with the scope that `x-api-key-scope` of the operation names.',
    ...EXTENSION,
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      'Session cookie that sign-in operations set. Its name is `session` when the public address is http.',
    ...EXTENSION,
  },
};

export const IDEMPOTENCY_KEY = 'IdempotencyKey';

export const PARAMETERS: Readonly<Record<string, OpenApiParameter>> = {
  [IDEMPOTENCY_KEY]: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description:
      'Key that the client chooses. The same request with the same key runs once; repeats get the stored answer for 24 hours.',
    ...EXTENSION,
  },
};

/** Headers of answers, for clients that slow down in time. */
export const HEADERS: Readonly<Record<string, OpenApiHeader>> = {
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer' },
    ...EXTENSION,
  },
  RateLimit: {
    description:
      'Requests that are left (`r`) and seconds until the window ends (`t`), by policy: `"read";r=299;t=10`. Most answers have it.',
    schema: { type: 'string' },
    ...EXTENSION,
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) in a window of seconds (`w`), by policy: `"read";q=300;w=10`.',
    schema: { type: 'string' },
    ...EXTENSION,
  },
};

/** References to the headers of answers with status 429. */
export const RATE_HEADERS: Readonly<Record<string, OpenApiHeader>> = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
