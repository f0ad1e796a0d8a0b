import type { TradingDays } from '../candles/trading-days.ts';
import { rolloverAt } from '../instruments/rollover.ts';
import { decimal } from '../money.ts';
import { addDays, dayOf as utcDayOf } from '../periods.ts';
import type { SwapEntry } from './entries.ts';
import { copyLedger, daysOf, isQuoted, type Ledger, MAX_QUOTES, MAX_SYMBOL_QUOTES } from './ledger-state.ts';
import { advance, type Booked, effectiveTime, recounted, settleBefore, withEntry } from './replay.ts';

/** A swap charge in the deployment's currency. */
export interface SwapCharge {
  readonly symbol: string;
  readonly charge_id: string;
  readonly occurred_at: string;
  /** Negative is a charge. */
  readonly amount: string;
}

/** A market price of a symbol. */
export interface Quote {
  readonly symbol: string;
  readonly occurred_at: string;
  readonly price: string;
  /** Exchange rate from the quote currency to the deployment's, if they differ. */
  readonly rate?: string | undefined;
}

/**
 * Books a swap charge. The ledger recognizes only the latest charges, so the caller must keep a record of each
 * `charge_id`, written in the same transaction, and check it first.
 *
 * @param facts of the hub's own engine.
 * @returns undefined if the ledger has the charge already.
 */
export const applySwapCharge = (
  ledger: Ledger,
  charge: SwapCharge,
  { place = null }: { readonly place?: number | null | undefined } = {},
): Booked | undefined => {
  const { symbol, charge_id, amount } = charge;
  if (ledger.recent.some((entry) => entry[0] === 'swap' && entry[3] === charge_id)) return undefined;
  const occurredAt = Date.parse(charge.occurred_at);
  const at = effectiveTime(ledger, occurredAt);
  const entry: SwapEntry = ['swap', at, symbol, charge_id, amount, place];
  return withEntry(at > occurredAt ? { ...ledger, late: ledger.late + 1 } : ledger, entry);
};

type DayQuote = Ledger['quotes'][string][number];

/** Returns whether a quote replaces another. At equal times the higher price does, so that arrival does not matter. */
const isLater = (left: DayQuote, right: DayQuote): boolean => {
  if (left[0] !== right[0]) return left[0] > right[0];
  const [price, other] = [decimal(left[1]), decimal(right[1])];
  return price.eq(other) ? decimal(left[2] ?? '1').gt(right[2] ?? '1') : price.gt(other);
};

/** Returns the trading day that a quote belongs to, and the rollover before which it came. */
const partOf = ({ dayOf }: TradingDays, at: number): string => {
  const date = utcDayOf(at);
  return `${dayOf(at)} ${at <= rolloverAt(date) ? date : addDays(date, 1)}`;
};

/** Adds a quote; returns the same array if a later one of the same part of the day is known. */
const withQuote = (days: TradingDays, quotes: DayQuote[], quote: DayQuote): DayQuote[] => {
  const part = partOf(days, quote[0]);
  const index = quotes.findIndex(([at]) => partOf(days, at) >= part);
  if (index === -1) return [...quotes, quote];
  const found = quotes[index];
  if (found === undefined || partOf(days, found[0]) !== part) return quotes.toSpliced(index, 0, quote);
  return isLater(quote, found) ? quotes.with(index, quote) : quotes;
};

/** Returns whether a ledger exceeds the limits of quotes: per symbol, or in total without the first of each symbol. */
const hasTooManyQuotes = ({ quotes }: Ledger): boolean => {
  const counts = Object.values(quotes).map(({ length }) => length);
  return (
    Math.max(...counts) > MAX_SYMBOL_QUOTES || counts.reduce((sum, count) => sum + count - 1, 0) > MAX_QUOTES
  );
};

/** Settles the oldest days until the ledger is within the limits of quotes. */
const withFewerQuotes = (ledger: Ledger): Ledger => {
  const settled = copyLedger(ledger);
  const newest = daysOf(ledger).dayOf(
    Math.max(...Object.values(ledger.quotes).flatMap((quotes) => quotes.at(-1)?.[0] ?? [])),
  );
  settleBefore(settled, settled.base.day);
  while (hasTooManyQuotes(settled) && settled.base.day < newest)
    settleBefore(settled, addDays(settled.base.day, 1));
  advance(settled, settled.head, settled.base.day);
  return settled;
};

/** Adds a quote without counting any day again; the same ledger if it is ignored. */
const added = (ledger: Ledger, quote: Quote): Ledger => {
  const at = Date.parse(quote.occurred_at);
  effectiveTime(ledger, at);
  if (!isQuoted(ledger, quote.symbol)) return ledger;
  const days = daysOf(ledger);
  const known = ledger.quotes[quote.symbol] ?? [];
  const oldest = known[0];
  const made: DayQuote = quote.rate === undefined ? [at, quote.price] : [at, quote.price, quote.rate];
  if (days.dayOf(at) < ledger.base.day && oldest !== undefined && !isLater(made, oldest)) return ledger;
  const quotes = withQuote(days, known, made);
  return quotes === known ? ledger : { ...ledger, quotes: { ...ledger.quotes, [quote.symbol]: quotes } };
};

/**
 * Applies quotes. Ignores one if a later quote of that day is known, the day is settled, or the symbol is neither held
 * nor one of the deployment's own. Returns the same ledger if it ignores all.
 */
export const applyQuotes = (ledger: Ledger, quotes: readonly Quote[]): Ledger => {
  let changed = ledger;
  const { dayOf } = daysOf(ledger);
  let first = ledger.head.day;
  for (const quote of quotes) {
    const next = added(changed, quote);
    const day = dayOf(Date.parse(quote.occurred_at));
    if (next !== changed && day < first) first = day;
    changed = next;
  }
  if (changed === ledger) return ledger;
  const current = first < ledger.head.day ? recounted(changed) : changed;
  return hasTooManyQuotes(current) || first < ledger.base.day ? withFewerQuotes(current) : current;
};

/** Applies a quote, as {@link applyQuotes} does. */
export const applyQuote = (ledger: Ledger, quote: Quote): Ledger => applyQuotes(ledger, [quote]);
