import * as z from 'zod';
import { integer, record, timestamp } from '../../../shared/api/fields.ts';
import { buildOpenApi } from '../../../shared/api/openapi/build-openapi.ts';
import type { OpenApiDocument, OpenApiOperation } from '../../../shared/api/openapi/document.ts';
import {
  type Caller,
  defineOperation,
  type InputShape,
  type Method,
  type Operation,
} from '../../../shared/api/operation.ts';
import { PROBLEM } from '../../../shared/api/problem.ts';

const INFO = { title: 'Test', description: 'A test.', version: '0.1.0', license: { name: 'MIT' } };

const operation = (
  path: `/${string}`,
  {
    method = 'GET',
    caller = 'anyone',
    input = {},
    output = z.object({ ok: z.boolean() }),
    extension = false,
  }: { method?: Method; caller?: Caller; input?: InputShape; output?: z.ZodType; extension?: boolean } = {},
): Operation =>
  defineOperation({
    method,
    path,
    name: path.replace(/\W/g, ''),
    summary: 'An operation',
    caller,
    extension,
    input,
    output,
    errors: ['email_taken', 'user_unknown'],
    table: 'none',
    handler: async () => ({}),
  });

const build = (...operations: Operation[]): OpenApiDocument => buildOpenApi({ group: operations }, INFO);

const entry = (one: Operation): OpenApiOperation => {
  const found = build(one).paths[one.path]?.[one.method.toLowerCase()];
  if (!found) throw new Error('the operation is not listed');
  return found;
};

const schemas = (...operations: Operation[]) => build(...operations).components.schemas;

describe('an operation in the OpenAPI document', () => {
  test('has the id and tag that FastAPI would generate', () => {
    const found = entry(
      operation('/users/{id}', { method: 'DELETE', input: { params: z.object({ id: z.string() }) } }),
    );
    expect(found).toMatchObject({ operationId: 'usersid_users__id__delete', tags: ['group'] });
    expect(found.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  test('has its parameters with exactly the declared bounds', () => {
    const query = z.object({
      id: integer(),
      size: integer({ min: 1, max: 100 }).describe('How many').default(50),
      live: z.boolean().default(false),
      broker_id: integer().optional(),
      hint: z.string().optional().meta({ 'x-extension': true }),
    });
    expect(entry(operation('/list', { input: { query } })).parameters).toEqual([
      { name: 'id', in: 'query', required: true, schema: { type: 'integer' } },
      {
        name: 'size',
        in: 'query',
        required: false,
        description: 'How many',
        schema: { type: 'integer', default: 50, minimum: 1, maximum: 100 },
      },
      { name: 'live', in: 'query', required: false, schema: { type: 'boolean', default: false } },
      { name: 'broker_id', in: 'query', required: false, schema: { type: 'integer' } },
      { name: 'hint', in: 'query', required: false, schema: { type: 'string' }, 'x-extension': true },
    ]);
  });

  test('names its form after its id', () => {
    const login = operation('/login', {
      method: 'POST',
      input: { form: z.object({ username: z.string() }) },
    });
    expect(entry(login).requestBody).toEqual({
      content: {
        'application/x-www-form-urlencoded': {
          schema: { $ref: '#/components/schemas/Body_login_login_post' },
        },
      },
      required: true,
    });
    expect(schemas(login).Body_login_login_post).toEqual({
      type: 'object',
      properties: { username: { type: 'string' } },
      required: ['username'],
    });
  });

  test('refers to named records at any depth', () => {
    const inner = record('Inner', z.object({ at: timestamp(), id: z.int() }));
    const outer = record('Outer', z.object({ inner, last: inner.nullable(), email: z.email() }));
    const list = operation('/list', { output: z.array(outer) });
    expect(entry(list).responses[200]?.content).toEqual({
      'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Outer' } } },
    });
    expect(schemas(list)).toMatchObject({
      Inner: { properties: { at: { type: 'string', format: 'date-time' }, id: { type: 'integer' } } },
      Outer: {
        properties: {
          inner: { $ref: '#/components/schemas/Inner' },
          last: {
            anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'object', nullable: true, enum: [null] }],
          },
          email: { type: 'string', format: 'email' },
        },
        required: ['inner', 'last', 'email'],
      },
    });
    expect(schemas(list).Outer).not.toHaveProperty('additionalProperties');
  });

  test.each<[Caller, unknown, string[]]>([
    ['anyone', [], []],
    ['user', [{}, { sessionBearer: [] }, { sessionCookie: [] }], ['401']],
    ['session', [{ sessionBearer: [] }, { sessionCookie: [] }], ['401']],
    ['deploy_key', [{}, { sessionBearer: [] }, { sessionCookie: [] }], ['401']],
    ['integrator', [{ integrator: [] }], ['401']],
  ])('called by %s lists its security and its refusals', (caller, security, refusals) => {
    const found = entry(operation('/one', { caller }));
    expect(found.security).toEqual(security);
    expect(Object.keys(found.responses).toSorted()).toEqual(
      ['200', ...refusals, '403', '404', '409', '413', '414', '429', '500', '503'].toSorted(),
    );
  });

  test('marks extensions of the contract', () => {
    const found = entry(operation('/one', { method: 'POST', caller: 'integrator', extension: true }));
    expect(found['x-extension']).toBe(true);
    expect(found.responses[404]).toMatchObject({
      description: 'Not Found: `user_unknown`',
      'x-extension': true,
    });
    expect(found.responses[409]?.description).toBe('Conflict: `email_taken`, `request_in_flight`');
    expect(found.responses[500]).not.toHaveProperty('x-extension');
    const problems = Object.entries(found.responses).filter(([, { content = {} }]) => PROBLEM in content);
    expect(problems.map(([status]) => status)).toEqual([
      '403',
      '404',
      '409',
      '413',
      '414',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(found.responses[422]).toMatchObject({ 'x-extension': true });
    expect(found.parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }]);
    expect(entry(operation('/one'))).not.toHaveProperty('x-extension');
  });
});

describe('the OpenAPI document', () => {
  test('lists the methods of one path together', () => {
    const { paths } = build(operation('/users'), operation('/users', { method: 'POST' }));
    expect(Object.keys(paths['/users'] ?? {})).toEqual(['get', 'post']);
  });

  test('cannot be built from two records with the same name', () => {
    const one = operation('/one', { output: record('Same', z.object({ a: z.string() })) });
    const two = operation('/two', { output: record('Same', z.object({ b: z.string() })) });
    expect(() => build(one, two)).toThrow('Same');
    const three = operation('/three', {
      method: 'POST',
      input: { json: record('Same', z.object({ c: z.string() })) },
    });
    expect(() => build(one, three)).toThrow('Same');
  });

  test('cannot be built from values that JSON cannot represent', () => {
    expect(() => build(operation('/one', { output: z.object({ at: z.date() }) }))).toThrow();
  });
});
