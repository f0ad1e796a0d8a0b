import { addDayRecords, type History } from './equity-history.ts';
import { advance, settleBefore } from './ledger-replay.ts';
import { type Ledger, SETTLE_DAYS } from './ledger-state.ts';
import { addDays, type Day, dayOf, daysBetween } from './periods.ts';

/** Days that one call closes at most: a long pause is caught up with in several. */
const MAX_DAYS_AT_ONCE = 400;

/** What closing days leads to: both are to be written in one transaction. */
export interface ClosedDays {
  readonly ledger: Ledger;
  readonly history: History;
  /** False where days are left to close. */
  readonly done: boolean;
}

/**
 * Declares the days up to `through` to be over: each gets its equity, at the last quotes of that day. Days that
 * ended more than {@link SETTLE_DAYS} before are settled and go to the history. Repeating it changes nothing.
 */
export const closeDays = (ledger: Ledger, history: History, through: Day): ClosedDays => {
  const from = ledger.closed_through ?? addDays(dayOf(ledger.started_at), -1);
  if (through <= from) return { ledger, history, done: true };
  const done = daysBetween(from, through) <= MAX_DAYS_AT_ONCE;
  const last = done ? through : addDays(from, MAX_DAYS_AT_ONCE);
  const closed = { ...structuredClone(ledger), closed_through: last };
  advance(closed, closed.head, addDays(last, 1));
  settleBefore(closed, addDays(last, -SETTLE_DAYS));
  const written = addDayRecords(history, closed.base.days);
  closed.base.days = [];
  const settled = written.through;
  if (settled !== null) closed.head.days = closed.head.days.filter(([day]) => day > settled);
  return { ledger: closed, history: written, done };
};

/** The history with the days that the ledger has not settled yet, and the day that is going on. */
export const historyWith = (ledger: Ledger, history: History): History => {
  const { head } = ledger;
  return addDayRecords(history, [...head.days, [head.day, null, head.day_net, head.day_trades]]);
};
