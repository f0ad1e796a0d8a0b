import type { SeriesFacts } from '../../shared/data/candles/series.ts';
import { type Bar, type BarColumns, columnsOf } from '../../shared/domain/candles/bars.ts';
import { BITCOIN } from '../support/hub-deployments.ts';
import { randomNumbers } from '../support/random-bars.ts';

export const SYMBOLS = ['BTCUSD', 'ETHUSD'] as const;
type Traded = (typeof SYMBOLS)[number];

/** Bars that are stored before the deployments start. */
export const WARM = 40;

export const TIMEFRAME = '15m';
const STEP_MS = 900_000;
const MEAN = 100;

/** Bars of both symbols at the same times. */
export interface Market {
  readonly starts: readonly number[];
  readonly bars: Readonly<Record<Traded, BarColumns>>;
  readonly facts: Readonly<Record<Traded, SeriesFacts>>;
}

const cents = (price: number): number => Number(price.toFixed(2));

/** Returns bars of a price that returns to its mean, so that it neither runs away nor jumps. */
const barsAt = (starts: readonly number[], seed: number): BarColumns => {
  const random = randomNumbers(seed);
  let close = MEAN;
  return columnsOf(
    starts.map((start): Bar => {
      const open = cents(close * (1 + (random() - 0.5) * 0.004));
      close = cents(open * (1 + (random() - 0.5) * 0.03 + 0.01 * Math.log(MEAN / open)));
      const high = cents(Math.max(open, close) * (1 + random() * 0.01));
      const low = cents(Math.min(open, close) * (1 - random() * 0.01));
      return { start, open, high, low, close, volume: Math.round(random() * 1e6) };
    }),
  );
};

/** Returns a market of so many bars per symbol, with gaps. */
export const marketOf = (count: number): Market => {
  const random = randomNumbers(3);
  const starts: number[] = [];
  for (let at = Date.UTC(2020, 0, 1); starts.length < count; ) {
    starts.push(at);
    at += STEP_MS * (random() < 0.03 ? 1 + Math.floor(random() * 30) : 1);
  }
  const factsOf = (symbol: Traded): SeriesFacts => ({ ...BITCOIN, symbol, timeframe: TIMEFRAME });
  return {
    starts,
    bars: { BTCUSD: barsAt(starts, 31), ETHUSD: barsAt(starts, 32) },
    facts: { BTCUSD: factsOf('BTCUSD'), ETHUSD: factsOf('ETHUSD') },
  };
};
