import type { BarColumns } from '../../candles/bars.ts';
import { type AskedBar, advanceBacktest, supplySmaller } from './advance.ts';
import { type BacktestResult, finishBacktest } from './result.ts';
import { type BacktestInput, startBacktest } from './run.ts';

/**
 * Runs a backtest over all its bars at once.
 *
 * @param bars bars of each leg, in the order of the legs.
 * @param smallerOf returns the smaller bars that make up a bar; for legs that have some.
 * @throws RangeError for an operand of a timeframe smaller than the backtest's.
 */
export const runBacktest = (
  input: BacktestInput,
  bars: readonly BarColumns[],
  smallerOf: (asked: AskedBar) => BarColumns | undefined = () => undefined,
): BacktestResult => {
  const run = startBacktest(input);
  for (;;) {
    const asked = advanceBacktest(run, bars);
    if (!asked) break;
    supplySmaller(run, asked, smallerOf(asked));
  }
  return finishBacktest(run);
};
