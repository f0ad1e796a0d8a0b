import { TooManyReadsError } from '../../../shared/data/candles/smaller-bars.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BacktestSetup, RunOptions } from '../../../shared/domain/engine/backtest/setup.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import { smallerReader } from './advance-run.ts';
import type { LegBars } from './candles.ts';
import { type Finished, runSetup } from './run-setup.ts';

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
  const readSmaller = smallerReader(store, setup, { left: MAX_READS_AT_ONCE });
  try {
    return await runSetup(setup, rules, candles, readSmaller, options);
  } catch (error) {
    if (error instanceof TooManyReadsError) return undefined;
    throw error;
  }
};
