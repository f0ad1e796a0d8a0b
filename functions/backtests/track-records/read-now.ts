import { readState } from '../../../shared/data/backtests/job-state.ts';
import { closedUntil } from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { TooManyReadsError } from '../../../shared/data/candles/smaller-bars.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { advanceRun } from '../../../shared/domain/engine/backtest/advance-run.ts';
import {
  type BacktestReport,
  type ReportTrade,
  tradeOf,
} from '../../../shared/domain/engine/backtest/report.ts';
import { takeTrades } from '../../../shared/domain/engine/backtest/run.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { barsOf, isOneRead, readLegs } from '../running/candles.ts';
import { smallerReader } from '../running/smaller-reader.ts';
import { openRun, type RecordRun } from './record-run.ts';
import { endOf, reportNow } from './store-days.ts';

/** The most reads of smaller bars of a request. */
const MOST_READS = 20;

/** Figures of a record as of now. */
export interface RecordNow {
  /** Undefined before the first bars. */
  readonly report: BacktestReport | undefined;
  /** Trades after the stored ones. */
  readonly trades: readonly ReportTrade[];
  /** True if the bars after the last stored day are part of it. */
  readonly isNewest: boolean;
}

/** Advances a run over the bars after the last stored day. Returns its trades; undefined if that is too much for a request. */
const goOn = async (
  store: Store,
  record: TrackRecord,
  series: readonly Series[],
  own: RecordRun,
): Promise<ReportTrade[] | undefined> => {
  if (own.splits.some((splits) => splits.length > 0)) return undefined;
  const { timeframe } = own.setup;
  const from = Math.max(own.setup.from ?? 0, own.run.input.days.endOf(record.day ?? 0));
  const setup = {
    ...own.setup,
    read_from: from,
    legs: own.setup.legs.map((leg, index) => {
      const one = series[index];
      return { ...leg, to: Math.min(endOf(record), one ? closedUntil(one, timeframe) : from) };
    }),
  };
  if (!isOneRead(setup, own.series)) return undefined;
  const bars = barsOf(await readLegs(store, setup, own.series, { from, asAppended: true }));
  const readSmaller = smallerReader(store, setup, {
    budget: { left: MOST_READS },
    asAppended: true,
    sources: record.sources ?? [],
  });
  try {
    await advanceRun(own.run, bars, own.facts, readSmaller);
  } catch (error) {
    if (error instanceof TooManyReadsError) return undefined;
    throw error;
  }
  return takeTrades(own.run).map(tradeOf);
};

/**
 * Brings a record up to the newest bar in memory: goes on from its saved state, and writes nothing. Stops at the last
 * stored day if the rest is too much for a request.
 */
export const readNow = async (
  store: Store,
  record: TrackRecord,
  setup: BacktestSetup,
  series: readonly Series[] | undefined,
): Promise<RecordNow> => {
  const state =
    record.day === undefined ? undefined : await readState(store, record.record_id, record.state_parts);
  if (!state) return { report: undefined, trades: [], isNewest: true };
  const heads = series ?? [];
  const open = () => openRun(store, record, setup, heads, state);
  const own = open();
  const trades = series && record.state !== 'ended' ? await goOn(store, record, heads, own) : [];
  const report = reportNow((trades ? own : open()).run);
  return {
    report: report.last_bar === null ? undefined : report,
    trades: trades ?? [],
    isNewest: trades !== undefined,
  };
};
