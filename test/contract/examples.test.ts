import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { OPERATIONS } from '../../functions/operations.ts';
import { openApiDocument } from '../../infra/bundle/docs-assets.ts';
import { coerceStrings } from '../../shared/api/coerce.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { SCENARIOS } from '../bench/scenarios.ts';
import { startWorld, type World } from '../bench/world.ts';
import type { Request } from '../support/hub.ts';

/** Set to write the examples of new and changed answers from this run; format them afterwards. */
const { UPDATE_EXAMPLES } = process.env;
const FILE = new URL('../../functions/docs/examples.json', import.meta.url);
const REQUESTS_FILE = new URL('../../functions/docs/request-examples.json', import.meta.url);
const MAX_ITEMS = 2;

const documented = OPERATIONS.filter(
  ({ method, path }) =>
    method !== 'HEAD' && !/^\/(docs.*|console.*|oauth\/authorize|openapi\.json|mcp)?$/.test(path),
);

/** Shortens lists, cuts credentials with an end that their schemas allow and replaces addresses of this machine. */
const tidied = (value: unknown, end: '…' | '...', name = ''): unknown => {
  // Rows, such as those of candles, have a fixed length.
  if (Array.isArray(value) && value.every(Array.isArray)) return value.slice(0, MAX_ITEMS);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((each: unknown) => tidied(each, end, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tidied(inner, end, key)]));
  }
  if (typeof value !== 'string') return value;
  const local = value.replace(/https?:\/\/127\.0\.0\.1:\d+/g, 'https://provider.example');
  return /^ey[\w-]+\./.test(local) || /secret$|refresh_token/.test(name)
    ? `${local.slice(0, 16)}${end}`
    : local;
};

/** Returns the fields of an answer with their types, without fields that may be null or empty. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object' || value === null) return value === null ? undefined : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
};

/** Returns the body of a request as its schema describes it. */
const bodyOf = ({ input }: Operation, { json, form }: Request): unknown =>
  input.form ? coerceStrings(input.form, form ?? {}) : input.json && json;

const exchangeOf = async (world: World, operation: Operation) => {
  const { routeKey } = operation;
  const request = (await SCENARIOS[routeKey]?.(world)) ?? {};
  const { status, body, text } = await world.hub.call(routeKey, request);
  if (status !== 200 && status !== 201) throw new Error(`${routeKey} answers ${status}: ${text}`);
  return { request: tidied(bodyOf(operation, request), '...'), answer: tidied(body, '…') };
};

const { paths } = openApiDocument();

const exampleOf = ({ path, method }: Operation): unknown =>
  paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.example;

const requestExampleOf = ({ path, method }: Operation): unknown =>
  Object.values(paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {})[0]?.example;

/** Tells whether an example has the fields of the current answer, and its lists those of their records. */
const isUpToDate = ({ output }: Operation, example: unknown, answer: unknown): boolean =>
  isDeepStrictEqual(shapeOf(example), shapeOf(answer)) &&
  isDeepStrictEqual(output.safeParse(example).data, example);

describe('the examples of the OpenAPI document', () => {
  let exchanges: ReadonlyMap<string, Awaited<ReturnType<typeof exchangeOf>>>;

  beforeAll(async () => {
    await using world = await startWorld();
    const taken: [string, Awaited<ReturnType<typeof exchangeOf>>][] = [];
    for (const operation of documented) {
      taken.push([operation.operationId, await exchangeOf(world, operation)]);
    }
    exchanges = new Map(taken);
    if (!UPDATE_EXAMPLES) return;
    const examples = documented.map((operation) => {
      const [example, answer] = [exampleOf(operation), exchanges.get(operation.operationId)?.answer];
      return [operation.operationId, isUpToDate(operation, example, answer) ? example : answer];
    });
    await writeFile(FILE, JSON.stringify(Object.fromEntries(examples), null, 2));
    const requests = documented.flatMap((operation) => {
      const [example, { request } = {}] = [requestExampleOf(operation), exchanges.get(operation.operationId)];
      if (request === undefined) return [];
      return [
        [operation.operationId, isDeepStrictEqual(shapeOf(example), shapeOf(request)) ? example : request],
      ];
    });
    await writeFile(REQUESTS_FILE, JSON.stringify(Object.fromEntries(requests), null, 2));
  });

  test.each(documented.map((operation) => ({ routeKey: operation.routeKey, operation })))(
    '$routeKey is a real request and answer',
    ({ operation }) => {
      const { answer, request } = exchanges.get(operation.operationId) ?? {};
      const example = UPDATE_EXAMPLES ? answer : exampleOf(operation);
      expect(operation.output.safeParse(example).data).toEqual(example);
      expect(shapeOf(example)).toEqual(shapeOf(answer));
      const asked = UPDATE_EXAMPLES ? request : requestExampleOf(operation);
      expect(shapeOf(asked)).toEqual(shapeOf(request));
      const body = operation.input.form ?? operation.input.json;
      expect(body?.safeParse(asked).error).toBeUndefined();
    },
  );
});
