import * as z from 'zod';

/** Matches controls, unpaired surrogates, private characters and marks that change the direction of text. */
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Co}|[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

const tooLong = (max: number) => ({
  error: `ensure this value has at most ${max} characters`,
  params: { type: 'value_error.any_str.max_length', limit_value: max },
});

/**
 * Schema of a text for people: NFC, trimmed, without control characters. Bounds are counted in code points, as a
 * person would count.
 */
export const readableText = ({ min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    // Bounds the time to count a longer text, which cannot have few enough code points, nor be read by a person.
    .refine((text) => text.length <= max * 4, { ...tooLong(max), abort: true })
    .refine((text) => !CONTROL.test(text), {
      abort: true,
      error: 'control characters are not allowed',
      params: { type: 'value_error.control_characters' },
    })
    .refine((text) => min === 0 || VISIBLE.test(text.replace(INVISIBLE, '')), {
      abort: true,
      error: `ensure this value has at least ${min} characters`,
      params: { type: 'value_error.any_str.min_length', limit_value: min },
    })
    .refine((text) => [...text.normalize('NFC').trim()].length >= min, {
      error: `ensure this value has at least ${min} characters`,
      params: { type: 'value_error.any_str.min_length', limit_value: min },
    })
    .refine((text) => [...text.normalize('NFC').trim()].length <= max, tooLong(max))
    .meta({ maxLength: max });

/** Returns the stored form of a readable text. */
export const tidy = (text: string): string => text.normalize('NFC').trim();

const CONTROLS = new RegExp(`(?:${CONTROL.source}|\\s)+`, 'gu');

/**
 * Returns a sentence as people read it: one line, cut to a number of code points. Empty if nothing is visible.
 *
 * @example
 * sentenceOf('Rejected:\n<html>…', 1000); // 'Rejected: <html>…'
 */
const sentenceOf = (text: string, max: number): string => {
  // Bounds the time; the rest is cut anyway, unless it is blanks.
  const line = text
    .slice(0, max * 8)
    .replace(CONTROLS, ' ')
    .normalize('NFC')
    .trim();
  if (!VISIBLE.test(line.replace(INVISIBLE, ''))) return '';
  const points = [...line];
  return points.length <= max ? line : `${points.slice(0, max - 1).join('')}…`;
};

/**
 * Schema of a sentence that comes with a fact. It is shown and decides nothing, so every value is taken: null for an
 * empty one.
 */
export const sentenceInput = (max: number) =>
  z
    .unknown()
    .meta({ type: 'string' })
    .transform((value): string | null => {
      if (value === undefined || value === null) return null;
      return sentenceOf(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), max) || null;
    });
