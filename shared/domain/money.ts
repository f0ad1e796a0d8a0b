import BigJs, { type Big as BigNumber } from 'big.js';
import * as z from 'zod';

/** The library's constructor with settings of its own, so that nobody else's `DP` or `RM` applies here. */
const Big = BigJs();

/** Stored amounts and quantities have at most this many decimals; what is finer is rounded half to even. */
const SCALE = 18;
Big.DP = SCALE;
Big.RM = BigJs.roundHalfEven;

/** A decimal number in computation. Stored, it is text: see {@link toText}. */
export type Decimal = BigNumber;

const PATTERN = /^-?\d{1,24}(\.\d{1,18})?$/;
const LIMIT = 1e20;

/** A decimal as it is stored: canonical text without an exponent. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);

/**
 * An amount in an event, a JSON number or decimal text, as stored text. Aborts on any other text: checks that
 * compare amounts must not see it.
 */
export const amountInput = z
  .union([z.number(), z.string().regex(PATTERN, { abort: true })])
  .refine((amount) => Math.abs(Number(amount)) < LIMIT, { abort: true, error: 'amount is out of range' })
  .transform((amount) => toText(scaled(decimal(amount))));

/** A rate between two currencies, as stored text. */
export const rateInput = amountInput.refine((rate) => Number(rate) > 0, { error: 'must be positive' });

export const decimal = (amount: string | number): Decimal => new Big(amount);

/** At the scale of stored amounts. Only products and quotients need it: sums keep the scale. */
export const scaled = (amount: Decimal): Decimal => amount.round(SCALE, BigJs.roundHalfEven);

export const toText = (amount: Decimal): string => amount.toFixed();

export const zero = (): Decimal => new Big(0);

/** The sum of two stored amounts. */
export const add = (left: string, right: Decimal | string): string => toText(decimal(left).plus(right));

/** The part of `amount` that falls to `part` of `whole`. What rounding leaves belongs to the rest. */
export const share = (amount: Decimal, part: Decimal, whole: Decimal): Decimal =>
  part.eq(whole) ? amount : amount.times(part).div(whole);

const CRYPTO_DIGITS = 8;
const minorDigits = new Map<string, number>();

/** Decimals of the currency's minor unit; 8 for what is no ISO 4217 currency. */
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

/** An amount on the wire: rounded half to even to the currency's minor unit. */
export function toMoney(amount: string, currency: string): number;
export function toMoney(amount: string | null, currency: string): number | null;
export function toMoney(amount: string | null, currency: string): number | null {
  if (amount === null) return null;
  return decimal(amount).round(minorDigitsOf(currency), BigJs.roundHalfEven).toNumber();
}

/** Decimals of what is no amount on the wire: percentages, ratios, seconds. */
const FIGURE_SCALE = 1e6;

/** A percentage or ratio on the wire. */
export const shownFigure = (value: number): number => {
  const shown = Math.round(value * FIGURE_SCALE) / FIGURE_SCALE;
  return Number.isFinite(shown) ? shown : value;
};

/** Digits of a price that is a quotient; doubles hold few more. */
const PRICE_DIGITS = 12;

/** An average price on the wire. */
export const shownPrice = (price: string): number =>
  Number(decimal(price).toNumber().toPrecision(PRICE_DIGITS));
