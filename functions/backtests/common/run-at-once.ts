import type { Store } from '../../../shared/data/table/store.ts';
import type { BacktestSetup, RunOptions } from '../../../shared/domain/engine/backtest/setup.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import type { LegBars } from './candles.ts';
import { type Finished, runSetup } from './run-setup.ts';
import { SmallerReader, TooManyReadsError } from './smaller-reader.ts';

/** The most reads of smaller bars in a request; more are a job. */
const MAX_READS_AT_ONCE = 20;

/** Runs a backtest within a request. Returns undefined if it needs more smaller bars than a request reads. */
export const runAtOnce = async (
  store: Store,
  setup: BacktestSetup,
  rules: ResolvedRules,
  candles: readonly (LegBars | undefined)[],
  options: RunOptions,
): Promise<Finished | undefined> => {
  const reader = new SmallerReader(store, setup, MAX_READS_AT_ONCE);
  try {
    return await runSetup(setup, rules, candles, (asked) => reader.read(asked), options);
  } catch (error) {
    if (error instanceof TooManyReadsError) return undefined;
    throw error;
  }
};
