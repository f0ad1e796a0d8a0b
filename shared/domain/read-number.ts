import { atDigits } from './digits.ts';

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
