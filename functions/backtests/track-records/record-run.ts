import type { JobState } from '../../../shared/data/backtests/job-state.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { type BarColumns, columnsOf, concatBars } from '../../../shared/domain/candles/bars.ts';
import { INTRADAY_MS } from '../../../shared/domain/candles/timeframes.ts';
import { advanceRun, type ReadSmaller } from '../../../shared/domain/engine/backtest/advance-run.ts';
import { NO_FACTS } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import type { ReportTrade } from '../../../shared/domain/engine/backtest/report.ts';
import { type BacktestRun, startBacktest } from '../../../shared/domain/engine/backtest/run.ts';
import { restoreBacktest } from '../../../shared/domain/engine/backtest/saved-run.ts';
import { type BacktestSetup, inputOf } from '../../../shared/domain/engine/backtest/setup.ts';
import { splitLeg } from '../../../shared/domain/engine/backtest/split-leg.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import type { SeriesSplit } from '../../../shared/domain/splits/split-bars.ts';
import {
  advanceDay,
  byDays,
  type DayBars,
  type PassedDay,
} from '../../../shared/domain/track-records/advance-day.ts';
import type { SplitEntry } from '../../../shared/domain/track-records/chain.ts';
import { addFacts, barsOf, readLegs } from '../running/candles.ts';
import { MAX_LISTED, sliceEnd } from '../running/slices.ts';
import { smallerReader } from '../running/smaller-reader.ts';

const DAY_MS = 86_400_000;
/** Reach of the start of a daily or weekly bar before the trading day that it belongs to: the last one of a week. */
const REACH_MS = 8 * DAY_MS;

/** A track record that runs, with its saved state. Changed in place. */
export interface RecordRun {
  readonly store: Store;
  readonly setup: BacktestSetup;
  /** Series of the legs, in the units of the setup: later splits are days of the chain. */
  readonly series: readonly Series[];
  /** Splits after the setup by leg, oldest first. */
  readonly splits: readonly (readonly SeriesSplit[])[];
  readonly readSmaller: ReadSmaller;
  /** Moment before which all bars are taken, while the record warms up. */
  next: number;
  facts: JobState['facts'];
  stored: number;
  waiting: ReportTrade[];
  run: BacktestRun;
}

/** Returns the moment from which on the bars of a record count. */
export const startOf = ({ setup }: Pick<RecordRun, 'setup'>): number => setup.from ?? 0;

/** Returns a run from its saved state; from its beginning without one. */
export const openRun = (
  store: Store,
  { splits: known = [], sources = [] }: Pick<TrackRecord, 'splits' | 'sources'>,
  setup: BacktestSetup,
  series: readonly Series[],
  state: JobState | undefined,
): RecordRun => {
  const input = inputOf(setup, storedRules(setup), { most_trades: MAX_LISTED });
  return {
    store,
    setup,
    series: series.map(({ splits = [], ...one }, index) => ({
      ...one,
      splits: splits.slice(0, known[index]),
    })),
    splits: series.map((one, index) => one.splits?.slice(known[index]) ?? []),
    readSmaller: smallerReader(store, setup, { asAppended: true, sources }),
    next: state?.next ?? setup.read_from,
    facts: state?.facts ?? setup.legs.map(() => NO_FACTS),
    stored: state?.stored ?? 0,
    waiting: state?.waiting ?? [],
    run: state ? restoreBacktest(input, state.run) : startBacktest(input),
  };
};

/** Warms a run up by the next months, up to the start of the record. Returns the bars. */
export const warmUp = async (own: RecordRun): Promise<BarColumns[]> => {
  const { store, setup, series, run } = own;
  const to = Math.min(startOf(own), sliceEnd(setup, own.next));
  const candles = await readLegs(store, setup, series, { from: own.next, to, asAppended: true });
  const bars = barsOf(candles);
  own.facts = addFacts(own.facts, setup, candles);
  own.facts = await advanceRun(run, bars, own.facts, own.readSmaller);
  own.next = to;
  return bars;
};

/** Returns the bars of a leg up to its last one, each in the units of its time. */
const pastOf = async ({ store, setup, series, run }: RecordRun, index: number): Promise<BarColumns> => {
  const leg = setup.legs[index];
  const own = series[index];
  const last = run.legs[index]?.state.bar[0] ?? Number.NaN;
  if (!leg || !own || Number.isNaN(last)) return columnsOf([]);
  const parts: BarColumns[] = [];
  for (let from = setup.read_from; from <= last; ) {
    const to = Math.min(last + 1, sliceEnd(setup, from));
    const [candles] = await readLegs(store, { ...setup, legs: [leg] }, [own], { from, to, asAppended: true });
    if (candles) parts.push(candles.bars);
    from = to;
  }
  return concatBars(parts);
};

/** Restates the legs whose split lies between their last bar and a day. Returns the splits. */
const passSplits = async (own: RecordRun, day: DayBars): Promise<SplitEntry[]> => {
  const passed: SplitEntry[] = [];
  for (const [index, leg] of own.run.legs.entries()) {
    const first = day.legs[index]?.start[0];
    if (first === undefined) continue;
    const last = leg.state.bar[0] ?? Number.NaN;
    const splits = own.splits[index] ?? [];
    for (const [place, split] of splits.entries()) {
      if (!(split.at > last && split.at <= first)) continue;
      splitLeg(leg, splits.slice(0, place + 1), await pastOf(own, index));
      passed.push({ symbol: leg.symbol, at: split.at, units: split.units, of: split.of });
    }
  }
  return passed;
};

/** Trading days to take. */
export interface DayRange {
  /** First and last day, in days since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Moment from which on no bar counts. */
  readonly until: number;
}

/** Reads the bars of trading days. */
export const readDays = async (own: RecordRun, { from, to, until }: DayRange): Promise<DayBars[]> => {
  const { store, setup, series, run } = own;
  const { days } = run.input;
  const reach = INTRADAY_MS[setup.timeframe] === undefined ? REACH_MS : 0;
  const range = {
    from: Math.max(startOf(own), days.endOf(from - 1) - reach),
    to: Math.min(until, days.endOf(to) + reach),
    asAppended: true,
  };
  const candles = await readLegs(store, setup, series, range);
  return byDays(run.barDays, barsOf(candles)).filter(({ number }) => number >= from && number <= to);
};

/** Advances a record by trading days. Returns those that have bars. */
export const takeDays = async (own: RecordRun, range: DayRange): Promise<PassedDay[]> => {
  const passed: PassedDay[] = [];
  for (const day of await readDays(own, range)) {
    const splits = await passSplits(own, day);
    passed.push(await advanceDay(own.run, day, own.readSmaller, splits));
  }
  return passed;
};
