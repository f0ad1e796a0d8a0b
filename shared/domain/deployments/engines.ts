import { INTRADAY_MS } from '../candles/timeframes.ts';
import type { Timeframe } from '../strategies/strategies.ts';

/** Engines that run deployments: the hub itself those of strategies with rules, engines outside all others. */
export const ENGINES = ['external', 'hub'] as const;

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Timeframes after its close for which a bar is news. */
const NEWS_BARS = 2;

/** Returns whether the bar that starts at a moment closed more than two timeframes ago. */
export const isOldBar = (timeframe: Timeframe, start: Date, now: Date): boolean => {
  const length = INTRADAY_MS[timeframe] ?? (timeframe === '1w' ? WEEK_MS : DAY_MS);
  return now.getTime() - start.getTime() > (1 + NEWS_BARS) * length;
};
