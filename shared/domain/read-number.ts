import * as z from 'zod';
import { atDigits } from './digits.ts';

/** Message of a value that must be a number, with a fraction or without. Zod has no code of its own for these. */
export const NOT_A_NUMBER = 'value is not a valid float';
/** Message of a value that must be a whole number. */
export const NOT_AN_INTEGER = 'value is not a valid integer';
/** Message of a whole number that would lose digits. */
export const OUT_OF_RANGE = 'value is out of range';

/** Schema of a stored decimal: canonical text without an exponent. Apart from the library that computes with it. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);

/** Matches a decimal as text, with an exponent or without. Bounds the exponent, and with it the length of the number. */
export const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;

/**
 * Reads a number of a file or an argument as a double; undefined for another text.
 *
 * @example
 * readNumber(' 1.05e-5 '); // 0.0000105
 */
export const readNumber = (text: string): number | undefined => {
  const trimmed = text.trim();
  const number = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? atDigits(number) : undefined;
};
