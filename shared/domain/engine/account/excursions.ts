import { CLOSE, HIGH, LOW } from '../group.ts';
import { at } from '../memory.ts';
import type { Account, OpenTrade } from './account.ts';

const PERCENT = 100;

/**
 * Widens the price ranges of the open trades by a bar that they were held through. A trade that was entered within the
 * bar takes its close alone, since the rest may precede the entry.
 */
export const widenRanges = ({ trades, bar: index }: Account, bar: Float64Array): void => {
  for (let position = 0; position < trades.length; position += 1) {
    const trade = trades[position];
    if (!trade) continue;
    const isWhole = trade.entryBar < index || trade.place === 'open';
    const low = at(bar, isWhole ? LOW : CLOSE);
    const high = at(bar, isWhole ? HIGH : CLOSE);
    if (low < trade.low) trade.low = low;
    if (high > trade.high) trade.high = high;
  }
};

/**
 * Returns the largest moves of the price against a trade and in its favour until an exit, in percent of the entry price.
 * Neither is below zero. A trade that the end of the data closes has been held through the last bar, which counts.
 */
export const excursionsOf = (
  { side, entryPrice, low, high }: OpenTrade,
  exitPrice: number,
): { readonly mae_pct: number; readonly mfe_pct: number } => {
  const below = Math.max(0, entryPrice - Math.min(low, exitPrice));
  const above = Math.max(0, Math.max(high, exitPrice) - entryPrice);
  const scale = entryPrice === 0 ? 0 : PERCENT / Math.abs(entryPrice);
  return { mae_pct: (side === 1 ? below : above) * scale, mfe_pct: (side === 1 ? above : below) * scale };
};
