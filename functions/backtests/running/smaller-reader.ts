import { type ReadBudget, type ReadTally, SmallerBars } from '../../../shared/data/candles/smaller-bars.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { ReadSmaller } from '../../../shared/domain/engine/backtest/advance-run.ts';
import { type BacktestSetup, storedSymbol } from '../../../shared/domain/engine/backtest/setup.ts';

/**
 * Returns a function that reads smaller stored bars of the legs of a backtest.
 *
 * @param options `budget` bounds its reads; `tally` counts the bars that it reads; `asAppended` leaves corrections out; `sources`
 *   are the only ones whose bars are read, by leg.
 */
export const smallerReader = (
  store: Store,
  { legs, timeframe }: BacktestSetup,
  options: {
    readonly budget?: ReadBudget;
    readonly tally?: ReadTally;
    readonly asAppended?: boolean;
    readonly sources?: readonly string[];
  } = {},
): ReadSmaller => {
  const { sources = [], ...common } = options;
  const readers = legs.map(
    ({ calendar, smaller = [], ...leg }, index) =>
      new SmallerBars(store, { symbol: storedSymbol(leg), timeframe, calendar }, smaller, {
        ...common,
        source: sources[index],
      }),
  );
  return async ({ leg, bar }) => readers[leg]?.read(bar);
};
