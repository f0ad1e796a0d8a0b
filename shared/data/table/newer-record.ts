import type * as z from 'zod';

/** A stored record has a value that only a newer version knows, and this version cannot read it safely. */
export class NewerRecordError extends Error {
  constructor(cause: Error) {
    super('a record was written by a newer version', { cause });
    this.name = 'NewerRecordError';
  }
}

/** Issue codes of an unknown enum value, literal or record kind. Issues of a damaged record have other codes. */
const NEWER: ReadonlySet<string> = new Set(['invalid_value', 'invalid_key', 'unrecognized_keys']);

const isNewer = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_union'
    ? issue.errors.every((issues) => issues.some(isNewer))
    : NEWER.has(issue.code);

/** Returns the error for a record that does not match its schema: {@link NewerRecordError} or the Zod error. */
export const misfit = (error: z.ZodError): Error =>
  error.issues.every(isNewer) ? new NewerRecordError(error) : error;

/** Reads a record for a list; undefined if only a newer version can read it. */
export const unlessNewer = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof NewerRecordError) return undefined;
    throw error;
  }
};
