import BigJs, { type Big as BigNumber } from 'big.js';
import * as z from 'zod';
import { atDigits, DOUBLE_DIGITS } from './digits.ts';
import { DECIMAL } from './read-number.ts';

/** An own copy of the library's constructor, so that `DP` and `RM` set elsewhere do not apply here. */
const Big = BigJs();

/** Decimals of stored amounts and quantities; finer values are rounded half to even. */
export const SCALE = 18;
Big.DP = SCALE;
Big.RM = BigJs.roundHalfEven;

/** A decimal number for computing. It is stored as text: see {@link toText}. */
export type Decimal = BigNumber;

/** Text that {@link toText} would return unchanged, within the scale. */
const CANONICAL = /^(0|-?(?:[1-9]\d*(?:\.\d{0,17}[1-9])?|0\.\d{0,17}[1-9]))$/;
const LIMIT = 1e20;
/** Characters of the longest decimal of a double, which some languages write in full. */
const MAX_TEXT = 1100;

export { decimalText } from './read-number.ts';

/** Returns the decimal that an amount means, unrounded. */
const given = (amount: number | string): Decimal =>
  decimal(typeof amount === 'number' ? atDigits(amount) : amount.replace('+', ''));

/**
 * Schema of an amount that enters: a JSON number, at the digits that a double holds, or decimal text, with an exponent
 * or without. Parsed to stored text, rounded half to even to its scale. Aborts on other text, so that later checks can
 * compare amounts.
 */
export const amountInput = z
  .union([z.number(), z.string().trim().max(MAX_TEXT, { abort: true }).regex(DECIMAL, { abort: true })])
  .transform((amount, context) => {
    if (Math.abs(Number(amount)) >= LIMIT) {
      context.addIssue('amount is out of range');
      return z.NEVER;
    }
    // Most amounts arrive in canonical form; checking it is cheaper than computing it.
    return typeof amount === 'string' && CANONICAL.test(amount) ? amount : toText(scaled(given(amount)));
  });

/** Returns whether {@link amountInput} rounds an amount to the scale of stored amounts. */
export const isRounded = (amount: unknown): boolean => {
  if (typeof amount !== 'number' && typeof amount !== 'string') return false;
  // Most amounts cannot have so many decimals; checking it is cheaper than computing.
  if (typeof amount === 'string' && amount.length <= SCALE && !/e/i.test(amount)) return false;
  if (typeof amount === 'number' && (amount === 0 || Math.abs(amount) >= 10 ** (DOUBLE_DIGITS - SCALE))) {
    return false;
  }
  const stored = amountInput.safeParse(amount).data;
  return stored !== undefined && !given(typeof amount === 'string' ? amount.trim() : amount).eq(stored);
};

/** Schema of an exchange rate in an event, parsed to stored text. */
export const rateInput = amountInput.refine((rate) => Number(rate) > 0, { error: 'must be positive' });

/** Parses a stored amount for computing. */
export const decimal = (amount: string | number): Decimal => new Big(amount);

/** Rounds to the scale of stored amounts. Needed for products and quotients only; sums keep the scale. */
export const scaled = (amount: Decimal): Decimal => amount.round(SCALE, BigJs.roundHalfEven);

/** Returns the stored text of a decimal. */
export const toText = (amount: Decimal): string => amount.toFixed();

/**
 * Returns the stored text of a computed double, at 15 significant digits: without the noise of its last digits.
 *
 * @example
 * fromDouble(0.1 + 0.2); // 0.3
 */
export const fromDouble = (value: number): string =>
  toText(scaled(decimal(value.toPrecision(DOUBLE_DIGITS))));

/** Returns a stored amount as people read it, at 15 significant digits. */
export const shownAmount = (amount: string): string => toText(decimal(amount).prec(DOUBLE_DIGITS));

/** Returns whether a stored amount is below zero, without computing. */
export const isNegativeText = (amount: string): boolean => amount.startsWith('-');

/** Returns zero. */
export const zero = (): Decimal => new Big(0);

/** Adds two stored amounts. */
export const add = (left: string, right: Decimal | string): string => toText(decimal(left).plus(right));

/** Returns the part of `amount` proportional to `part` of `whole`. The caller's remainder absorbs rounding. */
export const share = (amount: Decimal, part: Decimal, whole: Decimal): Decimal =>
  part.eq(whole) ? amount : amount.times(part).div(whole);

const CRYPTO_DIGITS = 8;
const minorDigits = new Map<string, number>();

/** Returns the decimals of a currency's minor unit; 8 for other than ISO 4217 currencies. */
export const minorDigitsOf = (currency: string): number => {
  const known = minorDigits.get(currency);
  if (known !== undefined) return known;
  const digits = Intl.supportedValuesOf('currency').includes(currency)
    ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2)
    : CRYPTO_DIGITS;
  minorDigits.set(currency, digits);
  return digits;
};

/** Converts an amount for the wire: rounds half to even to the currency's minor unit. */
export function toMoney(amount: string, currency: string): number;
export function toMoney(amount: string | null, currency: string): number | null;
export function toMoney(amount: string | null, currency: string): number | null {
  if (amount === null) return null;
  return decimal(amount).round(minorDigitsOf(currency), BigJs.roundHalfEven).toNumber();
}

/** Rounds wire figures other than amounts (percentages, ratios, seconds) to 6 decimals. */
const FIGURE_SCALE = 1e6;

/** Rounds a percentage or ratio for the wire. */
export const shownFigure = (value: number): number => {
  const shown = Math.round(value * FIGURE_SCALE) / FIGURE_SCALE;
  return Number.isFinite(shown) ? shown : value;
};

/** Significant digits of an average price; a double holds few more. */
const PRICE_DIGITS = 12;

/** Rounds an average price for the wire. */
export const shownPrice = (price: string): number =>
  Number(decimal(price).toNumber().toPrecision(PRICE_DIGITS));

/** Converts an amount from the quote currency to the deployment's. */
export const converted = (amount: Decimal, rate: string | undefined): Decimal =>
  rate === undefined ? amount : scaled(amount.times(rate));
