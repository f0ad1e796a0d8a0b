import { type Calendar, dayAt } from '../candles/calendar.ts';
import { expectedBars } from '../candles/sessions.ts';
import { nextStart } from '../candles/slots.ts';
import { INTRADAY_MS } from '../candles/timeframes.ts';
import type { BarDays } from '../candles/trading-days.ts';
import type { Timeframe } from '../strategies/strategies.ts';

const DAY_MS = 86_400_000;
/** Time for which the days of a record wait for a symbol that lags behind others. */
const PATIENCE_MS = 4 * DAY_MS;
/** Sessions without bars after which a record is stale. */
const STALE_SESSIONS = 3;

/** State of the candles of a symbol. */
export interface SymbolCandles {
  readonly calendar: Calendar;
  /** Start of the newest closed candle. */
  readonly last: number;
  /** Moment before which all bars have come; undefined if the feed sends none. */
  readonly through: number | undefined;
}

/** Returns the last trading day whose candles have all come, in days since the epoch. */
const completeThrough = (
  { calendar, last, through = Number.NEGATIVE_INFINITY }: SymbolCandles,
  timeframe: Timeframe,
  days: BarDays,
): number => {
  const day = days.numberOf(last);
  if (INTRADAY_MS[timeframe] === undefined || timeframe === '1w') return day;
  const end = days.endOf(day);
  if (through >= end) return days.numberOf(through) - 1;
  const covered = Math.max(through, nextStart(calendar, timeframe, last));
  const isOver = calendar.sessionsKnown && expectedBars(calendar, timeframe, covered, end) === 0;
  return covered >= end || isOver ? day : day - 1;
};

/**
 * Returns the last trading day that a record can take, in days since the epoch: all symbols have their candles of it, or
 * lag behind the others for days.
 */
export const lastCompleteDay = (
  symbols: readonly SymbolCandles[],
  timeframe: Timeframe,
  days: BarDays,
  now: number,
): number => {
  const complete = symbols.map((one) => completeThrough(one, timeframe, days));
  const waitedFor = Math.min(Math.max(...complete), days.numberOf(now - PATIENCE_MS));
  return Math.min(...complete.map((day) => Math.max(day, waitedFor)));
};

/** Returns whether sessions of a symbol have passed without a bar. */
export const isStale = ({ calendar, last, through = last }: SymbolCandles, now: number): boolean => {
  let sessions = 0;
  const from = Math.max(last, through);
  for (let day = dayAt(calendar, from); day.close <= now || day.end <= now; day = dayAt(calendar, day.end)) {
    if (day.open > from && day.close <= now) sessions += 1;
    if (sessions >= STALE_SESSIONS) return true;
  }
  return false;
};
