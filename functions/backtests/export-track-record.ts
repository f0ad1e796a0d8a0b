import * as z from 'zod';
import { HubError, ValidationError } from '../../shared/api/errors.ts';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownRecord } from '../../shared/api/refusals.ts';
import { setupIn } from '../../shared/data/backtests/results.ts';
import { isHidden } from '../../shared/data/candles/is-hidden.ts';
import { exportPart, type Place } from './track-records/export-part.ts';
import { openRecord } from './track-records/open-record.ts';
import { seriesOf } from './track-records/series-of.ts';

const exportOut = extensionRecord(
  'RecordExport',
  z.object({ lines: z.array(z.string()), next: z.string().nullable() }),
);

const CURSOR = /^(?:w(-?\d{1,16})|d(-?\d{1,16})\.(\d{1,16}))$/;

/** Reads the place at which an export goes on. @throws ValidationError */
const placeOf = (cursor: string | undefined): Place => {
  if (cursor === undefined) return { kind: 'inputs' };
  const [match, from, day, trades] = CURSOR.exec(cursor) ?? [];
  if (match === undefined) {
    throw new ValidationError([
      {
        loc: ['query', 'cursor'],
        msg: 'the cursor is not one of an answer before',
        type: 'value_error.cursor',
      },
    ]);
  }
  return from === undefined
    ? { kind: 'days', day: Number(day), trades: Number(trades) }
    : { kind: 'warm_up', from: Number(from) };
};

const cursorOf = (place: Place | undefined): string | null => {
  if (place === undefined || place.kind === 'inputs') return null;
  return place.kind === 'warm_up' ? `w${place.from}` : `d${place.day}.${place.trades}`;
};

export const exportTrackRecord = defineOperation({
  method: 'GET',
  path: '/export_track_record',
  name: 'export_track_record',
  summary: 'Export a track record, to compute it again',
  description:
    'All that a track record is made of, in parts: its inputs, the bars before it, and each trading day with its bars, trades and hash. Write `lines`, each an object as JSON, to a file, each on a line of its own, and go on with `next` as `cursor` until it is null; `npm run verify-record` computes the file again. Candles whose source does not allow showing them are left out, their hashes are not. Closed rules are a hash, and their trades follow 30 days late.',
  caller: 'user',
  scope: 'read',
  extension: true,
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      record_id: integer().optional(),
      cursor: z.string().max(40).optional(),
    }),
  },
  output: exportOut,
  errors: ['strategy_unknown', 'record_unknown', 'candles_changed'],
  uses: ['feeds', 'marketData'],
  table: 'read',
  rateClass: 'work',
  handler: async ({ query: { cursor, ...wanted } }, call) => {
    const place = placeOf(cursor);
    const { record, setupItem, isDisclosed } = await openRecord(call, wanted);
    if (!setupItem) throw unknownRecord();
    const setup = setupIn(setupItem);
    const series = await seriesOf(call.store, record, setup);
    if (!series) {
      throw new HubError('candles_changed', 'The candles of this track record were removed.');
    }
    const areShown = !series.some((one) => isHidden(call, one));
    const { lines, next } = await exportPart(call, { record, setup, series, isDisclosed, areShown }, place);
    return { lines: lines.map((line) => JSON.stringify(line)), next: cursorOf(next) };
  },
});
