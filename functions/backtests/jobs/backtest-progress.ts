import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import type { JobState } from '../../../shared/data/backtests/job-state.ts';
import { TRADES_PER_CHUNK } from '../../../shared/data/backtests/trades.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { NO_FACTS, nextMonth } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import { type BacktestRun, startBacktest } from '../../../shared/domain/engine/backtest/run.ts';
import { restoreBacktest } from '../../../shared/domain/engine/backtest/saved-run.ts';
import { type BacktestSetup, inputOf } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';

/** Months of a slice, by the timeframe of the stored bars: at most some ten thousand bars of each symbol. */
const SLICE_MONTHS: Readonly<Record<Timeframe, number>> = {
  '1m': 1,
  '3m': 3,
  '5m': 6,
  '15m': 12,
  '30m': 24,
  '1h': 60,
  '4h': 240,
  '1d': 1200,
  '1w': 1200,
};

/** The most months of a slice that may read smaller bars: some hundred items of each symbol would take too long. */
const MOST_MONTHS_WITH_SMALLER = 12;

/** The most trades that are listed. */
export const MAX_LISTED = 400 * TRADES_PER_CHUNK;

/** A backtest that runs in slices. Changed in place. */
export interface Progress extends Omit<JobState, 'run'> {
  readonly run: BacktestRun;
  /** Number of the start whose trades are stored. */
  readonly start: number;
  /** Position at which this worker began. */
  readonly from: number;
  /** Items that hold the saved state. */
  parts: number;
}

/** Returns the end of the candles of all legs. */
export const endOf = ({ legs }: BacktestSetup): number => Math.max(...legs.map(({ to }) => to));

/** Returns the end of the slice that begins at a moment. Slices consist of whole months. */
export const sliceEnd = ({ legs }: BacktestSetup, from: number): number =>
  nextMonth(
    from,
    Math.min(
      ...legs.map(({ source, smaller }) =>
        Math.min(SLICE_MONTHS[source], smaller ? MOST_MONTHS_WITH_SMALLER : Number.POSITIVE_INFINITY),
      ),
    ),
  );

/** Returns the part of a backtest that is done. */
export const shareDone = (setup: BacktestSetup, { next }: Progress): number => {
  const span = Math.max(1, endOf(setup) - setup.read_from);
  return Math.min(1, Math.max(0, (next - setup.read_from) / span));
};

/** Begins a backtest, or goes on from its saved state. A state from before a split of a series is not used. */
export const beginOrGoOn = (
  setup: BacktestSetup,
  series: readonly Series[],
  state: JobState | undefined,
  { start, state_parts: parts = 0 }: Pick<Backtest, 'start' | 'state_parts'>,
): Progress => {
  const input = inputOf(setup, storedRules(setup), { most_trades: MAX_LISTED });
  const splits = series.map((one) => one.splits?.length ?? 0);
  const isInUnits = splits.every((count, index) => count === (state?.splits?.[index] ?? 0));
  if (state && isInUnits) {
    return { ...state, run: restoreBacktest(input, state.run), start, from: state.next, parts };
  }
  return {
    next: setup.read_from,
    facts: setup.legs.map(() => NO_FACTS),
    splits,
    ran: 0,
    stored: 0,
    waiting: [],
    run: startBacktest(input),
    start: start + 1,
    from: setup.read_from,
    parts,
  };
};
