import * as z from 'zod';
import { type Decimal, decimal, scaled, toText } from '../money.ts';

/** Schema of a split of a series: bars that start before `at` have old units, `units` new ones for each `of`. */
export const splitSchema = z.object({ at: z.number(), units: z.int().min(1), of: z.int().min(1) });

/** Ratio of a split: `units` new units for each `of` old ones, in lowest terms. 4:1 makes four of one. */
export interface Ratio {
  readonly units: number;
  readonly of: number;
}

/** Most units of either side of a ratio. */
const MOST_UNITS = 10_000;

const PATTERN = /^(\d{1,5}):(\d{1,5})$/;

const divisorOf = (left: number, right: number): number => {
  let [a, b] = [left, right];
  while (b > 0) [a, b] = [b, a % b];
  return a;
};

/** Reads a ratio such as 4:1; undefined for other text, for more than 10,000 units, and for 1:1. */
export const parseRatio = (text: string): Ratio | undefined => {
  const [, left, right] = PATTERN.exec(text) ?? [];
  const [units, of] = [Number(left), Number(right)];
  if (!(units > 0 && of > 0 && units <= MOST_UNITS && of <= MOST_UNITS) || units === of) return undefined;
  const divisor = divisorOf(units, of);
  return { units: units / divisor, of: of / divisor };
};

/** Writes a ratio, as {@link parseRatio} reads it. */
export const ratioText = ({ units, of }: Ratio): string => `${units}:${of}`;

/** Returns a quantity in new units. Exact unless the quotient has more than 18 decimals. */
export const splitQuantity = (quantity: Decimal, { units, of }: Ratio): Decimal =>
  of === 1 ? quantity.times(units) : scaled(quantity.times(units).div(of));

/** Returns the text of a quantity in new units. */
export const splitQuantityText = (quantity: string, ratio: Ratio): string =>
  toText(splitQuantity(decimal(quantity), ratio));

/**
 * Returns the text of a price in new units, at 36 decimals: twice those of amounts, so that the value of a position at
 * the price is the same before and after a split.
 */
export const splitPriceText = (price: string, { units, of }: Ratio): string =>
  toText(decimal(price).times(of).times('1e18').div(units).times('1e-18'));

/** Returns a price of a candle, or of an account of the engine, in new units. NaN stays NaN. */
export const splitPrice = (price: number, { units, of }: Ratio): number => (price * of) / units;
