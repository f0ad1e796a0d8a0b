import { readFileSync } from 'node:fs';
import * as z from 'zod';

const load = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8'));

const kind = z.enum(['string', 'integer', 'boolean']);

const parameter = z.strictObject({
  name: z.string(),
  /** Null if the contract names no type. */
  type: kind.nullable(),
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** Bounds that the contract leaves open. */
  unstated: z.array(z.enum(['minimum', 'maximum'])).default([]),
});

const operation = z.strictObject({
  section: z.string(),
  method: z.enum(['GET', 'POST', 'DELETE']),
  path: z.string(),
  parameters: z.array(parameter),
  body: z.strictObject({ kind: z.enum(['json', 'form']), record: z.string() }).nullable(),
  response: z.strictObject({
    kind: z.enum(['untyped', 'object', 'record', 'array', 'page']),
    records: z.array(z.string()).default([]),
  }),
  /** Parts that the contract leaves open. */
  unstated: z.array(z.enum(['parameters', 'body'])).default([]),
});

const bodyField = z.strictObject({
  name: z.string(),
  type: z.enum(['string', 'integer', 'boolean', 'array', 'object']),
  required: z.boolean(),
  format: z.literal('email').optional(),
  minLength: z.number().optional(),
  pattern: z.string().optional(),
  example: z.unknown().optional(),
});

export type SpecParameter = z.output<typeof parameter>;
export type SpecOperation = z.output<typeof operation>;
export type BodyField = z.output<typeof bodyField>;

/** Every operation of the contract. */
export const SPEC: readonly SpecOperation[] = z.array(operation).parse(load('spec-operations.json'));

export const BODIES: Readonly<Record<string, readonly BodyField[]>> = z
  .record(z.string(), z.array(bodyField))
  .parse(load('bodies.json'));

export const routeKeyOf = ({ method, path }: Pick<SpecOperation, 'method' | 'path'>): string =>
  `${method} ${path}`;

const request = z.object({
  content: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  json: z.unknown().optional(),
  data: z.record(z.string(), z.string()).optional(),
});

const oracle = z.object({
  cases: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      query: z.array(z.tuple([z.string(), z.string()])),
      note: z.string(),
      status: z.number(),
      body: z.unknown(),
      request: request.optional(),
    }),
  ),
});

export type OracleCase = z.output<typeof oracle>['cases'][number];

/** Answers of the contract's stack to given requests. */
export const ORACLE: readonly OracleCase[] = oracle.parse(load('errors.json')).cases;
