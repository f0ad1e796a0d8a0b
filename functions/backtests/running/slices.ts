import { TRADES_PER_CHUNK } from '../../../shared/data/backtests/trades.ts';
import { nextMonth } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';

/** Months of a slice, by the timeframe of the stored bars: at most some ten thousand bars of each symbol. */
const SLICE_MONTHS: Readonly<Record<Timeframe, number>> = {
  '1m': 1,
  '3m': 3,
  '5m': 6,
  '15m': 12,
  '30m': 24,
  '1h': 60,
  '4h': 240,
  '1d': 1200,
  '1w': 1200,
};

/** The most months of a slice that may read smaller bars: some hundred items of each symbol would take too long. */
const MOST_MONTHS_WITH_SMALLER = 12;

/** The most trades that are listed. */
export const MAX_LISTED = 400 * TRADES_PER_CHUNK;

/** Returns the end of the slice that begins at a moment. Slices consist of whole months. */
export const sliceEnd = ({ legs }: BacktestSetup, from: number): number =>
  nextMonth(
    from,
    Math.min(
      ...legs.map(({ source, smaller }) =>
        Math.min(SLICE_MONTHS[source], smaller ? MOST_MONTHS_WITH_SMALLER : Number.POSITIVE_INFINITY),
      ),
    ),
  );
