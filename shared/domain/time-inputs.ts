import * as z from 'zod';
import { readTime } from './read-time.ts';

/** Issue of a text that is no time. */
export const NO_TIME = {
  code: 'custom',
  message: 'invalid datetime format',
  params: { type: 'value_error.datetime' },
} as const;

/** Schema of a time that enters, with a time zone. Parsed to epoch milliseconds. */
export const momentInput = z.string().transform((text, context) => {
  const at = readTime(text);
  if (at !== undefined) return at;
  context.addIssue(NO_TIME);
  return z.NEVER;
});

/** Schema of a time that enters, with a time zone. Parsed to ISO 8601 in UTC. */
export const timeInput = momentInput.transform((at) => new Date(at).toISOString());
