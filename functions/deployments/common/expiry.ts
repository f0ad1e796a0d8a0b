import * as z from 'zod';
import { ValidationError } from '../../../shared/api/errors.ts';

const moment = z.iso.datetime({ offset: true });

/** Reads an ISO-8601 time in the future; undefined without one. @throws ValidationError */
export const futureTime = (text: string | undefined, now: Date): string | undefined => {
  if (text === undefined) return undefined;
  const refuse = (msg: string, type: string): never => {
    throw new ValidationError([{ loc: ['body', 'expires_at'], msg, type }]);
  };
  const parsed = moment.safeParse(text.trim());
  const at = new Date(
    parsed.success ? parsed.data : refuse('invalid datetime format', 'value_error.datetime'),
  );
  if (at <= now) refuse('ensure this value lies in the future', 'value_error.datetime');
  return at.toISOString();
};
