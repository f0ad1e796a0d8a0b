import { calendarById } from '../candles/calendar.ts';
import { closeTimeOf } from '../candles/close-time.ts';
import { hasOwnClock, REPLAY_EXCHANGE } from '../instruments/instruments.ts';
import type { Timeframe } from '../strategies/strategies.ts';
import { oldAfterMs, timeframeLength } from './engines.ts';

/**
 * Tells whether bars of a series arrive now: of the present (`live`), of the demo market, of a past time (`replay`), or not
 * at all (`ended`).
 */
export const PRICE_STATES = ['live', 'demo', 'replay', 'ended'] as const;
export type PriceState = (typeof PRICE_STATES)[number];

const MINUTE_MS = 60_000;
/** Delay of a feed, and longest pause between two bars of a clock of their own. */
const PAUSE_MS = 15 * MINUTE_MS;

/** Facts by which the state of a series is known. */
export interface ArrivingSeries {
  readonly timeframe: Timeframe;
  readonly calendar: string;
  /** Start of the newest bar. */
  readonly last: number;
  /** Time at which the newest bar of a feed arrived. */
  readonly moved_at?: number | undefined;
}

/**
 * Returns whether bars of a series arrive now.
 *
 * @param options.isPulled true if the hub asks a provider for the next bar as soon as a program needs it.
 */
export const priceStateOf = (
  { timeframe, calendar, last, moved_at: movedAt }: ArrivingSeries,
  {
    exchange,
    isPulled,
    now,
  }: { readonly exchange?: string; readonly isPulled: boolean; readonly now: number },
): PriceState => {
  const closedAt = closeTimeOf(calendarById(calendar), timeframe, last);
  const allowed = calendar === 'always' ? PAUSE_MS + timeframeLength(timeframe) : oldAfterMs(timeframe);
  const isOwn = hasOwnClock(exchange);
  if (!isOwn && now - closedAt <= allowed) return 'live';
  if (movedAt !== undefined && now - movedAt <= PAUSE_MS) {
    return isOwn && exchange !== REPLAY_EXCHANGE ? 'demo' : 'replay';
  }
  return isPulled ? 'live' : 'ended';
};
