import * as z from 'zod';
import type { Operation } from '../../../shared/api/operation.ts';
import { DESCRIPTIONS } from '../../docs/descriptions/descriptions.ts';
import { type JsonSchema, jsonSchemaOf, pruned, resolved } from './json-schemas.ts';

interface ToolInput {
  readonly schema: JsonSchema;
  /** Names of the arguments. */
  readonly names: ReadonlySet<string>;
}

const STRATEGY_ID = { type: 'integer', description: 'Strategy of the user.' } as const;

/** Tells how a request names its caller: by the user, or by a strategy in place of its deploy key. */
export const namedBy = ({ caller, input }: Operation): 'user' | 'strategy' | undefined => {
  if (caller === 'deploy_key') return 'strategy';
  return input.query && 'user_id' in input.query.shape ? 'user' : undefined;
};

/** Adds the description of the OpenAPI document to a field. A reference keeps that of its record. */
const described = ({ path }: Operation, field: string, schema: unknown): unknown => {
  const { exceptions, fields } = DESCRIPTIONS;
  const description = exceptions[`${path}.${field}`] ?? fields[field];
  return description === undefined ? schema : { ...Object(schema), description };
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Joins the parts of an operation's input to one object, the form in which models fill arguments best. Names of two parts
 * must differ. The caller's user and fixed fields are left out, and a strategy is named by its id instead of a deploy key.
 */
export const inputOf = (operation: Operation): ToolInput => {
  const { name, input, assistant } = operation;
  const { properties, $defs } = jsonSchemaOf(z.object(input), 'input');
  const named = namedBy(operation);
  const hidden = new Set([
    ...(named === 'user' ? ['user_id'] : []),
    ...(named === 'strategy' ? ['keygen'] : []),
    ...Object.keys(assistant?.fixed ?? {}),
    ...(assistant?.without ?? []),
  ]);
  const fields = new Map<string, unknown>(named === 'strategy' ? [['strategy_id', STRATEGY_ID]] : []);
  const required: unknown[] = named === 'strategy' ? ['strategy_id'] : [];
  for (const part of Object.values(Object(properties))) {
    const schema = resolved(part, $defs);
    for (const [field, value] of Object.entries(Object(schema.properties))) {
      if (hidden.has(field)) continue;
      if (fields.has(field)) throw new Error(`two parts of the input of ${name} have a field ${field}`);
      fields.set(field, described(operation, field, value));
    }
    required.push(...listOf(schema.required).filter((field) => !hidden.has(String(field))));
  }
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
  return { schema: pruned(schema), names: new Set(fields.keys()) };
};
