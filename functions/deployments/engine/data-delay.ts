import { type Calendar, calendarById } from '../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../shared/domain/candles/close-time.ts';
import { nextSlot } from '../../../shared/domain/candles/slots.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';

const DAY_MS = 86_400_000;
/** A feed is not repaired for this long; bars that lag more are those of a replay. */
const REPLAY_MS = 7 * DAY_MS;

/** Bars of a symbol, and the deployment that they are for. */
export interface BarTimes {
  readonly calendar: string;
  readonly timeframe: Timeframe;
  /** Start of the newest bar. */
  readonly at: number;
  /** Start of the bar after which the deployment began. */
  readonly joinedAt: number | undefined;
  readonly deployedAt: number;
  readonly isDemo: boolean;
  /** True if the deployment trades on recorded bars that are fed once more. */
  readonly isReplayed?: boolean;
}

/** Times of the bars of a symbol against the clock, in milliseconds. */
export interface DataDelay {
  /** Close of the newest bar. */
  readonly closedAt: number;
  /** Close of the next bar; null without a session within a month. */
  readonly dueAt: number | null;
  /** Time since the next bar was due; null if the bars have a time of their own. */
  readonly delay: number | null;
  readonly note: string | null;
  /** True if two bars or more are due. */
  readonly isOverdue: boolean;
}

const dueAfter = (calendar: Calendar, timeframe: Timeframe, start: number): number | undefined => {
  const next = nextSlot(calendar, timeframe, start);
  return next === undefined ? undefined : closeTimeOf(calendar, timeframe, next);
};

const secondDue = (calendar: Calendar, timeframe: Timeframe, start: number): number => {
  const next = nextSlot(calendar, timeframe, start);
  return (next !== undefined && dueAfter(calendar, timeframe, next)) || Number.POSITIVE_INFINITY;
};

/** Compares the newest bar with the clock, by the exchange's calendar. */
export const dataDelayOf = (
  { calendar: id, timeframe, at, joinedAt, deployedAt, isDemo, isReplayed = false }: BarTimes,
  now: number,
): DataDelay => {
  const calendar = calendarById(id);
  const due = dueAfter(calendar, timeframe, at);
  const late = due === undefined ? 0 : Math.max(0, now - due);
  const firstDue = joinedAt === undefined ? undefined : dueAfter(calendar, timeframe, joinedAt);
  const isReplay =
    isReplayed || (firstDue !== undefined && deployedAt - firstDue > REPLAY_MS && late > REPLAY_MS);
  const known = { closedAt: closeTimeOf(calendar, timeframe, at), dueAt: due ?? null };
  if (isDemo || isReplay) {
    const note =
      isDemo && !isReplayed
        ? 'The demo market has a time of its own.'
        : 'The bars are those of a past time, in which the deployment lives.';
    return { ...known, delay: null, note, isOverdue: false };
  }
  return { ...known, delay: late, note: null, isOverdue: now >= secondDue(calendar, timeframe, at) };
};
