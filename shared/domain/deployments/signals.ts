import { INTRADAY_MS } from '../candles/timeframes.ts';
import type { Timeframe } from '../strategies/strategies.ts';

/** Frequencies at which a notification deployment notifies of signals. */
export const FREQUENCIES = ['every_signal', 'once_per_bar', 'once_per_day'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Delivery channels of a notification, in addition to the app's own list. */
export const CHANNELS = ['push', 'email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Shifts the start of weeks: 1970-01-01 was a Thursday, weeks start on the Monday before. */
const WEEK_SHIFT_MS = 3 * DAY_MS;

/** Returns the number of the bar that contains a moment, in UTC; weeks start on Monday. */
const barOf = (timeframe: Timeframe, at: Date): number => {
  if (timeframe === '1w') return Math.floor((at.getTime() + WEEK_SHIFT_MS) / WEEK_MS);
  return Math.floor(at.getTime() / (INTRADAY_MS[timeframe] ?? DAY_MS));
};

/** Returns whether to notify of a signal, given the time of the last one notified. */
export const shouldNotify = (
  frequency: Frequency,
  timeframe: Timeframe,
  signalAt: Date,
  notifiedAt: Date | undefined,
): boolean => {
  if (!notifiedAt || frequency === 'every_signal') return true;
  const unit = frequency === 'once_per_day' ? '1d' : timeframe;
  return barOf(unit, signalAt) > barOf(unit, notifiedAt);
};
