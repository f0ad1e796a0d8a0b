import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../../shared/api/openapi/document.ts';
import { convertSchemas, type JsonSchema } from '../../shared/api/openapi/schemas.ts';
import { CATALOGUE } from '../../shared/domain/changes/catalogue.ts';
import { comment, keyOf, typeNameOf, typeOf } from './schema-types.ts';

const HEADER = `// Generated from the OpenAPI document by \`npm run client\`. Do not edit.
`;

interface Named {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
  /** Name of the method, such as \`getStrategy\`. */
  readonly name: string;
}

const camelCase = (text: string): string =>
  text.replace(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the name that the operation was declared with: its id without the path and the method. */
const declaredName = (path: string, method: string, operationId: string): string => {
  const suffix = `${path.replace(/\W/g, '_')}_${method}`;
  if (!operationId.endsWith(suffix)) throw new Error(`${operationId} is not the id of ${method} ${path}`);
  return operationId.slice(0, -suffix.length);
};

const operationsOf = ({ paths }: OpenApiDocument): (Named & { readonly declared: string })[] => {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const declared = declaredName(path, method, operation.operationId);
      return { path, method: method.toUpperCase(), operation, declared, name: camelCase(declared) };
    }),
  );
  const names = new Set(all.map(({ name }) => name));
  if (names.size !== all.length) throw new Error('two operations have the same name');
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

type Parameter = Exclude<OpenApiParameter, { readonly $ref: string }>;

const parametersOf = ({ parameters = [] }: OpenApiOperation): Parameter[] =>
  parameters.flatMap((one) => ('$ref' in one || one.in === 'header' ? [] : [one]));

const inputFields = (operation: OpenApiOperation): string[] => {
  const fields = parametersOf(operation).map(({ name, required, schema, description }) => {
    const mark = required ? '' : '?';
    const absent = required ? '' : ' | undefined';
    return `${comment(description, '  ')}  readonly ${keyOf(name)}${mark}: ${typeOf(schema, '  ')}${absent};\n`;
  });
  const [body] = Object.values(operation.requestBody?.content ?? {});
  return body ? [...fields, `  readonly body: ${typeOf(body.schema, '  ')};\n`] : fields;
};

const bodyKind = ({ requestBody }: OpenApiOperation): string | undefined => {
  const [type] = Object.keys(requestBody?.content ?? {});
  if (type === undefined) return undefined;
  return type === 'application/json' ? 'json' : 'form';
};

const answerSchema = ({ responses }: OpenApiOperation): JsonSchema =>
  responses['200']?.content?.['application/json']?.schema ?? {};

const isPaged = (operation: OpenApiOperation): boolean =>
  String(answerSchema(operation).$ref).includes('/Page_') ||
  ['page', 'size'].every((name) => parametersOf(operation).some((one) => one.name === name));

const inputName = ({ name }: Named): string => `${typeNameOf(name)}Input`;
const outputName = ({ name }: Named): string => `${typeNameOf(name)}Output`;

/** Tells whether a call can leave out the input: none of its fields is required. */
const isOptional = (operation: OpenApiOperation): boolean =>
  operation.requestBody === undefined && parametersOf(operation).every(({ required }) => !required);

const methodOf = (one: Named & { readonly declared: string }): string => {
  const { operation, method, path, declared, name } = one;
  const kind = bodyKind(operation);
  const place = operation['x-parameters-in-body'] ? ', parameters: "body"' : '';
  const spec = `{ name: ${JSON.stringify(declared)}, method: ${JSON.stringify(method)}, path: ${JSON.stringify(path)}${kind ? `, body: ${JSON.stringify(kind)}` : ''}${place} }`;
  const text = [operation.summary, operation.description].filter(Boolean).join('. ');
  const input = `input: ${inputName(one)}${isOptional(operation) ? ' = {}' : ''}`;
  const head = `${comment(text, '  ')}  ${name}(${input}, options?: CallOptions)`;
  return isPaged(operation)
    ? `${head}: PageRequest<${outputName(one)}['items'][number], ${outputName(one)}> {\n    return new PageRequest((choice) => this.#transport.send(${spec}, { ...input, ...choice }, options));\n  }\n`
    : `${head}: Promise<${outputName(one)}> {\n    return this.#transport.send(${spec}, input, options);\n  }\n`;
};

/** Writes a method that reads a change feed without an end. */
const feedMethod = (one: Named, name: string, whose: string): string =>
  `  /** Follows the change events of ${whose}, in order, without an end and through outages. Stop with \`break\` or the signal. */
  ${name}(input: Omit<${inputName(one)}, 'wait'>${isOptional(one.operation) ? ' = {}' : ''}, options?: FollowOptions) {
    return followEvents((choice) => this.${one.name}({ ...input, ...choice }, options), input.after, options);
  }
`;

const codesIn = (operations: readonly Named[]): string[] => {
  const codes = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, { description }]) =>
      Number(status) >= 400 ? [...description.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code) : [],
    ),
  );
  return [...new Set(codes)].toSorted();
};

/** Writes the types of the data of change events, which webhooks and feeds carry. */
const changeTypes = (): string => {
  const data = Object.fromEntries(Object.entries(CATALOGUE).map(([type, one]) => [type, one.data]));
  const { schemas } = convertSchemas(data, 'output');
  const fields = Object.entries(schemas).map(
    ([type, schema]) => `  readonly ${keyOf(type)}: ${typeOf(schema, '  ')};\n`,
  );
  return `/** Data of the change events, by type. Brokers get a part of the fields. */
export interface ChangeData {
${fields.join('')}}

/** Type of a change event. The service may add types. */
export type ChangeType = keyof ChangeData;

/** Tells whether an event of a feed or a webhook has a type. */
export const isChange = <T extends ChangeType, E extends { readonly type: string; readonly data: object }>(
  event: E,
  type: T,
): event is E & { readonly type: T; readonly data: ChangeData[T] } => event.type === type;
`;
};

/** Writes the generated part of the client: types, and a class with a method for each operation. */
export const clientSource = (document: OpenApiDocument): string => {
  const operations = operationsOf(document);
  const records = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description, '')}export type ${typeNameOf(name)} = ${typeOf(schema)};\n`,
  );
  const inputs = operations.map(
    (one) => `export interface ${inputName(one)} {\n${inputFields(one.operation).join('')}}\n`,
  );
  const outputs = operations.map(
    (one) => `export type ${outputName(one)} = ${typeOf(answerSchema(one.operation))};\n`,
  );
  const feeds = [
    ['/events', 'followEvents', 'a user'],
    ['/broker/events', 'followBrokerEvents', 'the users of a broker'],
  ].flatMap(([path = '', name = '', whose = '']) => {
    const feed = operations.find((one) => one.path === path && one.method === 'GET');
    return feed ? [feedMethod(feed, name, whose)] : [];
  });
  const imports = [
    ...(feeds.length > 0 ? ["import { type FollowOptions, followEvents } from './events.ts';\n"] : []),
    "import { PageRequest } from './pages.ts';\n",
    "import { type CallOptions, type ClientOptions, Transport } from './transport.ts';\n",
  ];
  return [
    HEADER,
    imports.join(''),
    `/** Codes of the service's errors. It may add codes. */\nexport type ErrorCode =\n${codesIn(operations)
      .map((code) => `  | ${JSON.stringify(code)}`)
      .join('\n')};\n`,
    ...records,
    changeTypes(),
    ...inputs,
    ...outputs,
    `/**
 * Client of the Strategy Hub API. Parameters of an operation are fields of its input, and its body is \`body\`.
 *
 * @example
 * const hub = new HubClient({ baseUrl: 'https://hub.example', token });
 * for await (const strategy of hub.getStrategiesByUser({ user_id })) console.log(strategy.strategy_name);
 */
export class HubClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

${[...operations.map(methodOf), ...feeds].join('\n')}}
`,
  ].join('\n');
};
