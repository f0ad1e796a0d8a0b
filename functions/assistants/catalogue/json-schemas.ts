import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Record of rules, which several tools take. */
const RULES = 'Rules';

const RULES_REFERENCE = {
  type: 'object',
  description:
    'Rules, with the fields that the tool set_strategy_rules describes; also the resource hub://schemas/rules.',
} as const;

/**
 * Converts a schema to JSON Schema 2020-12, the dialect of tools.
 *
 * @throws Error for types that JSON lacks.
 */
export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => {
      // The format is enough; the patterns that zod adds for it are unreadable.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.id;
      delete jsonSchema['x-extension'];
      // Answers may gain fields, so clients must not refuse unknown ones.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return converted;
};

/** Returns the names of the definitions that a schema refers to. */
const namesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.replace('#/$defs/', '')] : namesIn(inner),
  );
};

/** Leaves out definitions that nothing refers to. */
export const pruned = ({ $defs, ...schema }: JsonSchema): JsonSchema => {
  const all = isObject($defs) ? $defs : {};
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const name of namesIn(value)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit(schema);
  const kept = Object.entries(all).filter(([name]) => used.has(name));
  return kept.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(kept) };
};

/** Replaces the rules in a schema by a reference to the tool that shows their schema. */
export const withoutRules = (schema: JsonSchema): JsonSchema => {
  const { $defs } = schema;
  if (!isObject($defs) || !(RULES in $defs)) return schema;
  return pruned({ ...schema, $defs: { ...$defs, [RULES]: RULES_REFERENCE } });
};

/** Returns the schema that a reference to a definition names, or the schema itself. */
export const resolved = (schema: unknown, $defs: unknown): JsonSchema => {
  if (!isObject(schema)) throw new TypeError('a schema is an object');
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return resolved(isObject($defs) ? $defs[$ref.replace('#/$defs/', '')] : undefined, $defs);
};
