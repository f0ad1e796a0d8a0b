import { type ReadBudget, type ReadTally, SmallerBars } from '../../../shared/data/candles/smaller-bars.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { ReadSmaller } from '../../../shared/domain/engine/backtest/advance-run.ts';
import { type BacktestSetup, storedSymbol } from '../../../shared/domain/engine/backtest/setup.ts';

/**
 * Returns a function that reads smaller stored bars of the legs of a backtest.
 *
 * @param options `budget` bounds its reads; `tally` counts the bars that it reads; `asAppended` leaves corrections out.
 */
export const smallerReader = (
  store: Store,
  { legs, timeframe }: BacktestSetup,
  options: {
    readonly budget?: ReadBudget;
    readonly tally?: ReadTally;
    readonly asAppended?: boolean;
  } = {},
): ReadSmaller => {
  const readers = legs.map(
    ({ calendar, smaller = [], ...leg }) =>
      new SmallerBars(store, { symbol: storedSymbol(leg), timeframe, calendar }, smaller, options),
  );
  return async ({ leg, bar }) => readers[leg]?.read(bar);
};
