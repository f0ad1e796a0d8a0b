import { type BarColumns, barCount, readBar } from '../../candles/bars.ts';
import { splitPrice } from '../../splits/ratio.ts';
import { type SeriesSplit, splitBars } from '../../splits/split-bars.ts';
import { payFractions, restateAccount } from '../account/split-account.ts';
import { newState, observe } from '../observe.ts';
import type { Leg } from './run.ts';

/**
 * Restates a symbol of a backtest in new units, after its last bar in old ones: its account, and its indicators over all
 * its bars so far.
 *
 * @param splits that the run has passed, the new one last.
 * @param past all bars of the symbol so far, each in the units of its time.
 */
export const splitLeg = (leg: Leg, splits: readonly SeriesSplit[], past: BarColumns): void => {
  const split = splits.at(-1);
  if (!split) return;
  payFractions(leg.account, split);
  restateAccount(leg.account, split);
  leg.base = splitPrice(leg.base, split);
  leg.supplied = undefined;
  const bars = splitBars(past, splits);
  leg.state = newState(leg.program);
  for (let index = 0; index < barCount(bars); index += 1) {
    readBar(bars, index, leg.state.bar);
    observe(leg.program, leg.state);
  }
};
