import { calendarById } from '../candles/calendar.ts';
import { barStartAt } from '../candles/periods.ts';
import type { Timeframe } from '../strategies/strategies.ts';

/** Frequencies at which a notification deployment notifies of signals. */
export const FREQUENCIES = ['every_signal', 'once_per_bar', 'once_per_day'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/**
 * Returns the bar or day of a symbol's calendar in which a signal notifies at most once, as text; undefined if every signal
 * notifies.
 */
export const periodOfSignal = (
  { frequency, timeframe }: { readonly frequency: Frequency; readonly timeframe: Timeframe },
  calendarId: string,
  { symbol, at }: { readonly symbol: string; readonly at: number },
): string | undefined => {
  if (frequency === 'every_signal') return undefined;
  const unit = frequency === 'once_per_day' ? '1d' : timeframe;
  return `${symbol}#${unit}#${barStartAt(calendarById(calendarId), unit, at)}`;
};

/** Delivery channels of a notification, in addition to the app's own list. */
export const CHANNELS = ['push', 'email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];
