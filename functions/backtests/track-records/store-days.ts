import { stateWrites } from '../../../shared/data/backtests/job-state.ts';
import { renewal } from '../../../shared/data/backtests/leases.ts';
import { TRADES_PER_CHUNK, tradeChunks } from '../../../shared/data/backtests/trades.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { countIn } from '../../../shared/data/track-records/counts.ts';
import {
  daysIn,
  dayWrites,
  monthKey,
  monthOf,
  usedWrites,
} from '../../../shared/data/track-records/record-days.ts';
import { reportOf } from '../../../shared/domain/engine/backtest/report.ts';
import { finishBacktest } from '../../../shared/domain/engine/backtest/result.ts';
import { restoreBacktest, saveBacktest } from '../../../shared/domain/engine/backtest/saved-run.ts';
import type { PassedDay } from '../../../shared/domain/track-records/advance-day.ts';
import { type ChainedDay, hashOfEntry } from '../../../shared/domain/track-records/chain.ts';
import { figuresIn, returnsOf } from '../../../shared/domain/track-records/figures.ts';
import { MAX_LISTED } from '../running/slices.ts';
import { cardWrites } from './card-writes.ts';
import type { HeldRecord } from './lease.ts';
import type { RecordRun } from './record-run.ts';
import { writeHeldRecord } from './write-held-record.ts';

const DAY_MS = 86_400_000;

/** Returns days with their hashes. @param before hash of the day before, or of the inputs. */
const chainOf = (before: string, passed: readonly PassedDay[]): ChainedDay[] => {
  const days: ChainedDay[] = [];
  for (const { entry, splits } of passed) {
    const hash = hashOfEntry(days.at(-1)?.hash ?? before, entry);
    days.push({ ...entry, splits: [...splits], hash });
  }
  return days;
};

/** Returns the report of a run as it is, which goes on. */
export const reportNow = (run: RecordRun['run']) => {
  const copy = restoreBacktest(run.input, saveBacktest(run));
  return reportOf(finishBacktest(copy), { hash: '', notes: [] });
};

/** Takes the trades that fill chunks from those that wait. Returns the writes of all chunks that change. */
const chunkWrites = (
  { record_id, start }: TrackRecord,
  own: RecordRun,
  passed: readonly PassedDay[],
): Write[] => {
  const ended = passed.flatMap(({ trades }) => trades);
  const room = Math.max(0, MAX_LISTED - own.stored - own.waiting.length);
  own.waiting.push(...ended.slice(0, room));
  const first = own.stored / TRADES_PER_CHUNK;
  const chunks = ended.length === 0 ? [] : tradeChunks(record_id, start, own.waiting, first);
  const full = own.waiting.length - (own.waiting.length % TRADES_PER_CHUNK);
  own.waiting.splice(0, full);
  own.stored += full;
  return chunks.map((put) => ({ put }));
};

/** Returns the moment at which a record ended; Infinity while it goes on. */
export const endOf = ({ ended_at: at }: Pick<TrackRecord, 'ended_at'>): number =>
  at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);

/** Returns the writes of the saved state. */
const stateOf = (record: TrackRecord, own: RecordRun) => {
  const { next, facts, stored, waiting, run } = own;
  return stateWrites(
    record.record_id,
    { next, facts, stored, waiting, ran: 0, run: saveBacktest(run) },
    record.state_parts,
  );
};

/** Saves a record that warms up. Returns its head. */
export const storeWarmUp = async (
  { runtime, lease, record }: HeldRecord,
  own: RecordRun,
  fields: Partial<TrackRecord>,
): Promise<TrackRecord> => {
  const state = stateOf(record, own);
  const set = { ...fields, state_parts: state.length };
  await writeHeldRecord(runtime, renewal(lease, set, runtime.clock()), async () => state);
  return { ...record, ...set };
};

/**
 * Saves the days that a record has passed in one transaction. Its figures, and the cards that show them, change with the
 * newest day alone: they never show a part of a longer advance. Returns its head.
 *
 * @param until the last of these days, and whether no later one is complete.
 */
export const storeDays = async (
  { runtime, lease, record }: HeldRecord,
  own: RecordRun,
  passed: readonly PassedDay[],
  { lastDay, isNewest }: { readonly lastDay: number; readonly isNewest: boolean },
): Promise<TrackRecord> => {
  const { store, clock } = runtime;
  const { record_id, start, record_hash: before = '' } = record;
  const days = chainOf(before, passed);
  const chunks = chunkWrites(record, own, passed);
  const state = stateOf(record, own);
  const [first] = days;
  const countKey = keys.recordCount(record.author);
  const month = first && monthKey(record_id, start, monthOf(first.day));
  const items = await store.getMany([countKey, ...(month ? [month] : [])], { consistent: true });
  const report = reportNow(own.run);
  const { last_bar: lastBar } = report;
  const set: Partial<TrackRecord> = {
    day: lastDay,
    first_day: record.first_day ?? (first && Date.parse(first.day) / DAY_MS),
    record_hash: days.at(-1)?.hash ?? before,
    state_parts: state.length,
    trades: own.stored + own.waiting.length,
    unranked: record.unranked,
    medians: record.medians,
    author_records: countIn(itemWith(items, countKey)),
    ...(lastBar !== null &&
      isNewest && {
        figures: figuresIn(report),
        returns_pct: returnsOf(report),
        // A day counts once it is over.
        as_of: new Date(Math.min(own.run.input.days.endOf(lastDay), endOf(record))).toISOString(),
      }),
  };
  const after = { ...record, ...set };
  await writeHeldRecord(runtime, renewal(lease, set, clock()), async () => [
    ...state,
    ...chunks,
    ...dayWrites(record_id, start, daysIn(month && itemWith(items, month)), days),
    ...passed.flatMap(({ entry, used }) => usedWrites(record_id, start, entry.day, used)),
    ...(isNewest ? await cardWrites(store, after) : []),
  ]);
  return after;
};
