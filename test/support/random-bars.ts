import fc from 'fast-check';
import { type Bar, type BarColumns, columnsOf } from '../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const STEPS: Readonly<Partial<Record<Timeframe, number>>> = {
  '1m': MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '1d': DAY_MS,
};

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const rounded = (price: number, digits: number): number => Number(price.toFixed(digits));

/**
 * Returns bars of a random walk with gaps, missing bars, flat stretches and equal prices.
 *
 * @param digits decimals of prices; few make equal prices frequent.
 */
export const randomBars = (
  seed: number,
  count: number,
  timeframe: Timeframe = '1d',
  digits = 2,
): BarColumns => {
  const random = randomNumbers(seed);
  const step = STEPS[timeframe] ?? DAY_MS;
  const bars: Bar[] = [];
  let start = Date.UTC(2020, 0, 1);
  let close = 20 + 100 * random();
  let drift = 0;
  while (bars.length < count) {
    start += step * (random() < 0.06 ? 1 + Math.floor(random() * 80) : 1);
    if (random() < 0.02) drift = (random() - 0.5) * 0.02;
    const isFlat = random() < 0.05;
    const open = isFlat ? close : close * (1 + (random() - 0.5) * 0.02);
    const next = isFlat ? open : Math.max(0.05, open * (1 + drift + (random() - 0.5) * 0.04));
    const high = Math.max(open, next) * (isFlat ? 1 : 1 + random() * 0.02);
    const low = Math.min(open, next) * (isFlat ? 1 : 1 - random() * 0.02);
    close = next;
    bars.push({
      start,
      open: rounded(open, digits),
      high: rounded(high, digits),
      low: rounded(low, digits),
      close: rounded(next, digits),
      volume: random() < 0.05 ? 0 : Math.round(random() * 1e6),
    });
  }
  return columnsOf(bars);
};

/** Generates bars of a timeframe. */
export const barsOf = (timeframe: Timeframe, most = 400): fc.Arbitrary<BarColumns> =>
  fc
    .tuple(fc.nat(), fc.integer({ min: 1, max: most }), fc.constantFrom(0, 2, 4))
    .map(([seed, count, digits]) => randomBars(seed, count, timeframe, digits));
