import type * as z from 'zod';

type JsonKind = 'integer' | 'number' | 'boolean' | 'string' | 'other';

const INTEGER = /^(?:(?!\ufeff)\s|\x85)*([+-]?\p{Nd}+(?:_\p{Nd}+)*)(?:(?!\ufeff)\s|\x85)*$/u;
const MAX_DIGITS = 4300;
/** Refuse a longer text before its digits are read, to bound the time. */
const MAX_TEXT = 4 * MAX_DIGITS;
const DIGIT = /\p{Nd}/gu;
const TRUE = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const FALSE = new Set(['0', 'false', 'f', 'no', 'n', 'off']);

/** Decimal digits in Unicode come in runs of ten that start at zero; some runs are adjacent. */
const digitValue = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  if (code < 128) return char;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return String((code - start) % 10);
};

/**
 * Reads an integer by the rules of Python's `int`, which the contract's stack uses. Allows surrounding whitespace,
 * a sign, leading zeros, underscores between digits and decimal digits of any script. Refuses a point, an exponent
 * and more than 4300 digits. A number beyond the range of doubles becomes the greatest double.
 */
export const parseInteger = (text: string): number | undefined => {
  if (text.length > MAX_TEXT) return undefined;
  const literal = INTEGER.exec(text)?.[1]?.replaceAll('_', '').replace(DIGIT, digitValue);
  if (literal === undefined || literal.replace(/^[+-]/, '').length > MAX_DIGITS) return undefined;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(literal)));
};

const parseBoolean = (text: string): boolean | undefined => {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : undefined;
};

/** Returns the JSON kind inside optional, nullable and default wrappers. */
const kindOf = (schema: z.core.$ZodType): JsonKind => {
  const def: z.core.$ZodTypeDef & { innerType?: z.core.$ZodType } = schema._zod.def;
  if (def.innerType) return kindOf(def.innerType);
  if (def.type === 'string' || def.type === 'boolean') return def.type;
  if (def.type === 'number') return 'number';
  return 'other';
};

/**
 * Converts the strings of a query or a form to the JSON types that the schema declares. A text that cannot be
 * converted is left unchanged, so that the schema reports it.
 */
export const coerceStrings = (
  schema: z.ZodObject,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const text = values[name];
    if (text === undefined) continue;
    const kind = kindOf(field);
    if (kind === 'number') result[name] = parseInteger(text) ?? text;
    else if (kind === 'boolean') result[name] = parseBoolean(text) ?? text;
    else result[name] = text;
  }
  return result;
};
