import type { BarColumns } from '../../candles/bars.ts';
import { type AskedBar, advanceBacktest, supplySmaller } from './advance.ts';
import { addSmaller, type CandleFacts } from './candle-facts.ts';
import type { BacktestRun } from './run.ts';

/** Returns the smaller bars that make up a bar; undefined if no stored ones do. */
export type ReadSmaller = (asked: AskedBar) => Promise<BarColumns | undefined>;

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
