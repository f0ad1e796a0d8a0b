import * as z from 'zod';
import { takenNumbers } from '../../domain/digits.ts';
import { problemsOf } from '../../domain/issue-texts.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import { roundingNote } from '../../domain/rounding-note.ts';
import { isRecord } from '../../domain/unknown-fields.ts';
import { REPORT_TYPES, type Report, reportSchema } from './report.ts';

/** Reports an event that only a newer version of the service understands. */
export class NewerEventError extends Error {
  constructor() {
    super('the event is of a type or version that this version does not know');
    this.name = 'NewerEventError';
  }
}

const envelope = z.object({ 'detail-type': z.string(), detail: z.object({ version: z.int() }) });

const known = z.object({
  'detail-type': z.enum(REPORT_TYPES),
  detail: z.object({ version: z.literal(1) }),
});

const isNewer = (raw: unknown): boolean => {
  const { data } = envelope.safeParse(raw);
  if (!data) return false;
  return data.detail.version > 1 || !REPORT_TYPES.some((type) => type === data['detail-type']);
};

/** Adds to the message of an order which of its amounts were rounded. */
const withRoundingNote = (report: Report, raw: unknown): Report => {
  if (report.type !== 'Order Updated' || !isRecord(raw)) return report;
  const note = roundingNote(raw);
  if (note === undefined) return report;
  const { status_message: message } = report.detail;
  return { ...report, detail: { ...report.detail, status_message: message ? `${message} ${note}` : note } };
};

/**
 * Reads the report of an event of the bus. Other fields of its envelope are ignored.
 *
 * @throws NewerEventError
 * @throws MalformedEventError with every problem, none of the values
 */
export const parseEvent = (raw: unknown): Report => {
  const { 'detail-type': type, source, detail }: Record<string, unknown> = isRecord(raw) ? raw : {};
  const given = { type, source, detail: takenNumbers(detail) };
  const event = known.safeParse(raw);
  const report = reportSchema.safeParse(given);
  if (event.success && report.success) return withRoundingNote(report.data, detail);
  if (isNewer(raw)) throw new NewerEventError();
  const problems = [
    ...(event.error ? problemsOf(event.error, raw) : []),
    ...(event.error?.issues.some(({ path }) => path[0] === 'detail-type') || !report.error
      ? []
      : problemsOf(report.error, given)),
  ];
  throw new MalformedEventError([...new Set(problems)].join('; '));
};
