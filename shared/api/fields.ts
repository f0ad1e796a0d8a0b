import * as z from 'zod';

/**
 * An integer parameter. Not `z.int()`: the contract accepts integers of any size, so an identifier
 * beyond 2^53 is one that does not exist, not malformed input.
 */
export const integer = ({ min, max }: { min?: number; max?: number } = {}): z.ZodNumber => {
  let schema = z.number();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return schema.meta({ type: 'integer' });
};

/** An integer that is stored: of a size that numbers hold exactly. */
export const storedInteger = () =>
  integer().refine(Number.isSafeInteger, {
    error: 'value is out of range',
    params: { type: 'value_error.number' },
  });

/** A moment on the wire: ISO-8601 in UTC with `Z`. */
export const timestamp = (): z.ZodISODateTime => z.iso.datetime();

/** Gives a record the name under which the OpenAPI document lists it. */
export const record = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ id: name });

/** Names a record that the contract does not know; the OpenAPI document marks it. */
export const extensionRecord = <S extends z.ZodType>(name: string, schema: S): S =>
  schema.meta({ id: name, 'x-extension': true });
