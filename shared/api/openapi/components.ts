import type { Content, OpenApiParameter } from './document.ts';
import type { JsonSchema } from './schemas.ts';

/** Marks what goes beyond the contract. */
export const EXTENSION = { 'x-extension': true } as const;
/** A reference to a component schema. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } });

/** The error bodies: the validation error as FastAPI names and shapes it, and the service's own. */
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
      detail: { type: 'string', description: 'A sentence to act on.' },
      code: { type: 'string', description: 'Stable: what a client switches on.' },
    },
    ...EXTENSION,
  },
  GatewayError: {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string' } },
    description: 'What the gateway answers when the authorizer refuses a request.',
    ...EXTENSION,
  },
};

export const SECURITY_SCHEMES: Readonly<Record<string, JsonSchema>> = {
  integrator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of an integrator.',
  },
  sessionBearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session.',
    ...EXTENSION,
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      'The session as the sign-in operations set it. The name is `session` where the public address is http.',
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
      'A key of your choice: the same request under the same key is carried out once and answered alike for 24 hours.',
    ...EXTENSION,
  },
};
