import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isRecord, storedForm } from '../../domain/unknown-fields.ts';

/** An item of the table with plain JavaScript values. */
export type Item = Readonly<Record<string, unknown>>;

/** A number cannot be stored, or was stored by something else. No repeat mends it. */
export class StoredNumberError extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = 'StoredNumberError';
  }
}

type Attributes = Record<string, AttributeValue>;

const numberText = (value: number | bigint): string => {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw new StoredNumberError('a stored number must be finite and at most 2^53 - 1');
  }
  return String(value);
};

const setAttribute = (values: ReadonlySet<unknown>): AttributeValue => {
  const members = [...values];
  if (members.every((member) => typeof member === 'number')) return { NS: members.map(numberText) };
  if (members.every((member) => typeof member === 'string')) return { SS: members };
  throw new TypeError('a stored set must hold only numbers or only strings');
};

const toAttribute = (value: unknown): AttributeValue => {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
    case 'bigint':
      return { N: numberText(value) };
    case 'boolean':
      return { BOOL: value };
    default:
  }
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  if (value instanceof Uint8Array) return { B: value };
  if (value instanceof Set) return setAttribute(value);
  if (isRecord(value)) return { M: toAttributes(value) };
  throw new TypeError('a stored value must be a string, number, boolean, null, bytes, set, list or record');
};

/**
 * Converts an item to DynamoDB's form. Omits undefined values; includes the attributes that a newer version stored.
 * Accepts any key of a record, also `constructor`, which the SDK's converter does not.
 */
export const toAttributes = (item: Readonly<Item>): Attributes => {
  const attributes: Attributes = {};
  const form = storedForm(item);
  for (const name of Object.keys(form)) {
    const value = form[name];
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
};

const fromNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new StoredNumberError('a stored number is too large');
  return value;
};

const fromAttribute = (attribute: AttributeValue): unknown => {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return fromNumber(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.M !== undefined) return fromAttributes(attribute.M);
  if (attribute.L !== undefined) return attribute.L.map(fromAttribute);
  if (attribute.B !== undefined) return attribute.B;
  if (attribute.NS !== undefined) return new Set(attribute.NS.map(fromNumber));
  if (attribute.SS !== undefined) return new Set(attribute.SS);
  throw new TypeError('an attribute has a type that this service never writes');
};

/**
 * Converts an item from DynamoDB's form. Sorts the keys: DynamoDB returns those of a map in any order, and
 * two reads must give the same answer.
 */
export const fromAttributes = (attributes: Readonly<Attributes>): Item => {
  const item: Record<string, unknown> = {};
  for (const name of Object.keys(attributes).sort()) {
    const attribute = attributes[name];
    if (attribute !== undefined) item[name] = fromAttribute(attribute);
  }
  return item;
};
