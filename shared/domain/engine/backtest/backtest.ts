import type { BarColumns } from '../../candles/bars.ts';
import { advanceBacktest } from './advance.ts';
import { type BacktestResult, finishBacktest } from './result.ts';
import { type BacktestInput, startBacktest } from './run.ts';

/**
 * Runs a backtest over all its bars at once.
 *
 * @param bars bars of each leg, in the order of the legs.
 * @throws RangeError for an operand of a timeframe smaller than the backtest's.
 */
export const runBacktest = (input: BacktestInput, bars: readonly BarColumns[]): BacktestResult => {
  const run = startBacktest(input);
  advanceBacktest(run, bars);
  return finishBacktest(run);
};
