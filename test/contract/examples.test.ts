import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { OPERATIONS } from '../../functions/operations.ts';
import { openApiDocument } from '../../infra/bundle/docs-assets.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { SCENARIOS } from '../bench/scenarios.ts';
import { startWorld, type World } from '../bench/world.ts';

/** Set to write the examples of new and changed answers from this run; format them afterwards. */
const { UPDATE_EXAMPLES } = process.env;
const FILE = new URL('../../functions/docs/examples.json', import.meta.url);
const MAX_ITEMS = 2;

const documented = OPERATIONS.filter(({ path }) => !/^\/(docs.*|console.*|openapi\.json)?$/.test(path));

/** Shortens lists, cuts credentials and replaces addresses of this machine. */
const tidied = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((each: unknown) => tidied(each, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tidied(inner, key)]));
  }
  if (typeof value !== 'string') return value;
  const local = value.replace(/https?:\/\/127\.0\.0\.1:\d+/g, 'https://provider.example');
  return /^ey[\w-]+\./.test(local) || /secret$|refresh_token/.test(name) ? `${local.slice(0, 16)}…` : local;
};

/** Returns the fields of an answer with their types, without fields that may be null or empty. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object' || value === null) return value === null ? undefined : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
};

const answerOf = async (world: World, { routeKey }: Operation): Promise<unknown> => {
  const request = await SCENARIOS[routeKey]?.(world);
  const { status, body, text } = await world.hub.call(routeKey, request);
  if (status !== 200) throw new Error(`${routeKey} answers ${status}: ${text}`);
  return tidied(body);
};

const { paths } = openApiDocument();

const exampleOf = ({ path, method }: Operation): unknown =>
  paths[path]?.[method.toLowerCase()]?.responses['200']?.content?.['application/json']?.example;

/** Tells whether an example has the fields of the current answer, and its lists those of their records. */
const isUpToDate = ({ output }: Operation, example: unknown, answer: unknown): boolean =>
  isDeepStrictEqual(shapeOf(example), shapeOf(answer)) &&
  isDeepStrictEqual(output.safeParse(example).data, example);

describe('the examples of the OpenAPI document', () => {
  let answers: ReadonlyMap<string, unknown>;

  beforeAll(async () => {
    await using world = await startWorld();
    const taken: [string, unknown][] = [];
    for (const operation of documented) {
      taken.push([operation.operationId, await answerOf(world, operation)]);
    }
    answers = new Map(taken);
    if (!UPDATE_EXAMPLES) return;
    const examples = documented.map((operation) => {
      const [example, answer] = [exampleOf(operation), answers.get(operation.operationId)];
      return [operation.operationId, isUpToDate(operation, example, answer) ? example : answer];
    });
    await writeFile(FILE, JSON.stringify(Object.fromEntries(examples), null, 2));
  });

  test.each(documented.map((operation) => ({ routeKey: operation.routeKey, operation })))(
    '$routeKey is a real answer',
    ({ operation }) => {
      const answer = answers.get(operation.operationId);
      const example = UPDATE_EXAMPLES ? answer : exampleOf(operation);
      expect(operation.output.safeParse(example).data).toEqual(example);
      expect(shapeOf(example)).toEqual(shapeOf(answer));
    },
  );
});
