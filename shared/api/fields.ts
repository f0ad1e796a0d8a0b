import * as z from 'zod';

/** By their bounds: a schema takes its time to make, and records have the same fields again and again. */
const integers = new Map<string, z.ZodNumber>();

/**
 * An integer parameter. Not `z.int()`: the contract accepts integers of any size, so an identifier
 * beyond 2^53 is one that does not exist, not malformed input.
 */
export const integer = ({ min, max }: { min?: number; max?: number } = {}): z.ZodNumber => {
  const bounds = `${min} to ${max}`;
  let schema = integers.get(bounds);
  if (!schema) {
    schema = z.number();
    if (min !== undefined) schema = schema.min(min);
    if (max !== undefined) schema = schema.max(max);
    schema = schema.meta({ type: 'integer' });
    integers.set(bounds, schema);
  }
  return schema;
};

/** An integer that is stored: of a size that numbers hold exactly. */
export const storedInteger = () =>
  integer().refine(Number.isSafeInteger, {
    error: 'value is out of range',
    params: { type: 'value_error.number' },
  });

const moment = z.iso.datetime();

/** A moment on the wire: ISO-8601 in UTC with `Z`. */
export const timestamp = (): z.ZodISODateTime => moment;

/** Gives a record the name under which the OpenAPI document lists it. */
export const record = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ id: name });

/** Names a record that the contract does not know; the OpenAPI document marks it. */
export const extensionRecord = <S extends z.ZodType>(name: string, schema: S): S =>
  schema.meta({ id: name, 'x-extension': true });
