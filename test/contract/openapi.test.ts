import { Validator } from '@seriousme/openapi-schema-validator';
import { OPERATIONS } from '../../functions/operations.ts';
import { openApiDocument } from '../../infra/bundle/docs-assets.ts';
import { statusOf } from '../../shared/api/errors.ts';
import type { OpenApiOperation, OpenApiParameter } from '../../shared/api/openapi/document.ts';
import type { JsonSchema } from '../../shared/api/openapi/schemas.ts';
import { BODIES, routeKeyOf, SPEC, type SpecOperation, type SpecParameter } from './spec.ts';

const openapi = openApiDocument();
const entries = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ routeKey: `${method.toUpperCase()} ${path}`, entry })),
);
const byRoute = new Map(entries.map(({ routeKey, entry }) => [routeKey, entry]));
const built = SPEC.flatMap((operation) => {
  const entry = byRoute.get(routeKeyOf(operation));
  return entry ? [{ route: routeKeyOf(operation), operation, entry }] : [];
});

type Named = Exclude<OpenApiParameter, { readonly $ref: string }>;

const isNamed = (parameter: OpenApiParameter): parameter is Named => !('$ref' in parameter);
const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Returns the parameters of the contract, without marked extensions. */
const contracted = ({ parameters = [] }: OpenApiOperation): Named[] =>
  parameters.filter(isNamed).filter((parameter) => !parameter['x-extension']);

const bounds = ({ unstated, minimum, maximum }: SpecParameter, schema: JsonSchema): JsonSchema => ({
  minimum: unstated.includes('minimum') ? schema.minimum : minimum,
  maximum: unstated.includes('maximum') ? schema.maximum : maximum,
});

const expectedParameters = ({ parameters }: SpecOperation, found: readonly Named[]): unknown[] =>
  parameters.map((parameter, index) => ({
    name: parameter.name,
    in: 'query',
    required: parameter.required,
    type: parameter.type ?? found[index]?.schema.type,
    default: parameter.default,
    ...bounds(parameter, found[index]?.schema ?? {}),
  }));

const foundParameters = (parameters: readonly Named[]): unknown[] =>
  parameters.map(({ name, in: place, required, schema }) => ({
    name,
    in: place,
    required,
    type: schema.type,
    default: schema.default,
    minimum: schema.minimum,
    maximum: schema.maximum,
  }));

const bodyOf = ({ body }: SpecOperation): OpenApiOperation['requestBody'] => {
  if (!body) return undefined;
  const type = body.kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  return { content: { [type]: { schema: component(body.record) } }, required: true };
};

const withoutExample = ({ requestBody }: OpenApiOperation): OpenApiOperation['requestBody'] =>
  requestBody && {
    ...requestBody,
    content: Object.fromEntries(
      Object.entries(requestBody.content).map(([type, { example: _, ...media }]) => [type, media]),
    ),
  };

const answerOf = ({ responses }: OpenApiOperation): JsonSchema =>
  responses['200']?.content?.['application/json']?.schema ?? {};

const schemaAt = (schema: unknown, key: string): unknown =>
  typeof schema === 'object' && schema !== null ? Reflect.get(schema, key) : undefined;

/** Returns the records of a page. */
const itemsOfPage = (schema: JsonSchema): unknown => {
  const name = String(schema.$ref).replace('#/components/schemas/', '');
  expect(name).toMatch(/^Page_/);
  const properties = schemaAt(openapi.components.schemas[name], 'properties');
  return schemaAt(schemaAt(properties, 'items'), 'items');
};

const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsIn(inner)));
};

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.0', async () => {
    const plain: Record<string, unknown> = JSON.parse(JSON.stringify(openapi));
    expect(await new Validator().validate(plain)).toEqual({ valid: true });
    expect(openapi).toMatchObject({ openapi: '3.0.2', info: { version: '0.1.0' } });
  });

  test('has no dangling references', () => {
    const plain: unknown = JSON.parse(JSON.stringify(openapi));
    for (const ref of new Set(refsIn(openapi))) {
      expect({ ref, found: ref.split('/').slice(1).reduce<unknown>(schemaAt, plain) }).not.toEqual({
        ref,
        found: undefined,
      });
    }
  });

  test('lists every operation except its own pages and those of assistants', () => {
    const pages = [
      'GET /openapi.json',
      'GET /docs',
      'GET /docs/{file}',
      'GET /',
      'GET /console',
      'GET /console/{file}',
      'POST /mcp',
      'GET /mcp',
      'DELETE /mcp',
    ];
    const expected = OPERATIONS.map(({ routeKey }) => routeKey).filter(
      (routeKey) => !pages.includes(routeKey) && !routeKey.startsWith('HEAD '),
    );
    expect(entries.map(({ routeKey }) => routeKey).toSorted()).toEqual(expected.toSorted());
  });

  test('has a unique id for each operation', () => {
    const ids = entries.map(({ entry }) => entry.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has servers and a licence, and each operation its security and an example of its body', () => {
    expect(openapi).toMatchObject({ servers: [{ url: '/' }], info: { license: { name: 'MIT' } } });
    const bare = entries.flatMap(({ routeKey, entry: { security, requestBody } }) => [
      ...(Array.isArray(security) ? [] : [`${routeKey}: security`]),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ example }) =>
        example === undefined ? [`${routeKey}: example`] : [],
      ),
    ]);
    expect(bare).toEqual([]);
  });

  test('has a type at each schema that may be null, and null in its enum', () => {
    const wrong: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { nullable, type, enum: values } = Object(value);
      const hasNull = !Array.isArray(values) || values.includes(null);
      if (nullable === true && (typeof type !== 'string' || !hasNull)) wrong.push(value);
      for (const [key, inner] of Object.entries(value)) if (key !== 'example') visit(inner);
    };
    visit(openapi);
    expect(wrong).toEqual([]);
  });

  test('marks records beyond the contract', () => {
    const named = new Set([
      ...SPEC.flatMap(({ body, response }) => [...(body ? [body.record] : []), ...response.records]),
      'HTTPValidationError',
      'ValidationError',
    ]);
    const unmarked = Object.entries(openapi.components.schemas)
      .filter(
        ([name, schema]) => !named.has(name) && !name.startsWith('Page_') && schema['x-extension'] !== true,
      )
      .map(([name]) => name);
    expect(unmarked).toEqual([]);
  });
});

describe.each(built)('$route in the OpenAPI document', ({ operation, entry }) => {
  const declaration = OPERATIONS.find(({ routeKey }) => routeKey === routeKeyOf(operation));

  test('has the parameters of the contract, with their defaults and bounds', () => {
    const found = contracted(entry).filter(({ in: place }) => place !== 'path');
    if (operation.unstated.includes('parameters')) return;
    expect(foundParameters(found)).toEqual(expectedParameters(operation, found));
  });

  test('has the body of the contract', () => {
    if (operation.unstated.includes('body')) return;
    expect(withoutExample(entry)).toEqual(bodyOf(operation));
    const fields = operation.body ? BODIES[operation.body.record] : undefined;
    if (!operation.body || !fields) return;
    const schema = openapi.components.schemas[operation.body.record];
    const properties = Object.entries(Object(schemaAt(schema, 'properties')));
    const own = properties.filter(([, property]) => schemaAt(property, 'x-extension') !== true);
    expect(own.map(([name]) => name).toSorted()).toEqual(fields.map(({ name }) => name).toSorted());
    expect(schemaAt(schema, 'required') ?? []).toEqual(
      fields.filter(({ required }) => required).map(({ name }) => name),
    );
  });

  test('answers with the record of the contract', () => {
    const { kind, records } = operation.response;
    const answer = answerOf(entry);
    const [first = component('none'), ...others] = records.map(component);
    if (kind === 'record') expect(answer).toEqual(first);
    if (kind === 'array') expect(answer).toEqual({ type: 'array', items: first });
    if (kind === 'page')
      expect(itemsOfPage(answer)).toEqual(others.length > 0 ? { anyOf: [first, ...others] } : first);
    if (kind === 'object') expect(answer.type ?? answer.$ref).toBeDefined();
  });

  test('declares status 422 for operations with input or an Idempotency-Key, and every declared error', () => {
    const takesInput = (entry.parameters ?? []).length > 0 || entry.requestBody !== undefined;
    expect(Object.hasOwn(entry.responses, '422')).toBe(takesInput);
    for (const code of declaration?.errors ?? []) {
      expect(entry.responses[statusOf(code)]?.description).toContain(`\`${code}\``);
    }
  });

  test('marks responses beyond the contract', () => {
    expect(entry['x-extension']).toBeUndefined();
    const stated = ['200', '422', ...(operation.section === '4.5' ? ['500'] : [])];
    const unmarked = Object.entries(entry.responses)
      .filter(([, response]) => !response['x-extension'])
      .map(([status]) => status);
    expect(unmarked.filter((status) => !stated.includes(status))).toEqual([]);
  });
});
