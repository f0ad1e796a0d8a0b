import * as z from 'zod';
import type { Bar } from '../../domain/candles/bars.ts';
import { RequestRefusedError } from './market-data.ts';

/** Returns the path of the first fault, without the value. */
const faultAt = (error: z.ZodError): string => {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'the answer'}: ${issue.code}` : 'the answer';
};

/** Parses an answer. @throws RequestRefusedError with the path of the first fault. */
export const readAnswer = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const read = schema.safeParse(body);
  if (!read.success) throw new RequestRefusedError(`the answer has another form (${faultAt(read.error)})`);
  return read.data;
};

/** Parses the bars of one symbol; a text with the reason if one has another form. */
export const readBars = (schema: z.ZodType<Bar>, given: unknown): Bar[] | string => {
  const read = z.array(schema).safeParse(given);
  return read.success ? read.data : `a bar has another form (${faultAt(read.error)})`;
};
