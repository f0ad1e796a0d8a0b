import { STATUS_CODES } from 'node:http';
import type * as z from 'zod';
import { type ErrorCode, statusOf } from '../errors.ts';
import type { Caller, Operation } from '../operation.ts';
import { PROBLEM } from '../problem.ts';
import {
  ERROR_SCHEMAS,
  EXTENSION,
  HEADERS,
  IDEMPOTENCY_KEY,
  json,
  LIST_FORMS,
  LIST_HEADERS,
  PARAMETERS,
  RATE_HEADERS,
  ref,
  SECURITY_SCHEMES,
  TEXT,
} from './components.ts';
import type {
  Content,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './document.ts';
import { type ConvertedSchemas, convertSchemas, type JsonSchema, objectsOf, requiredOf } from './schemas.ts';

const SESSION = [{ sessionBearer: [] }, { sessionCookie: [] }];

/** `{}` means no credential: the contract requires none. */
const SECURITY_OF: Readonly<Record<Caller, OpenApiOperation['security']>> = {
  anyone: [],
  user: [{}, ...SESSION],
  session: SESSION,
  deploy_key: [{}, ...SESSION],
  integrator: [{ integrator: [] }],
};

const SESSION_ERRORS: readonly ErrorCode[] = [
  'session_invalid',
  'session_required',
  'api_key_invalid',
  'scope_insufficient',
  'cross_site_refused',
];

const IMPLIED_ERRORS: Readonly<Record<Caller, readonly ErrorCode[]>> = {
  anyone: [],
  user: [...SESSION_ERRORS, 'session_mismatch'],
  session: SESSION_ERRORS,
  deploy_key: [...SESSION_ERRORS, 'session_mismatch'],
  integrator: [],
};

/** `address_refused`: of a stage with a distribution in front, around it. */
const IMPLIED_BY_ALL: readonly ErrorCode[] = [
  'address_refused',
  'body_too_large',
  'query_too_long',
  'rate_limited',
  'internal',
  'unavailable',
];

/** Returns the key of one part of an operation in the converted schemas. */
const keyOf = ({ operationId }: Operation, part: string): string => `${operationId} ${part}`;

const inputsOf = (operation: Operation): [string, z.ZodType][] =>
  Object.entries(operation.input).map(([part, schema]) => [keyOf(operation, part), schema]);

const parametersOf = (place: 'query' | 'path', schema: JsonSchema = {}): OpenApiParameter[] => {
  const required = requiredOf(schema);
  return Object.entries(objectsOf(schema.properties)).map(([name, declared]) => {
    const { 'x-extension': extension, description, ...rest } = declared;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: rest,
      ...(typeof description === 'string' && { description }),
      ...(extension === true && EXTENSION),
    };
  });
};

const takesInput = ({ input }: Operation): boolean =>
  Object.values(input).some((part) => Object.keys(part?.shape ?? {}).length > 0);

const errorResponses = (operation: Operation): Record<string, OpenApiResponse> => {
  const { caller, method, errors } = operation;
  const codes = new Set<ErrorCode>([...errors, ...IMPLIED_ERRORS[caller], ...IMPLIED_BY_ALL]);
  if (operation.proven) codes.add('email_unproven');
  if (operation.stepUp) codes.add('step_up_required');
  if (operation.waits) codes.add('recovery_wait');
  if (operation.scope) codes.add('network_refused');
  if (operation.table !== 'none') codes.add('newer_version');
  if (method === 'POST') codes.add('request_in_flight');
  if (operation.input.query) codes.add('query_too_long');
  if (operation.input.form ?? operation.input.json ?? operation.queryInBody) codes.add('body_too_large');
  if (operation.cookies === 'own_site') codes.add('cross_site_refused');
  const responses: Record<string, OpenApiResponse> = {};
  const errorContent = (record: string): Content =>
    operation.extension ? { ...json(ref(record)), [PROBLEM]: { schema: ref('Problem') } } : json(ref(record));
  if (operation.cache !== undefined) {
    responses['304'] = { description: 'The client has this answer: If-None-Match names it', ...EXTENSION };
  }
  // Of a POST, the Idempotency-Key may be wrong.
  if (takesInput(operation) || method === 'POST') {
    responses['422'] = {
      description: 'Validation Error',
      content: errorContent('HTTPValidationError'),
      ...(!takesInput(operation) && EXTENSION),
    };
  }
  for (const status of new Set([...codes].map(statusOf))) {
    const names = [...codes].filter((code) => statusOf(code) === status).map((code) => `\`${code}\``);
    responses[status] = {
      description: `${STATUS_CODES[status]}: ${names.join(', ')}`,
      ...(status === 429 && { headers: RATE_HEADERS }),
      content: errorContent('ErrorResponse'),
      // For integrators, status 500 is part of the contract.
      ...(!(caller === 'integrator' && status === 500) && EXTENSION),
    };
  }
  if (caller === 'integrator') {
    for (const status of [401, 403, 500]) {
      const own = responses[status];
      responses[status] = {
        ...(own ?? EXTENSION),
        description: `${own ? `${own.description}, or` : `${STATUS_CODES[status]}:`} by the authorizer`,
        content: {
          ...own?.content,
          ...json(own ? { oneOf: [ref('ErrorResponse'), ref('GatewayError')] } : ref('GatewayError')),
        },
      };
    }
  }
  return responses;
};

/** Returns the output schemas of an operation, with their keys in the converted schemas. */
const outputsOf = (operation: Operation): [string, z.ZodType][] => [
  [operation.operationId, operation.output],
  ...Object.entries(operation.answers).map(([status, { schema }]): [string, z.ZodType] => [
    keyOf(operation, status),
    schema,
  ]),
];

/** Returns the statuses that the document has for an operation. */
export const statusesOf = (operation: Operation): ReadonlySet<number> =>
  new Set(['200', ...Object.keys(errorResponses(operation)), ...Object.keys(operation.answers)].map(Number));

const otherResponses = (operation: Operation, outputs: ConvertedSchemas): Record<string, OpenApiResponse> =>
  Object.fromEntries(
    Object.entries(operation.answers).map(([status, { description }]) => [
      status,
      { description, content: json(outputs.schemas[keyOf(operation, status)] ?? {}), ...EXTENSION },
    ]),
  );

const formName = ({ operationId }: Operation): string => `Body_${operationId}`;

const bodyOf = (operation: Operation, inputs: ConvertedSchemas): OpenApiOperation['requestBody'] => {
  const { form, json: body } = operation.input;
  if (form) {
    const schema = ref(formName(operation));
    return { content: { 'application/x-www-form-urlencoded': { schema } }, required: true };
  }
  const texts = operation.readText && { 'text/plain': TEXT };
  return (
    body && { content: { ...json(inputs.schemas[keyOf(operation, 'json')] ?? {}), ...texts }, required: true }
  );
};

/** Returns the forms of the operations as component schemas. */
const formRecords = (
  operations: readonly Operation[],
  inputs: ConvertedSchemas,
): Record<string, JsonSchema> =>
  Object.fromEntries(
    operations.flatMap((operation) => {
      const schema = inputs.schemas[keyOf(operation, 'form')];
      return schema
        ? [[formName(operation), operation.extension ? { ...schema, ...EXTENSION } : schema]]
        : [];
    }),
  );

/** Merges component schemas. Throws if two records have the same name. */
const joined = (...sources: readonly Readonly<Record<string, JsonSchema>>[]): Record<string, JsonSchema> => {
  const all = new Map<string, JsonSchema>();
  for (const [name, schema] of sources.flatMap((source) => Object.entries(source))) {
    const known = all.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two records are named ${name}, or it differs between requests and answers`);
    }
    all.set(name, schema);
  }
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/**
 * Builds the OpenAPI 3.0.2 document of the operations. The name of a group is the tag of its operations. Names follow
 * FastAPI; operations, fields and answers that are not in the contract have `x-extension: true`.
 */
export const buildOpenApi = (
  groups: Readonly<Record<string, readonly Operation[]>>,
  info: OpenApiDocument['info'],
): OpenApiDocument => {
  const listed = Object.entries(groups).flatMap(([tag, operations]) =>
    // HEAD answers like GET without a body.
    operations.filter(({ method }) => method !== 'HEAD').map((operation) => ({ tag, operation })),
  );
  const operations = listed.map(({ operation }) => operation);
  const inputs = convertSchemas(Object.fromEntries(operations.flatMap(inputsOf)), 'input');
  const outputs = convertSchemas(Object.fromEntries(operations.flatMap(outputsOf)), 'output');

  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const { tag, operation } of listed) {
    const { path, method, summary, description, operationId, caller, extension } = operation;
    const parameters: OpenApiParameter[] = [
      ...parametersOf('path', inputs.schemas[keyOf(operation, 'params')]),
      ...parametersOf('query', inputs.schemas[keyOf(operation, 'query')]),
      ...(method === 'POST' ? [{ $ref: `#/components/parameters/${IDEMPOTENCY_KEY}` }] : []),
    ];
    const requestBody = bodyOf(operation, inputs);
    const security = SECURITY_OF[caller];
    const entry: OpenApiOperation = {
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      operationId,
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: {
        200: {
          description: 'Successful Response',
          ...(operation.isPaged && { headers: LIST_HEADERS }),
          content: {
            ...json(outputs.schemas[operationId] ?? {}),
            ...(operation.isPaged && LIST_FORMS),
          },
        },
        ...errorResponses(operation),
        ...otherResponses(operation, outputs),
      },
      security,
      ...(extension && EXTENSION),
      ...(operation.queryInBody && { 'x-parameters-in-body': true }),
      ...(operation.scope && { 'x-api-key-scope': operation.scope }),
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: entry };
  }

  return {
    openapi: '3.0.2',
    info,
    servers: [{ url: '/', description: 'The service that this document comes from' }],
    tags: [...new Set(listed.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: joined(inputs.records, formRecords(operations, inputs), outputs.records, ERROR_SCHEMAS),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
};
