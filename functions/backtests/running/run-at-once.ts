import { type ReadTally, TooManyReadsError } from '../../../shared/data/candles/smaller-bars.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BacktestSetup, RunOptions } from '../../../shared/domain/engine/backtest/setup.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import type { LegBars } from './candles.ts';
import { type Finished, runSetup } from './run-setup.ts';
import { smallerReader } from './smaller-reader.ts';

/** The most reads of smaller bars in a request; more are a job. */
const MAX_READS_AT_ONCE = 20;

/** A backtest that was run within a request. */
export interface RunAtOnce extends Finished {
  /** Smaller bars that were read. */
  readonly smaller: number;
}

/**
 * Runs a backtest within a request. Returns undefined if it needs more smaller bars than a request reads.
 *
 * @param tally counts the smaller bars that are read, also those of a run without a result.
 */
export const runAtOnce = async (
  store: Store,
  setup: BacktestSetup,
  rules: ResolvedRules,
  candles: readonly (LegBars | undefined)[],
  { tally = { bars: 0 }, ...options }: RunOptions & { readonly tally?: ReadTally },
): Promise<RunAtOnce | undefined> => {
  const readSmaller = smallerReader(store, setup, { tally, budget: { left: MAX_READS_AT_ONCE } });
  try {
    const finished = await runSetup(setup, rules, candles, readSmaller, options);
    return { ...finished, smaller: tally.bars };
  } catch (error) {
    if (error instanceof TooManyReadsError) return undefined;
    throw error;
  }
};
