import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import type { JobState } from '../../../shared/data/backtests/job-state.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { NO_FACTS } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import { type BacktestRun, startBacktest } from '../../../shared/domain/engine/backtest/run.ts';
import { restoreBacktest } from '../../../shared/domain/engine/backtest/saved-run.ts';
import { type BacktestSetup, inputOf } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { MAX_LISTED } from '../running/slices.ts';

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
