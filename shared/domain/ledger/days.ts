import { addDayRecords, type DayRecord, type History } from '../metrics/equity-history.ts';
import { addEquity, addWithoutReturn, type EquityStats } from '../metrics/equity-stats.ts';
import { type Decimal, decimal } from '../money.ts';
import { addDays, type Day, daysBetween } from '../periods.ts';
import { copyAccount } from './account.ts';
import { changedRollovers } from './ledger-rollovers.ts';
import { copyLedger, daysOf, type Ledger, SETTLE_DAYS } from './ledger-state.ts';
import { totalsOf } from './read-ledger.ts';
import { advance, settleBefore } from './replay.ts';

/** Most days that one call closes; a long pause takes several calls. */
const MAX_DAYS_AT_ONCE = 400;

/** Result of closing days. Ledger and history must be written in one transaction. */
export interface ClosedDays {
  readonly ledger: Ledger;
  readonly history: History;
  /** False if days are left to close. */
  readonly done: boolean;
}

/** Most days for which single events are remembered, if a rollover is to be charged again. */
const MAX_SETTLE_DAYS = 10;

/** Returns the day before which single events are forgotten. A rollover that a late event changed is remembered. */
const settledBy = (ledger: Ledger, last: Day): Day => {
  const usual = addDays(last, -SETTLE_DAYS);
  const changed = changedRollovers(ledger)[0]?.day ?? usual;
  const longest = addDays(last, -MAX_SETTLE_DAYS);
  if (changed >= usual) return usual;
  return changed > longest ? changed : longest;
};

/**
 * Closes the days up to `through`: each gets its equity, at the last quotes of that day. Days that ended more than
 * {@link SETTLE_DAYS} ago are settled and move to the history. Idempotent.
 */
export const closeDays = (ledger: Ledger, history: History, through: Day): ClosedDays => {
  const from = ledger.closed_through ?? addDays(daysOf(ledger).dayOf(ledger.started_at), -1);
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
  /**
   * Statistics of daily equity; the current day counts as if it ended now. A day that is not a trading day counts for the
   * drawdown and has no return.
   */
  readonly stats: EquityStats;
  /** Undefined if an open position has no price; the current day does not count then. */
  readonly equity: Decimal | undefined;
  /** Days that are not in the history yet; the current one is last. */
  readonly days: readonly DayRecord[];
}

/** Computes equity including ended days that are not closed yet, at their last quotes, and the current day. */
export const equityNow = (ledger: Ledger, at: number): EquityNow => {
  const account = copyAccount(ledger.head);
  const trading = daysOf(ledger);
  const today = trading.dayOf(at);
  advance(ledger, account, today);
  const { equity: total, unrealized_pnl } = totalsOf(ledger);
  const equity = unrealized_pnl === null ? undefined : decimal(total);
  const addToday = trading.isOpenOn(today) ? addEquity : addWithoutReturn;
  return {
    stats: equity !== undefined && account.day === today ? addToday(account.equity, equity) : account.equity,
    equity,
    days: [...account.days, [account.day, null, account.day_net, account.day_trades]],
  };
};
