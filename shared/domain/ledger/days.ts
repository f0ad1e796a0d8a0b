import { addDayRecords, type DayRecord, type History } from '../metrics/equity-history.ts';
import { addEquity, type EquityStats } from '../metrics/equity-stats.ts';
import { type Decimal, decimal } from '../money.ts';
import { addDays, type Day, dayOf, daysBetween } from '../periods.ts';
import { copyAccount } from './account.ts';
import { changedRollovers } from './ledger-rollovers.ts';
import { copyLedger, type Ledger, SETTLE_DAYS } from './ledger-state.ts';
import { totalsOf } from './read-ledger.ts';
import { advance, isTradingDay, settleBefore } from './replay.ts';

/** Days that one call closes at most: a long pause is caught up with in several. */
const MAX_DAYS_AT_ONCE = 400;

/** What closing days leads to: both are to be written in one transaction. */
export interface ClosedDays {
  readonly ledger: Ledger;
  readonly history: History;
  /** False where days are left to close. */
  readonly done: boolean;
}

/** Days that single events are remembered for at most, where a rollover is to be charged again. */
const MAX_SETTLE_DAYS = 10;

/** The day that single events are forgotten before: a rollover that a late event changed is remembered. */
const settledBy = (ledger: Ledger, last: Day): Day => {
  const usual = addDays(last, -SETTLE_DAYS);
  const changed = changedRollovers(ledger)[0]?.day ?? usual;
  const longest = addDays(last, -MAX_SETTLE_DAYS);
  if (changed >= usual) return usual;
  return changed > longest ? changed : longest;
};

/**
 * Declares the days up to `through` to be over: each gets its equity, at the last quotes of that day. Days that
 * ended more than {@link SETTLE_DAYS} before are settled and go to the history. Repeating it changes nothing.
 */
export const closeDays = (ledger: Ledger, history: History, through: Day): ClosedDays => {
  const from = ledger.closed_through ?? addDays(dayOf(ledger.started_at), -1);
  if (through <= from) return { ledger, history, done: true };
  const done = daysBetween(from, through) <= MAX_DAYS_AT_ONCE;
  const last = done ? through : addDays(from, MAX_DAYS_AT_ONCE);
  const closed = { ...copyLedger(ledger), closed_through: last };
  advance(closed, closed.head, addDays(last, 1));
  settleBefore(closed, settledBy(closed, last));
  const written = addDayRecords(history, closed.base.days);
  closed.base.days = [];
  const settled = written.through;
  if (settled !== null) closed.head.days = closed.head.days.filter(([day]) => day > settled);
  return { ledger: closed, history: written, done };
};

/** Equity up to an instant. */
export interface EquityNow {
  /** Statistics of daily equity, with the day that is going on as if it ended now. */
  readonly stats: EquityStats;
  /** Undefined where an open position has no price; the day that is going on does not count then. */
  readonly equity: Decimal | undefined;
  /** The days that are not in the history yet, the one that is going on last. */
  readonly days: readonly DayRecord[];
}

/** Counts in the days that are over and not closed yet, at their last quotes, and the one that is going on. */
export const equityNow = (ledger: Ledger, at: number): EquityNow => {
  const account = copyAccount(ledger.head);
  const today = dayOf(at);
  advance(ledger, account, today);
  const { equity: total, unrealized_pnl } = totalsOf(ledger);
  const equity = unrealized_pnl === null ? undefined : decimal(total);
  const counts = equity !== undefined && account.day === today && isTradingDay(ledger, today);
  return {
    stats: counts ? addEquity(account.equity, equity) : account.equity,
    equity,
    days: [...account.days, [account.day, null, account.day_net, account.day_trades]],
  };
};
