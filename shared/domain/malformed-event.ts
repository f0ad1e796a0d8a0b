import type * as z from 'zod';
import { problemsOf } from './issue-texts.ts';

/** Reports a permanently invalid event, which goes to the dead letters with this reason. */
export class MalformedEventError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MalformedEventError';
  }
}

/** Returns the error for an event that does not fit its schema, with every problem and none of the values. */
export const malformed = (error: z.ZodError, raw: unknown): MalformedEventError =>
  new MalformedEventError(problemsOf(error, raw).join('; '));
