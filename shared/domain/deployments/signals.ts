import type { Timeframe } from '../strategies/strategies.ts';

/** How often a notification deployment tells of signals. */
export const FREQUENCIES = ['every_signal', 'once_per_bar', 'once_per_day'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** How a notification reaches a person beside the app's own list. */
export const CHANNELS = ['push', 'email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const BAR_MS: Readonly<Record<Timeframe, number>> = {
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
};

/** 1970-01-01 was a Thursday: weeks are counted from the Monday before. */
const WEEK_SHIFT_MS = 3 * DAY_MS;

/** The number of the bar of a timeframe, in UTC, that a moment lies in; weeks begin on Monday. */
const barOf = (timeframe: Timeframe, at: Date): number => {
  const shift = timeframe === '1w' ? WEEK_SHIFT_MS : 0;
  return Math.floor((at.getTime() + shift) / BAR_MS[timeframe]);
};

/** Whether a signal is to be told, after the one that was told last. */
export const isTold = (
  frequency: Frequency,
  timeframe: Timeframe,
  signalAt: Date,
  toldAt: Date | undefined,
): boolean => {
  if (!toldAt || frequency === 'every_signal') return true;
  const unit = frequency === 'once_per_day' ? '1d' : timeframe;
  return barOf(unit, signalAt) > barOf(unit, toldAt);
};
