import { addDays, type Day, daysBetween } from '../periods.ts';
import { openPositions } from './account.ts';
import { heldToMark } from './last-prices.ts';
import { daysOf, type Ledger, MAX_RECENT, SETTLE_DAYS } from './ledger-state.ts';
import { markOf } from './marks.ts';

/** Unclosed days after which a change closes them first. */
const MANY_DAYS = 10;

const lastClosed = (ledger: Ledger): Day =>
  ledger.closed_through ?? addDays(daysOf(ledger).dayOf(ledger.started_at), -1);

/** Returns the first day that is not closed. */
export const firstOpenDay = (ledger: Ledger): Day => addDays(lastClosed(ledger), 1);

/** Returns the fills and charges of a symbol that are newer than its quotes. */
const entriesAfterQuotes = ({ recent, quotes }: Ledger, symbol: string): Ledger['recent'] => {
  const quoted = quotes[symbol]?.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
  return recent.filter((entry) => entry[2] === symbol && entry[1] > quoted);
};

/** Returns the symbols that need prices to close days: those with a position, or with entries newer than their quotes. */
export const symbolsToClose = (ledger: Ledger): string[] => {
  const open = openPositions(ledger.head).map(([symbol]) => symbol);
  const traded = ledger.recent.map(([, , symbol]) => symbol);
  return [...new Set([...open, ...traded])].filter(
    (symbol) => open.includes(symbol) || entriesAfterQuotes(ledger, symbol).length > 0,
  );
};

/**
 * Returns the first day whose closes are needed: the one before the first open day, as its last bar may have come late;
 * or the day of a fill that came after its day was closed.
 */
export const firstPricedDay = (ledger: Ledger, symbols: readonly string[]): Day => {
  const { dayOf } = daysOf(ledger);
  const days = symbols.flatMap((symbol) => entriesAfterQuotes(ledger, symbol)).map(([, at]) => dayOf(at));
  const first = days.reduce((left, right) => (right < left ? right : left), lastClosed(ledger));
  return first > ledger.base.day ? first : ledger.base.day;
};

/** Returns the time of the newest quote or fill of each open position that needs no rate. */
export const newestMarks = (ledger: Ledger): Map<string, number> =>
  new Map(
    heldToMark(ledger).flatMap((symbol) => {
      const position = ledger.head.symbols[symbol]?.position;
      if (!position) return [];
      return [[symbol, markOf(ledger, symbol, position, Number.POSITIVE_INFINITY, 'always').at] as const];
    }),
  );

/**
 * Returns the day through which the days before a bar have to be closed before a fill at the bar is booked: once there
 * are many, or the ledger may soon forget single fills. A job closes fewer ones later, with the same result.
 */
export const marketDaysDue = (ledger: Ledger, at: number): Day | undefined => {
  const through = addDays(daysOf(ledger).dayOf(at), -1);
  const days = daysBetween(lastClosed(ledger), through);
  const isDue = days >= MANY_DAYS || (days > 0 && ledger.recent.length >= MAX_RECENT / 2);
  return isDue ? through : undefined;
};

/**
 * Returns the day through which a job may close the days of a deployment that lives in the time of its bars: the one
 * before the newest bar. Fills of bars that the engine has not worked on yet count on their own days for ten days, so
 * a round goes no further beyond what is known.
 */
export const marketDaysBefore = (ledger: Ledger, newestBar: number): Day => {
  const { dayOf } = daysOf(ledger);
  const before = addDays(dayOf(newestBar), -1);
  const booked = dayOf(Math.max(ledger.head.at, ledger.started_at));
  const known = booked > lastClosed(ledger) ? booked : lastClosed(ledger);
  const furthest = addDays(known, SETTLE_DAYS);
  return before < furthest ? before : furthest;
};
