import { typedDecimal } from '../typed-decimal.ts';
import type { Json } from './json.ts';

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Reads a number as people type it, with a point or a comma. Other texts stay, and the check tells them. */
export const numberIn = (text: string): Json => {
  const pointed = typedDecimal(text) ?? '';
  const number = Number(pointed);
  return NUMBER.test(pointed) && Number.isFinite(number) ? number : text;
};

/** Writes a number so that it can be typed further. */
export const numberText = (value: number): string => String(value);
