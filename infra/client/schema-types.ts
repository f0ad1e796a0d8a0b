import type { JsonSchema } from '../../shared/api/openapi/schemas.ts';

const REF = '#/components/schemas/';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Returns the name of the type of a component, such as `PageStrategyOut` for `Page_StrategyOut`. */
export const typeNameOf = (component: string): string =>
  component
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** Writes a description as a comment. */
export const comment = (text: unknown, indent: string): string =>
  typeof text === 'string' && text !== '' ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';

/** Writes the name of a property. */
export const keyOf = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

const objectOf = (schema: JsonSchema, indent: string): string => {
  const { properties, additionalProperties, required } = schema;
  const inner = `${indent}  `;
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(isSchema(properties) ? properties : {}).map(([name, property]) => {
    const described = isSchema(property) ? property : {};
    const mark = names.includes(name) ? '' : '?';
    // With exactOptionalPropertyTypes, callers can pass undefined for what they leave out.
    const absent = mark === '' ? '' : ' | undefined';
    return `${comment(described.description, inner)}${inner}readonly ${keyOf(name)}${mark}: ${typeOf(described, inner)}${absent};\n`;
  });
  const rest = isSchema(additionalProperties) ? typeOf(additionalProperties, inner) : 'unknown';
  const isOpen = additionalProperties === true || isSchema(additionalProperties);
  if (fields.length === 0) return `Readonly<Record<string, ${rest}>>`;
  const open = isOpen ? `${inner}readonly [name: string]: unknown;\n` : '';
  return `{\n${fields.join('')}${open}${indent}}`;
};

const unionOf = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? String(distinct[0]) : `(${distinct.join(' | ')})`;
};

const plainTypeOf = (schema: JsonSchema, indent: string): string => {
  const { $ref, type, items, enum: values, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === 'string') return typeNameOf($ref.slice(REF.length));
  const union = [...schemasIn(anyOf), ...schemasIn(oneOf)];
  if (union.length > 0) return unionOf(union.map((one) => typeOf(one, indent)));
  const parts = schemasIn(allOf);
  if (parts.length > 0) return parts.map((one) => typeOf(one, indent)).join(' & ');
  if (Array.isArray(values)) return unionOf(values.map((value) => JSON.stringify(value)));
  if (type === 'string') return 'string';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return `readonly ${wrap(typeOf(isSchema(items) ? items : {}, indent))}[]`;
  if (type === 'object') return objectOf(schema, indent);
  return 'unknown';
};

/** Encloses an operand of `[]`. */
const wrap = (type: string): string =>
  /^[\w$<>, ]+$|^\(|^\{/.test(type) && !type.startsWith('readonly ') ? type : `(${type})`;

/** Writes the TypeScript type of a schema. */
export const typeOf = (schema: JsonSchema, indent = ''): string => {
  const type = plainTypeOf(schema, indent);
  return schema.nullable === true && type !== 'unknown' && !type.includes('| null)')
    ? unionOf([type, 'null'])
    : type;
};
