import * as z from 'zod';

/** A schema of the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Direction = 'input' | 'output';

export interface ConvertedSchemas {
  /** By the key under which each schema was given; a named record is a `$ref`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The named records that they hold, by name. */
  readonly records: Readonly<Record<string, JsonSchema>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Points references at the components of an OpenAPI document. */
const relocate = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relocate);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/definitions/', '#/components/schemas/')]
        : [key, relocate(inner)],
    ),
  );
};

/** A set of schemas by name, as `properties` and `definitions` hold them. */
export const objectsOf = (value: unknown = {}): Record<string, JsonSchema> => {
  if (!isObject(value)) throw new TypeError('a set of schemas is an object');
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => {
      if (!isObject(schema)) throw new TypeError(`the schema ${name} does not convert to an object`);
      return [name, schema];
    }),
  );
};

/** The names of the properties that a schema requires. */
export const requiredOf = ({ required }: JsonSchema): readonly unknown[] =>
  Array.isArray(required) ? required : [];

/** Leaves out what zod adds of its own accord and the declaration does not say. */
const plain = (schema: z.core.JSONSchema.BaseSchema): void => {
  // A format says it; zod's own patterns for formats are unreadable.
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/**
 * Converts schemas to those of OpenAPI 3.0, together, so that a named record becomes one component.
 * Throws for what JSON cannot carry (dates, transforms) and for two records of one name.
 */
export const convertSchemas = (
  schemas: Readonly<Record<string, z.ZodType>>,
  io: Direction,
): ConvertedSchemas => {
  const { properties, definitions } = z.toJSONSchema(z.object(schemas), {
    target: 'openapi-3.0',
    io,
    override: ({ jsonSchema }) => {
      plain(jsonSchema);
      // An answer may gain fields: a client must not be told to refuse them.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return { schemas: objectsOf(relocate(properties)), records: objectsOf(relocate(definitions)) };
};
