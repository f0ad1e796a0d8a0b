import * as z from 'zod';
import { integer, storedInteger } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { toPage } from '../../shared/api/pages.ts';
import { reportIn, setupIn } from '../../shared/data/backtests/results.ts';
import { isLongEnough } from '../../shared/data/strategies/track-records.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { countIn } from '../../shared/data/track-records/counts.ts';
import { findVersions } from '../../shared/data/track-records/find-records.ts';
import {
  presentBefore,
  presentFigures,
  presentInputs,
  presentRecordItem,
  presentRun,
  trackRecordOut,
} from './records/track-record.ts';
import { openRecord } from './track-records/open-record.ts';
import { readNow } from './track-records/read-now.ts';
import { lastShownDay, pageOfTrades, tradesUntil } from './track-records/read-trades.ts';
import { seriesOf } from './track-records/series-of.ts';

export const getTrackRecord = defineOperation({
  method: 'GET',
  path: '/get_track_record',
  name: 'get_track_record',
  summary: 'Get the track record of a strategy',
  description:
    'What the hub made of the rules and the bars after the publication, up to the newest bar, and the backtest of before, apart. Whoever may see the strategy may see its records; `record_id` chooses an earlier one. Trades are in the order of closing. Of closed rules, others get the trades 30 days late.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: {
    description:
      'Reads the record of a published strategy since its publication, out of sample, next to its backtest.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      record_id: integer().optional(),
      trades_page: storedInteger({ min: 1 }).default(1),
      trades_size: integer({ min: 1, max: 100 }).default(50),
    }),
  },
  output: trackRecordOut,
  errors: ['strategy_unknown', 'record_unknown'],
  table: 'read',
  rateClass: 'work',
  handler: async ({ query: { trades_page: page, trades_size: size, ...wanted } }, call) => {
    const { store, onDamaged } = call;
    const { record, setupItem, countItem, isDisclosed } = await openRecord(call, wanted);
    const setup = setupItem && setupIn(setupItem);
    const beforeKey = record.backtest_id === undefined ? [] : [keys.backtestReport(record.backtest_id)];
    const [[beforeItem], series, versions] = await Promise.all([
      store.getMany(beforeKey, { consistent: true }),
      setup && seriesOf(store, record, setup),
      findVersions(store, record, onDamaged),
    ]);
    const now = setup ? await readNow(store, record, setup, series) : undefined;
    const trades = isDisclosed ? (now?.trades ?? []) : [];
    const total = isDisclosed
      ? record.trades + trades.length
      : await tradesUntil(store, record, lastShownDay(call.now));
    const choice = { page, size };
    const shown = await pageOfTrades(
      store,
      { ...record, trades: Math.min(record.trades, total) },
      trades,
      choice,
      onDamaged,
    );
    const item = presentRecordItem(record);
    return {
      ...item,
      ...(now?.report && { figures: presentFigures(now.report, isLongEnough(record)) }),
      reason: record.reason ?? null,
      author_key: record.author,
      number: record.number ?? null,
      author_records: countIn(countItem),
      ...presentInputs(record, setup, isDisclosed),
      engine_version: record.engine_version ?? null,
      is_newest: now?.isNewest ?? true,
      ...presentRun(now?.report, isDisclosed),
      trades: toPage(shown, total, choice),
      backtest: presentBefore(record, reportIn(beforeItem)),
      former: record.former ?? [],
      versions: versions.map(presentRecordItem),
    };
  },
});
