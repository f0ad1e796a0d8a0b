import { INTRADAY_MS } from '../candles/timeframes.ts';
import type { Timeframe } from '../strategies/strategies.ts';

/**
 * Engines that run deployments: the hub itself those of strategies with rules, and those on paper whose orders signals
 * place; engines outside all others.
 */
export const ENGINES = ['external', 'hub', 'signals'] as const;

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Timeframes after its close for which a bar is news. */
const NEWS_BARS = 2;

/** Time after its close from which a bar is not one of the present. */
const REPLAYED_MS = 2 * DAY_MS;

/** Returns the length of a bar in milliseconds; of a daily one without regard to sessions. */
export const timeframeLength = (timeframe: Timeframe): number =>
  INTRADAY_MS[timeframe] ?? (timeframe === '1w' ? WEEK_MS : DAY_MS);

/** Longest time that exchanges are usually closed: a weekend with two holidays. */
const CLOSED_MS = 4 * DAY_MS;

/** Returns the age from which prices are old: no closed market explains it, nor a bar that is not over. */
export const oldAfterMs = (timeframe: Timeframe): number => CLOSED_MS + 2 * timeframeLength(timeframe);

/** Returns whether the bar that starts at a moment closed more than two days ago, like the bars of a replay. */
export const isReplayedBar = (timeframe: Timeframe, start: number, now: Date): boolean =>
  now.getTime() - start > timeframeLength(timeframe) + REPLAYED_MS;

/** Returns whether the bar that starts at a moment closed more than two timeframes ago. */
export const isOldBar = (timeframe: Timeframe, start: Date, now: Date): boolean =>
  now.getTime() - start.getTime() > (1 + NEWS_BARS) * timeframeLength(timeframe);
