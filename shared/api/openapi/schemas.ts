import * as z from 'zod';

/** Schema in an OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Direction = 'input' | 'output';

export interface ConvertedSchemas {
  /** Converted schemas with the keys of the input. A named record is a `$ref`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Named records that the schemas refer to, by name. */
  readonly records: Readonly<Record<string, JsonSchema>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes references to those of an OpenAPI document. */
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

/** Checks that a value is a set of schemas by name, such as `properties` or `definitions`, and returns it. */
export const objectsOf = (value: unknown = {}): Record<string, JsonSchema> => {
  if (!isObject(value)) throw new TypeError('a set of schemas is an object');
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => {
      if (!isObject(schema)) throw new TypeError(`the schema ${name} does not convert to an object`);
      return [name, schema];
    }),
  );
};

/** Returns the names of the required properties of a schema. */
export const requiredOf = ({ required }: JsonSchema): readonly unknown[] =>
  Array.isArray(required) ? required : [];

/** Removes keywords that zod adds and the declaration does not have. */
const plain = (schema: z.core.JSONSchema.BaseSchema): void => {
  // The format is enough; the patterns that zod adds for it are unreadable.
  if (schema.format !== undefined) delete schema.pattern;
  // Unknown to OpenAPI 3.0; the format says the same.
  delete schema.contentEncoding;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
};

/** Replaces a schema that stands for a record of requests by a reference to its component. */
const refer = (schema: z.core.JSONSchema.BaseSchema): void => {
  const { 'x-record': name, nullable } = schema;
  if (typeof name !== 'string') return;
  for (const key of Object.keys(schema)) delete schema[key];
  const $ref = `#/definitions/${name}`;
  // OpenAPI 3.0 ignores siblings of a $ref.
  Object.assign(schema, nullable === true ? { allOf: [{ $ref }], nullable } : { $ref });
};

const NULL = { type: 'object', nullable: true, enum: [null] } as const;

/** Completes a schema that may be null: OpenAPI 3.0 reads `nullable` with a type only, and an enum has to list null. */
const completeNullable = (schema: z.core.JSONSchema.BaseSchema): void => {
  if (schema.nullable !== true) return;
  if (schema.enum && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  if (!schema.allOf) return;
  // All of a record that is an object would refuse null.
  schema.anyOf = [...schema.allOf, { ...NULL, enum: [...NULL.enum] }];
  delete schema.allOf;
  delete schema.nullable;
};

/**
 * Converts zod schemas to OpenAPI 3.0 in one pass, so that each named record becomes one component.
 *
 * @throws Error for types that JSON lacks (dates, transforms) and for two records with the same name.
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
      refer(jsonSchema);
      completeNullable(jsonSchema);
      // Answers may gain fields, so clients must not refuse unknown ones.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return { schemas: objectsOf(relocate(properties)), records: objectsOf(relocate(definitions)) };
};
