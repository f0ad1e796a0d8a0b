import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import { at } from '../../shared/domain/engine/memory.ts';

/** A closed trade. */
export interface HandTrade {
  readonly side: 'long' | 'short';
  readonly entry_bar: number;
  readonly entry_at: number;
  readonly entry_price: number;
  readonly exit_bar: number;
  readonly exit_at: number;
  readonly exit_price: number;
  readonly fees: number;
  readonly pnl: number;
}

/** Result of the loop, with the equity at each bar. */
export interface HandResult {
  readonly trades: readonly HandTrade[];
  readonly equity: Float64Array;
  readonly maxDrawdown: number;
}

const FAST = 10;
const SLOW = 30;

/**
 * Runs the rules "SMA cross, long and short" as one loop, written by hand for these rules alone: one unit, always in
 * the market, market orders at the next open, a commission in parts of the value. The yardstick of the engine's speed.
 *
 * Equal averages must not cross, so sums carry their rounding error, and the average of equal closes is the close.
 * Without either, the trades differ.
 */
export const smaCrossByHand = (bars: BarColumns, capital: number, commissionRate: number): HandResult => {
  const { start, open, close } = bars;
  const count = close.length;
  const equity = new Float64Array(count);
  const trades: HandTrade[] = [];
  let [fast, fastRest, slow, slowRest] = [0, 0, 0, 0];
  let [fastBefore, slowBefore] = [Number.NaN, Number.NaN];
  let [wanted, side, entryBar, entryPrice, entryFee] = [0, 0, 0, 0, 0];
  let [cash, peak, maxDrawdown] = [capital, capital, 0];
  let [equal, lastBefore] = [0, Number.NaN];
  for (let bar = 0; bar < count; bar += 1) {
    if (wanted !== 0) {
      const price = at(open, bar);
      const fee = commissionRate * price;
      if (side !== 0) {
        const gross = side * (price - entryPrice);
        cash += gross - fee;
        const fees = entryFee + fee;
        trades.push({
          side: side === 1 ? 'long' : 'short',
          entry_bar: entryBar,
          entry_at: at(start, entryBar),
          entry_price: entryPrice,
          exit_bar: bar,
          exit_at: at(start, bar),
          exit_price: price,
          fees,
          pnl: gross - fees,
        });
      }
      cash -= fee;
      side = wanted;
      wanted = 0;
      entryBar = bar;
      entryPrice = price;
      entryFee = fee;
    }
    const last = at(close, bar);
    const value = cash + side * (last - entryPrice);
    equity[bar] = value;
    if (value >= peak) peak = value;
    else if (peak - value > maxDrawdown * peak) maxDrawdown = (peak - value) / peak;

    equal = last === lastBefore ? equal + 1 : 1;
    lastBefore = last;
    let sum = fast + last;
    let part = sum - fast;
    fastRest += fast - (sum - part) + (last - part);
    fast = sum;
    sum = slow + last;
    part = sum - slow;
    slowRest += slow - (sum - part) + (last - part);
    slow = sum;
    if (bar >= FAST) {
      const removed = at(close, bar - FAST);
      sum = fast - removed;
      part = sum - fast;
      fastRest += fast - (sum - part) - (removed + part);
      fast = sum;
    }
    if (bar >= SLOW) {
      const removed = at(close, bar - SLOW);
      sum = slow - removed;
      part = sum - slow;
      slowRest += slow - (sum - part) - (removed + part);
      slow = sum;
    }
    if (bar < SLOW - 1) continue;
    const fastAverage = equal >= FAST ? last : (fast + fastRest) / FAST;
    const slowAverage = equal >= SLOW ? last : (slow + slowRest) / SLOW;
    if (fastAverage > slowAverage) {
      if (fastBefore < slowBefore && side !== 1) wanted = 1;
    } else if (fastAverage < slowAverage && fastBefore > slowBefore && side !== -1) wanted = -1;
    fastBefore = fastAverage;
    slowBefore = slowAverage;
  }
  return { trades, equity, maxDrawdown };
};
