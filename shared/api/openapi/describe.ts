import type { Content, OpenApiDocument, OpenApiOperation, OpenApiParameter } from './document.ts';
import { type JsonSchema, objectsOf } from './schemas.ts';

type Texts = Readonly<Record<string, string>>;

/** Descriptions to add to a document. */
export interface Descriptions {
  /** By tag. */
  readonly groups: Texts;
  /** By component name. */
  readonly records: Texts;
  /** Parameters and properties, by name. */
  readonly fields: Texts;
  /** Parameters and properties with another meaning, by `place.name`; see {@link describeDocument}. */
  readonly exceptions: Texts;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tells whether a record needs no description. This holds for pages and forms. */
const isPlain = (record: string): boolean => /^(?:Page_|Body_)/.test(record);

/** Looks up descriptions and records the missing and the used ones. */
class Lookup {
  readonly missing = new Set<string>();
  readonly used = new Set<string>();
  readonly #descriptions: Descriptions;

  constructor(descriptions: Descriptions) {
    this.#descriptions = descriptions;
  }

  #find(kind: keyof Descriptions, key: string): string | undefined {
    const text = this.#descriptions[kind][key];
    if (text !== undefined) this.used.add(`${kind}: ${key}`);
    return text;
  }

  text(kind: 'groups' | 'records', key: string): string {
    const text = this.#find(kind, key);
    if (text === undefined) this.missing.add(`${kind}: ${key}`);
    return text ?? '';
  }

  /** @param places from the innermost to the outermost. */
  field(places: readonly string[], name: string): string {
    for (const place of places) {
      const text = this.#find('exceptions', `${place}.${name}`);
      if (text !== undefined) return text;
    }
    const text = this.#find('fields', name);
    if (text === undefined) this.missing.add(`fields: ${name} of ${places.join(' in ')}`);
    return text ?? '';
  }

  unused(): string[] {
    return Object.entries(this.#descriptions).flatMap(([kind, texts]) =>
      Object.keys(texts)
        .map((key) => `${kind}: ${key}`)
        .filter((key) => !this.used.has(key)),
    );
  }
}

const describeSchema = (lookup: Lookup, schema: JsonSchema, places: readonly string[]): JsonSchema => {
  const inner = (value: unknown, within: readonly string[]): unknown =>
    Array.isArray(value)
      ? value.map((each: unknown) => inner(each, within))
      : isSchema(value)
        ? describeSchema(lookup, value, within)
        : value;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties') {
        const properties = Object.entries(objectsOf(value)).map(([name, property]) => {
          // OpenAPI 3.0 ignores siblings of a $ref, so the record itself is described.
          if ('$ref' in property) return [name, property];
          const described = describeSchema(lookup, property, [name, ...places]);
          return [name, { ...described, description: lookup.field(places, name) }];
        });
        return [key, Object.fromEntries(properties)];
      }
      const holdsSchemas = ['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'].includes(key);
      return [key, holdsSchemas ? inner(value, places) : value];
    }),
  );
};

const describeContent = (lookup: Lookup, content: Content, places: readonly string[]): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...rest }]) => [
      type,
      { schema: describeSchema(lookup, schema, places), ...rest },
    ]),
  );

const describeOperation = (lookup: Lookup, path: string, operation: OpenApiOperation): OpenApiOperation => {
  const { parameters, requestBody, responses } = operation;
  const describeParameter = (parameter: OpenApiParameter): OpenApiParameter =>
    '$ref' in parameter ? parameter : { ...parameter, description: lookup.field([path], parameter.name) };
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map(describeParameter) }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: describeContent(lookup, requestBody.content, [path]) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        {
          ...response,
          ...(response.content && { content: describeContent(lookup, response.content, [path]) }),
        },
      ]),
    ),
  };
};

/** Maps the record of each form to the path of its operation. */
const formPaths = (paths: OpenApiDocument['paths']): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ operationId }): [string, string] => [`Body_${operationId}`, path]),
    ),
  );

/**
 * Adds the descriptions of tags, records, parameters and properties to a document.
 *
 * A field is described by its name, unless `exceptions` has its place: the property that holds the object, the record,
 * or the path of the operation, in this order.
 *
 * @throws Error naming every field without a description and every description without a field.
 *
 * @example
 * describeDocument(document, {
 *   groups: { strategies: 'Strategies of a user.' },
 *   records: { StrategyOut: 'Strategy, as its owner sees it.' },
 *   fields: { status: 'Status of the deployment.' },
 *   exceptions: { 'StrategyOut.status': 'Status of the strategy.' },
 * });
 */
export const describeDocument = (document: OpenApiDocument, descriptions: Descriptions): OpenApiDocument => {
  const lookup = new Lookup(descriptions);
  const forms = formPaths(document.paths);
  const described: OpenApiDocument = {
    ...document,
    tags: document.tags.map(({ name }) => ({ name, description: lookup.text('groups', name) })),
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            describeOperation(lookup, path, operation),
          ]),
        ),
      ]),
    ),
    components: {
      ...document.components,
      schemas: Object.fromEntries(
        Object.entries(document.components.schemas).map(([name, schema]) => [
          name,
          {
            ...describeSchema(lookup, schema, [forms.get(name) ?? name]),
            ...(!isPlain(name) && { description: lookup.text('records', name) }),
          },
        ]),
      ),
    },
  };
  const problems = [
    ...[...lookup.missing].map((key) => `not described: ${key}`),
    ...lookup.unused().map((key) => `describes nothing: ${key}`),
  ];
  if (problems.length > 0) throw new Error(`descriptions of the OpenAPI document:\n${problems.join('\n')}`);
  return described;
};
