import { typedDecimal } from '../typed-decimal.ts';
import type { Json } from './json.ts';

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Reads a number as people type it, with a point or a comma. Other texts stay, and the check tells them.
 *
 * @param locale that of the user by default.
 */
export const numberIn = (text: string, locale?: string): Json => {
  const pointed = typedDecimal(text, locale) ?? '';
  const number = Number(pointed);
  return NUMBER.test(pointed) && Number.isFinite(number) ? number : text;
};

const DIGITS = 12;

/**
 * Returns a number after steps up or down: by 1 for whole numbers, else by a unit of its second digit, so that 0.02 steps
 * by 0.001 and 5 by 0.1.
 */
export const steppedNumber = (value: number, steps: number, isWhole: boolean): number => {
  const unit = isWhole ? 1 : 10 ** (Math.floor(Math.log10(Math.max(Math.abs(value), 0.01))) - 1);
  const step = isWhole || Math.abs(value) >= 10 ? Math.max(1, unit) : unit;
  return Number((value + steps * step).toPrecision(DIGITS));
};
