import * as z from 'zod';

const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}/u;

/**
 * A text that people read: NFC, trimmed, without control characters, between bounds counted in code
 * points as a person would.
 */
export const readableText = ({ min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .max(max * 4, { abort: true })
    .refine((text) => !CONTROL.test(text), {
      abort: true,
      error: 'control characters are not allowed',
      params: { type: 'value_error.control_characters' },
    })
    .refine((text) => [...text.normalize('NFC').trim()].length >= min, {
      error: `ensure this value has at least ${min} characters`,
      params: { type: 'value_error.any_str.min_length' },
    })
    .refine((text) => [...text.normalize('NFC').trim()].length <= max, {
      error: `ensure this value has at most ${max} characters`,
      params: { type: 'value_error.any_str.max_length' },
    });

/** The form in which a readable text is stored. */
export const tidy = (text: string): string => text.normalize('NFC').trim();
