import type * as z from 'zod';

/** A stored record has a value that only a newer version knows, and that this one has no safe reading for. */
export class NewerRecordError extends Error {
  constructor(cause: z.ZodError) {
    super('a record was written by a newer version', { cause });
    this.name = 'NewerRecordError';
  }
}

/** Problems of an enum, a literal, or the kind of a record: a damaged record has others. */
const NEWER: ReadonlySet<string> = new Set(['invalid_value', 'invalid_key', 'unrecognized_keys']);

const isNewer = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_union'
    ? issue.errors.every((issues) => issues.some(isNewer))
    : NEWER.has(issue.code);

/** The error of a record that does not fit its schema. */
export const misfit = (error: z.ZodError): Error =>
  error.issues.every(isNewer) ? new NewerRecordError(error) : error;

/** Reads a record for a list: undefined where only a newer version can read it. */
export const unlessNewer = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof NewerRecordError) return undefined;
    throw error;
  }
};
