import { addEquity } from '../metrics/equity-stats.ts';
import { add, type Decimal, decimal, toText } from '../money.ts';
import { addDays, type Day, daysBetween } from '../periods.ts';
import { type Account, applyEntry, copyAccount, netOf, openPositions, type Trade } from './account.ts';
import type { Entry } from './entries.ts';
import { inOrder, isLast } from './entry-order.ts';
import { keepHeld } from './ledger-rollovers.ts';
import { daysOf, heldSymbols, type Ledger, LedgerError, MAX_RECENT, MAX_SPARE } from './ledger-state.ts';
import { splitLots, withFill } from './lots.ts';
import { type Mark, markOf } from './marks.ts';
import { type Position, unrealized } from './position.ts';

/** Most days that an event may be ahead of the books, so that a wrong clock cannot close a century of days. */
const MAX_DAYS_AHEAD = 400;

/** Realised result of an order: of the positions it closed, and the swap of the trades that it completed. */
export interface Realized {
  /** Number of fills that closed something. */
  readonly closings: number;
  readonly gross: string;
  readonly swap: string;
}

/** Effects of a ledger change on records outside the ledger. */
export interface Effects {
  /** Trades to write, by number; `removed_trades`: numbers of trades to remove, only after a late event. */
  readonly trades: readonly Trade[];
  readonly removed_trades: readonly number[];
  /** By client_order_id: results to add to the orders' own. More than one only after a late event. */
  readonly realized: ReadonlyMap<string, Realized>;
}

interface Replayed {
  readonly account: Account;
  readonly trades: Trade[];
  readonly realized: Map<string, Realized>;
}

export const NOTHING_REALIZED: Realized = { closings: 0, gross: '0', swap: '0' };

/** Adds two realised results. */
export const sumRealized = (left: Realized, right: Realized): Realized => ({
  closings: left.closings + right.closings,
  gross: add(left.gross, right.gross),
  swap: add(left.swap, right.swap),
});

const minus = (left: Realized, right: Realized): Realized => ({
  closings: left.closings - right.closings,
  gross: toText(decimal(left.gross).minus(right.gross)),
  swap: toText(decimal(left.swap).minus(right.swap)),
});

const isNothing = ({ closings, gross, swap }: Realized): boolean =>
  closings === 0 && gross === '0' && swap === '0';

/** Computes equity. @param price returns the price of a position; undefined counts it at cost. */
export const equityAt = (
  ledger: Ledger,
  account: Account,
  price: (symbol: string, position: Position) => Mark | undefined,
): Decimal => {
  let equity = decimal(ledger.starting_capital).plus(netOf(account));
  for (const [symbol, position] of openPositions(account)) {
    const mark = price(symbol, position);
    if (!mark) continue;
    equity = equity.plus(unrealized(position, mark.price, ledger.contract_sizes[symbol] ?? '1', mark.rate));
  }
  return equity;
};

/** Returns the prices up to an instant. A position that was never quoted has none. */
export const pricesUntil =
  (ledger: Ledger, instant: number) =>
  (symbol: string, position: Position): Mark | undefined =>
    markOf(ledger, symbol, position, instant - 1);

/** Closes the days before `day`. Modifies `account`. */
export const advance = (ledger: Ledger, account: Account, day: Day): void => {
  const days = daysOf(ledger);
  while (account.day < day) {
    const next = addDays(account.day, 1);
    const equity = days.isOpenOn(account.day)
      ? equityAt(ledger, account, pricesUntil(ledger, days.startOf(next)))
      : null;
    if (equity !== null) account.equity = addEquity(account.equity, equity);
    account.days.push([account.day, equity && toText(equity), account.day_net, account.day_trades]);
    account.day_net = '0';
    account.day_trades = 0;
    account.day = next;
  }
};

/**
 * Returns the end of the last trading day before `day`, where {@link advance} would compute its equity; undefined if the
 * account has recorded it.
 */
export const unclosedEndBefore = (ledger: Ledger, account: Account, day: Day): number | undefined => {
  if (day <= account.day) return undefined;
  const days = daysOf(ledger);
  let last = addDays(day, -1);
  while (last >= account.day && !days.isOpenOn(last)) last = addDays(last, -1);
  return last < account.day ? undefined : days.startOf(addDays(last, 1));
};

const enter = (ledger: Ledger, replayed: Replayed, entry: Entry): void => {
  const { account, trades, realized } = replayed;
  advance(ledger, account, daysOf(ledger).dayOf(entry[1]));
  const { gross, trade } = applyEntry(account, entry, ledger.contract_sizes[entry[2]] ?? '1');
  if (trade !== null) trades.push(trade);
  if (gross !== null) {
    const added = { closings: 1, gross, swap: trade?.swap ?? '0' };
    realized.set(entry[3], sumRealized(realized.get(entry[3]) ?? NOTHING_REALIZED, added));
  }
};

const start = (account: Account): Replayed => ({
  account: copyAccount(account),
  trades: [],
  realized: new Map(),
});

const replay = (ledger: Ledger, recent: readonly Entry[]): Replayed => {
  const replayed = start(ledger.base);
  for (const entry of recent) enter(ledger, replayed, entry);
  if (ledger.closed_through !== null) advance(ledger, replayed.account, addDays(ledger.closed_through, 1));
  return replayed;
};

const difference = (before: Replayed, after: Replayed): Effects => {
  const known = new Map(before.trades.map((trade) => [trade.number, JSON.stringify(trade)]));
  const trades = after.trades.filter((trade) => known.get(trade.number) !== JSON.stringify(trade));
  const last = after.account.trades.count;
  const removed_trades = [...known.keys()].filter((number) => number > last);
  const realized = new Map<string, Realized>();
  for (const order of new Set([...before.realized.keys(), ...after.realized.keys()])) {
    const change = minus(
      after.realized.get(order) ?? NOTHING_REALIZED,
      before.realized.get(order) ?? NOTHING_REALIZED,
    );
    if (!isNothing(change)) realized.set(order, change);
  }
  return { trades, removed_trades, realized };
};

/** Updates the lots for an entry that is about to enter the base. Modifies `ledger`. */
const keepLots = (ledger: Ledger, entry: Entry): void => {
  if (entry[0] === 'swap') return;
  if (entry[0] === 'split') {
    const { [entry[2]]: lots, ...others } = ledger.lots;
    if (lots) ledger.lots = { ...others, [entry[2]]: splitLots(lots, { units: entry[4], of: entry[5] }) };
    return;
  }
  const [, , symbol, id] = entry;
  const { [id]: closes, ...others } = ledger.by_hand ?? {};
  const held = decimal(ledger.base.symbols[symbol]?.position?.quantity ?? '0');
  ledger.lots = withFill(ledger.lots, held, entry, closes);
  if (closes === undefined) return;
  if (Object.keys(others).length > 0) ledger.by_hand = others;
  else delete ledger.by_hand;
};

/** Moves entries from the front of `recent` to the base while `settled` returns true. Modifies `ledger`. */
const settleWhile = (ledger: Ledger, settled: (oldest: Entry) => boolean): void => {
  let count = 0;
  const replayed: Replayed = { account: ledger.base, trades: [], realized: new Map() };
  for (const entry of ledger.recent) {
    if (!settled(entry)) break;
    keepHeld(ledger, entry[1]);
    keepLots(ledger, entry);
    enter(ledger, replayed, entry);
    count += 1;
  }
  ledger.recent.splice(0, count);
};

const settleOverflow = (ledger: Ledger): void => {
  let excess = ledger.recent.length - MAX_RECENT;
  settleWhile(ledger, () => excess-- > 0);
  forgetFlat(ledger);
};

/** Moves all entries of the days before `day` to the base. Modifies `ledger`. */
export const settleBefore = (ledger: Ledger, day: Day): void => {
  const start = daysOf(ledger).startOf(day);
  settleWhile(ledger, ([, at]) => at < start);
  keepHeld(ledger, start);
  advance(ledger, ledger.base, day);
  forgetFlat(ledger);
};

/** Removes quotes that no closing of a day can need. Modifies `ledger`. */
const forgetQuotes = (ledger: Ledger): void => {
  const start = daysOf(ledger).startOf(ledger.base.day);
  const isForeign = (symbol: string): boolean => !ledger.own.includes(symbol);
  // Most deployments trade only their own symbols.
  const held = Object.keys(ledger.quotes).some(isForeign) ? heldSymbols(ledger) : undefined;
  for (const [symbol, quotes] of Object.entries(ledger.quotes)) {
    const from = quotes.findLastIndex(([at]) => at < start);
    if (isForeign(symbol) && !held?.has(symbol)) delete ledger.quotes[symbol];
    else if (from > 0) ledger.quotes[symbol] = quotes.slice(from);
  }
};

/** Removes the swap of flat symbols, except for those charged last. Modifies `ledger`. */
const forgetSwap = (ledger: Ledger): void => {
  const { base, head } = ledger;
  if (Object.keys(base.symbols).length <= MAX_SPARE) return;
  const held = heldSymbols(ledger);
  const flat = Object.entries(base.symbols).filter(([symbol]) => !held.has(symbol));
  if (flat.length <= MAX_SPARE) return;
  const newestFirst = flat.sort(
    ([left, { swap_at: leftAt = 0 }], [right, { swap_at: rightAt = 0 }]) =>
      rightAt - leftAt || (left < right ? -1 : 1),
  );
  for (const [symbol] of newestFirst.slice(MAX_SPARE)) {
    delete base.symbols[symbol];
    delete head.symbols[symbol];
  }
};

/** Removes symbols that are flat and have no remembered entries. Modifies `ledger`. */
const forgetFlat = (ledger: Ledger): void => {
  forgetQuotes(ledger);
  forgetSwap(ledger);
};

/** Limits the contract sizes of symbols that are neither held nor the deployment's own. */
export const withFewerSizes = (ledger: Ledger): Ledger => {
  const sizes = Object.entries(ledger.contract_sizes);
  if (sizes.length <= MAX_SPARE) return ledger;
  const held = heldSymbols(ledger);
  const spare = sizes.filter(([symbol]) => !held.has(symbol) && !ledger.own?.includes(symbol));
  if (spare.length <= MAX_SPARE) return ledger;
  const dropped = new Set(spare.slice(0, -MAX_SPARE).map(([symbol]) => symbol));
  return { ...ledger, contract_sizes: Object.fromEntries(sizes.filter(([symbol]) => !dropped.has(symbol))) };
};

/** Copies the parts that settling entries modifies. */
const copyToSettle = (ledger: Ledger, recent: Entry[], head: Account): Ledger => ({
  ...ledger,
  recent,
  head,
  base: copyAccount(ledger.base),
  quotes: { ...ledger.quotes },
});

/** Returns whether a time is so far ahead of the books that a clock must be wrong. Bars have no clock. */
export const isTooFarAhead = (ledger: Ledger, at: number): boolean => {
  const { closed_through: closed, head, market_time } = ledger;
  if (market_time) return false;
  const books = closed !== null && closed > head.day ? closed : head.day;
  return daysBetween(books, daysOf(ledger).dayOf(at)) > MAX_DAYS_AHEAD;
};

/** Returns the time at which an event counts: its own, unless it is too late or before the deployment's start. */
export const effectiveTime = (ledger: Ledger, at: number): number => {
  if (isTooFarAhead(ledger, at)) {
    throw new LedgerError('too_far_ahead', 'the event is dated more than a year ahead');
  }
  return Math.max(at, ledger.base.at, daysOf(ledger).startOf(ledger.base.day));
};

/** A ledger after a change, and the effects of the change on other records. */
export interface Booked {
  readonly ledger: Ledger;
  readonly effects: Effects;
}

/** Replaces the recent entries of a ledger. */
export const withEntries = (ledger: Ledger, recent: readonly Entry[]): Booked => {
  const before = replay(ledger, ledger.recent);
  const sorted = inOrder(ledger.base, recent);
  const after = replay(ledger, sorted);
  const changed = copyToSettle(ledger, sorted, after.account);
  settleOverflow(changed);
  return { ledger: changed, effects: difference(before, after) };
};

/** Adds an entry to a ledger. */
export const withEntry = (ledger: Ledger, entry: Entry): Booked => {
  const isNext =
    isLast(ledger.recent, ledger.head, entry) && daysOf(ledger).dayOf(entry[1]) >= ledger.head.day;
  if (!isNext) return withEntries(ledger, [...ledger.recent, entry]);
  const replayed = start(ledger.head);
  enter(ledger, replayed, entry);
  const { account, trades, realized } = replayed;
  const recent = [...ledger.recent, entry];
  const isFull = recent.length > MAX_RECENT;
  const changed = isFull ? copyToSettle(ledger, recent, account) : { ...ledger, recent, head: account };
  if (isFull) settleOverflow(changed);
  return { ledger: changed, effects: { trades, removed_trades: [], realized } };
};

/** Rebuilds the head of a ledger after a change of the quotes that days were closed at. */
export const recounted = (ledger: Ledger): Ledger => ({
  ...ledger,
  head: replay(ledger, ledger.recent).account,
});
