import * as z from 'zod';
import { MAX_EMAIL, readEmail } from '../domain/email.ts';
import { NOT_AN_INTEGER, OUT_OF_RANGE } from '../domain/read-number.ts';
import { readTimeOrDay } from '../domain/read-time.ts';
import { NO_TIME } from '../domain/time-inputs.ts';

/** Cache of schemas by bounds, as many records have the same fields and building a schema is slow. */
const integers = new Map<string, z.ZodNumber>();

/**
 * Declares an integer. `z.int()` does not fit, as the contract accepts integers of any size: an identifier beyond
 * 2^53 is unknown, not malformed.
 */
export const integer = ({ min, max }: { min?: number; max?: number } = {}): z.ZodNumber => {
  const bounds = `${min} to ${max}`;
  let schema = integers.get(bounds);
  if (!schema) {
    schema = z.number({ error: NOT_AN_INTEGER });
    if (min !== undefined) schema = schema.min(min);
    if (max !== undefined) schema = schema.max(max);
    schema = schema.meta({ type: 'integer' });
    integers.set(bounds, schema);
  }
  return schema;
};

/** Declares an e-mail address. Blanks around it are removed, as where an address is looked up. */
export const emailAddress = () =>
  z
    .string()
    .trim()
    .refine((text) => readEmail(text) !== undefined, {
      error: 'value is not a valid email address',
      params: { type: 'value_error.email' },
    })
    .max(MAX_EMAIL)
    .meta({ format: 'email' });

/** Declares an integer that is stored or repeated. It must be a safe integer. */
export const storedInteger = (bounds: { min?: number } = {}) =>
  integer(bounds).refine(Number.isSafeInteger, {
    error: OUT_OF_RANGE,
    params: { type: 'value_error.number' },
  });

const moment = z.iso.datetime();

/** Declares an integer that is one of a few. */
export const integerOf = (values: readonly number[]) =>
  integer()
    .refine((value) => values.includes(value), {
      error: `value is not a valid enumeration member; permitted: ${values.join(', ')}`,
      params: { type: 'type_error.enum' },
    })
    .meta({ enum: [...values] });

/** Declares a timestamp: ISO 8601 in UTC with `Z`. */
export const timestamp = (): z.ZodISODateTime => moment;

const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Matches the plus of an offset in an address that was not encoded: it arrives as a blank. */
const BARE_PLUS = /(?<=T\S*) (?=\d{2}:?\d{2}$)/;

/**
 * Declares a time of a request, or a day for its start in UTC. Its year in UTC has four digits. Parsed to ISO 8601 in
 * UTC.
 */
export const timeOfRequest = () =>
  z.string().transform((text, context) => {
    const at = readTimeOrDay(text.trim().replace(BARE_PLUS, '+'));
    if (at !== undefined && at >= FIRST_MOMENT && at <= LAST_MOMENT) return new Date(at).toISOString();
    context.addIssue(NO_TIME);
    return z.NEVER;
  });

/** Names the component of a record in the OpenAPI document. */
export const record = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ id: name });

/** Names the component of a record that is not in the contract. The OpenAPI document marks it as an extension. */
export const extensionRecord = <S extends z.ZodType>(name: string, schema: S): S =>
  schema.meta({ id: name, 'x-extension': true });

/**
 * Declares a field of an answer that is a record of requests, whose defaults are filled in. The value is not parsed
 * again. The OpenAPI document refers to the component of the record.
 */
export const requestRecord = (name: string) => z.record(z.string(), z.unknown()).meta({ 'x-record': name });

/** Marks a query parameter or field of a contract's operation that the contract does not have. */
export const extra = <S extends z.ZodType>(schema: S): S => schema.meta({ 'x-extension': true });
