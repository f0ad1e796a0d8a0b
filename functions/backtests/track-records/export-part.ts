import type { Call } from '../../../shared/api/call.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { daysIn, monthKey, monthsBetween, usedIn } from '../../../shared/data/track-records/record-days.ts';
import { INTRADAY_MS } from '../../../shared/domain/candles/timeframes.ts';
import { nextMonth } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { firstHash, partHashes } from '../../../shared/domain/track-records/chain.ts';
import { type ExportLine, exportedBars } from '../../../shared/domain/track-records/export.ts';
import { barsOf, readLegs } from '../running/candles.ts';
import { lastShownDay, readTrades } from './read-trades.ts';
import { inputsOfRecord } from './record-inputs.ts';
import { openRun, type RecordRun, readDays } from './record-run.ts';
import { endOf } from './store-days.ts';

const DAY_MS = 86_400_000;
/** Bars of a part, about: a megabyte of text. */
const BARS_PER_PART = 15_000;
/** Trading days of a part. */
const MOST_DAYS = 60;

/** A record to export. */
export interface Exported {
  readonly record: TrackRecord;
  readonly setup: BacktestSetup;
  readonly series: readonly Series[];
  readonly isDisclosed: boolean;
  /** True if the source of the candles allows showing them. */
  readonly areShown: boolean;
}

/** Place in an export: before the warm-up's bars of a moment, or before a day with the trades up to it. */
export type Place =
  | { readonly kind: 'inputs' }
  | { readonly kind: 'warm_up'; readonly from: number }
  | { readonly kind: 'days'; readonly day: number; readonly trades: number };

/** A part of an export. */
interface Part {
  readonly lines: readonly ExportLine[];
  /** Undefined after the last part. */
  readonly next: Place | undefined;
}

const rowsOf = ({ setup }: Exported, legs: ReturnType<typeof barsOf>) =>
  setup.legs.map(({ symbol }, index) => {
    const bars = legs[index];
    return { symbol, bars: bars ? exportedBars(bars) : [] };
  });

const firstPart = ({ record, setup, isDisclosed }: Exported): Part => {
  const inputs = inputsOfRecord(record, setup, record.warm_up ?? []);
  const { rules, params } = setup;
  return {
    lines: [
      {
        type: 'inputs',
        record_id: record.record_id,
        inputs,
        parts: partHashes(inputs),
        first_hash: firstHash(inputs),
        ended_at: record.ended_at === undefined ? null : Date.parse(record.ended_at),
        disclosed: isDisclosed ? { rules, params, salt: record.salt } : null,
      },
    ],
    next: record.warm_up ? { kind: 'warm_up', from: setup.read_from } : undefined,
  };
};

/** Returns the bars that legs have in a day, about. */
const barsPerDay = ({ setup: { timeframe, legs } }: Exported): number =>
  (DAY_MS / (INTRADAY_MS[timeframe] ?? DAY_MS)) * legs.length;

const warmUpPart = async ({ store }: Call, own: Exported, run: RecordRun, from: number): Promise<Part> => {
  const { setup } = own;
  const end = setup.from ?? from;
  const days = Math.max(1, Math.floor(BARS_PER_PART / barsPerDay(own)));
  const to = Math.min(end, days < 31 ? from + days * DAY_MS : nextMonth(from, Math.floor(days / 31)));
  const legs = barsOf(await readLegs(store, setup, run.series, { from, to, asAppended: true }));
  const next: Place =
    to < end
      ? { kind: 'warm_up', from: to }
      : { kind: 'days', day: own.record.first_day ?? Number.MAX_SAFE_INTEGER, trades: 0 };
  return { lines: [{ type: 'warm_up', legs: own.areShown ? rowsOf(own, legs) : null }], next };
};

const daysPart = async (
  { store, now, onDamaged }: Call,
  own: Exported,
  run: RecordRun,
  { day, trades: begin }: { readonly day: number; readonly trades: number },
): Promise<Part> => {
  const { record, setup, isDisclosed, areShown } = own;
  const { record_id, start, first_day: first = 0, day: last = Number.NEGATIVE_INFINITY } = record;
  const from = Math.max(first, day);
  if (from > last) return { lines: [], next: undefined };
  const span = Math.max(1, Math.min(MOST_DAYS, Math.floor(BARS_PER_PART / barsPerDay(own))));
  const to = Math.min(last, from + span - 1);
  const [items, bars] = await Promise.all([
    store.getMany(
      monthsBetween(from, to).map((month) => monthKey(record_id, start, month)),
      { consistent: true },
    ),
    readDays(run, { from, to, until: endOf(record) }),
  ]);
  const days = items
    .flatMap(daysIn)
    .filter(({ day }) => Date.parse(day) >= from * DAY_MS && Date.parse(day) <= to * DAY_MS);
  const end = days.at(-1)?.trades_count ?? begin;
  const [used, trades] = await Promise.all([
    store.getMany(
      days.map(({ day }) => keys.recordUsedBars(record_id, start, day)),
      { consistent: true },
    ),
    readTrades(store, record, { skip: begin, count: end - begin }, onDamaged),
  ]);
  const shown = lastShownDay(now);
  const barsByDay = new Map(bars.map((one) => [one.number, one.legs]));
  let done = begin;
  const lines = days.map(({ hash, splits, ...entry }, index): ExportLine => {
    // A cursor of one's own may begin later than the first day: then that day has none of them.
    const ended = trades.slice(Math.max(0, done - begin), Math.max(0, entry.trades_count - begin));
    done = entry.trades_count;
    return {
      type: 'day',
      entry,
      hash,
      splits,
      legs: areShown
        ? setup.legs.map(({ symbol }, leg) => {
            const own = barsByDay.get(Date.parse(entry.day) / DAY_MS)?.[leg];
            return { symbol, bars: own ? exportedBars(own) : [] };
          })
        : null,
      used: areShown
        ? usedIn(used[index]).map(({ bars: columns, ...one }) => ({ ...one, bars: exportedBars(columns) }))
        : null,
      trades: isDisclosed || entry.day <= shown ? ended : null,
    };
  });
  return { lines, next: to < last ? { kind: 'days', day: to + 1, trades: end } : undefined };
};

/** Returns the part of an export at a place. */
export const exportPart = async (call: Call, own: Exported, place: Place): Promise<Part> => {
  if (place.kind === 'inputs') return firstPart(own);
  const run = openRun(call.store, own.record, own.setup, own.series, undefined);
  return place.kind === 'warm_up' ? warmUpPart(call, own, run, place.from) : daysPart(call, own, run, place);
};
