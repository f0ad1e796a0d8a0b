import { type AssetClass, isAlwaysPositive } from '../instruments/instruments.ts';
import type { Timeframe } from '../strategies/strategies.ts';
import { anchorOf } from './anchor.ts';
import type { Bar } from './bars.ts';
import type { Calendar } from './calendar.ts';
import { isOnGrid } from './periods.ts';

/** A series of bars, as far as its checks depend on it. */
export interface SeriesKind {
  readonly calendar: Calendar;
  readonly timeframe: Timeframe;
  readonly assetClass: AssetClass;
}

/** Largest plausible change from a close to the next open or close, as a share of the price. */
const JUMP_LIMIT: Readonly<Record<AssetClass, number>> = {
  equity: 0.25,
  index: 0.15,
  forex: 0.1,
  commodity: 0.25,
  crypto: 0.25,
};

/** Largest plausible distance of a high or low from the body, as a share of the price. */
const WICK_LIMIT: Readonly<Record<AssetClass, number>> = {
  equity: 0.2,
  index: 0.15,
  forex: 0.1,
  commodity: 0.2,
  crypto: 0.2,
};

/** Factor between two closes that no market makes; the prices have different units. */
const UNIT_FACTOR = 50;

const EARLIEST = Date.UTC(1900, 0);
const LATEST = Date.UTC(2200, 0);

/** Bounds of the sizes of prices. Beyond them, the table and reports of the engine do not take them. */
const LEAST = 1e-18;
const MOST = 1e15;

const PRICES = ['open', 'high', 'low', 'close'] as const;

const gridText = (calendar: Calendar, timeframe: Timeframe): string => {
  const zone = calendar.timeZone.name;
  if (timeframe === '1d') return `daily bars start at midnight in ${zone}`;
  if (timeframe === '1w')
    return `weekly bars start on the first day of the trading week, at midnight in ${zone}`;
  const { opening } = anchorOf(calendar.id);
  const origin =
    opening === undefined ? 'after midnight' : `before and after the session's opening at ${opening}`;
  return `bars of ${timeframe} start at multiples of ${timeframe} ${origin} in ${zone}`;
};

/**
 * Checks a bar by itself and against the bar before.
 *
 * @returns the reason why the bar is refused; undefined if it is valid.
 */
export const faultOf = (bar: Bar, previous: Bar | undefined, series: SeriesKind): string | undefined => {
  const { calendar, timeframe, assetClass } = series;
  const { start, open, high, low, close, volume } = bar;
  if (!(start >= EARLIEST && start < LATEST)) return 'the time is not between 1900 and 2200';
  for (const name of PRICES) {
    if (!Number.isFinite(bar[name])) return `the ${name} is not a number`;
    const size = Math.abs(bar[name]);
    if (size > MOST) return `the ${name} is too large`;
    if (bar[name] <= 0 && isAlwaysPositive(assetClass)) return `the ${name} is not above zero`;
    if (size !== 0 && size < LEAST) return `the ${name} is too small`;
  }
  if (!(volume >= 0 && volume <= Number.MAX_SAFE_INTEGER)) return 'the volume is not a number from zero';
  if (high < open || high < low || high < close) return 'the high is not the highest price';
  if (low > open || low > close) return 'the low is not the lowest price';
  if (!isOnGrid(calendar, timeframe, start)) return gridText(calendar, timeframe);
  if (previous && isAlwaysPositive(assetClass)) {
    const factor = close / previous.close;
    if (factor > UNIT_FACTOR || factor < 1 / UNIT_FACTOR) {
      return `the close is not plausible after ${previous.close}: the factor is over ${UNIT_FACTOR}`;
    }
  }
  return undefined;
};

const change = (from: number, to: number): number =>
  Math.abs(to - from) / Math.max(Number.MIN_VALUE, Math.abs(from));

/** Returns whether a bar opens so far from the close before that a source may be wrong. */
export const opensBeyondLimit = (bar: Bar, previous: Bar, assetClass: AssetClass): boolean =>
  change(previous.close, bar.open) > JUMP_LIMIT[assetClass];

/** Reasons to look at a bar again. */
export type Suspicion = 'jump' | 'wick';

/** Returns why a valid bar may be wrong: an implausible change of the close, or a long wick. */
export const suspicionOf = (
  bar: Bar,
  previous: Bar | undefined,
  assetClass: AssetClass,
): Suspicion | undefined => {
  const { open, high, low, close } = bar;
  if (previous && change(previous.close, close) > JUMP_LIMIT[assetClass]) return 'jump';
  const limit = WICK_LIMIT[assetClass];
  const longest = Math.max(change(Math.max(open, close), high), change(Math.min(open, close), low));
  return longest > limit ? 'wick' : undefined;
};
