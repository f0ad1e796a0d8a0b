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
