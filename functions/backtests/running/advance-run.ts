import { type ReadBudget, type ReadTally, SmallerBars } from '../../../shared/data/candles/smaller-bars.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BarColumns } from '../../../shared/domain/candles/bars.ts';
import {
  type AskedBar,
  advanceBacktest,
  supplySmaller,
} from '../../../shared/domain/engine/backtest/advance.ts';
import { addSmaller, type CandleFacts } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import type { BacktestRun } from '../../../shared/domain/engine/backtest/run.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';

/** Returns the smaller bars that make up a bar; undefined if no stored ones do. */
export type ReadSmaller = (asked: AskedBar) => Promise<BarColumns | undefined>;

/**
 * Returns a function that reads smaller stored bars of the legs of a backtest.
 *
 * @param tally counts the bars that it reads.
 * @param budget reads that it may make; without limits if absent.
 */
export const smallerReader = (
  store: Store,
  { legs, timeframe }: BacktestSetup,
  tally: ReadTally,
  budget?: ReadBudget,
): ReadSmaller => {
  const readers = legs.map(
    ({ symbol, smaller = [] }) =>
      new SmallerBars(store, { symbol, timeframe }, smaller, { tally, ...(budget && { budget }) }),
  );
  return async ({ leg, bar }) => readers[leg]?.read(bar);
};

/**
 * Advances a run over bars, with the smaller bars that it asks for.
 *
 * @returns the facts on the candles, with the smaller bars that were used.
 */
export const advanceRun = async (
  run: BacktestRun,
  bars: readonly BarColumns[],
  before: readonly CandleFacts[],
  readSmaller: ReadSmaller,
): Promise<CandleFacts[]> => {
  const facts = [...before];
  for (;;) {
    const asked = advanceBacktest(run, bars);
    if (!asked) return facts;
    const smaller = await readSmaller(asked);
    supplySmaller(run, asked, smaller);
    const own = facts[asked.leg];
    if (own && smaller) facts[asked.leg] = addSmaller(own, asked.bar[0] ?? Number.NaN, smaller);
  }
};
