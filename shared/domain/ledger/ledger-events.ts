import { rolloverAt } from '../instruments/rollover.ts';
import { decimal } from '../money.ts';
import { addDays, dayOf } from '../periods.ts';
import type { SwapEntry } from './entries.ts';
import { copyLedger, isQuoted, type Ledger, MAX_QUOTES, MAX_SYMBOL_QUOTES } from './ledger-state.ts';
import { advance, type Effects, effectiveTime, recounted, settleBefore, withEntry } from './replay.ts';

export interface SwapCharge {
  readonly symbol: string;
  readonly charge_id: string;
  readonly occurred_at: string;
  /** Negative is a charge. */
  readonly amount: string;
}

export interface Quote {
  readonly symbol: string;
  readonly occurred_at: string;
  readonly price: string;
  /** From the quote currency to the deployment's, where they differ. */
  readonly rate?: string | undefined;
}

/**
 * Takes in a swap charge; undefined where the ledger remembers it. It remembers the latest ones only: the
 * caller keeps a record of each `charge_id`, written in the same transaction, and asks it first.
 */
export const applySwapCharge = (ledger: Ledger, charge: SwapCharge): [Ledger, Effects] | undefined => {
  const { symbol, charge_id, amount } = charge;
  if (ledger.recent.some((entry) => entry[0] === 'swap' && entry[3] === charge_id)) return undefined;
  const occurredAt = Date.parse(charge.occurred_at);
  const at = effectiveTime(ledger, occurredAt);
  const entry: SwapEntry = ['swap', at, symbol, charge_id, amount];
  return withEntry(at > occurredAt ? { ...ledger, late: ledger.late + 1 } : ledger, entry);
};

type DayQuote = Ledger['quotes'][string][number];

/** Of two quotes of one instant the higher counts, so that the order of arrival does not. */
const isLater = (left: DayQuote, right: DayQuote): boolean => {
  if (left[0] !== right[0]) return left[0] > right[0];
  const [price, other] = [decimal(left[1]), decimal(right[1])];
  return price.eq(other) ? decimal(left[2] ?? '1').gt(right[2] ?? '1') : price.gt(other);
};

/** The part of a day that a quote is of: what it is worth at the rollover, and at the end of the day. */
const partOf = (at: number): string => {
  const day = dayOf(at);
  return `${day} ${at <= rolloverAt(day) ? 1 : 2}`;
};

/** A symbol's quotes with one more; the same array where a later one of that part of the day is known. */
const withQuote = (quotes: DayQuote[], quote: DayQuote): DayQuote[] => {
  const part = partOf(quote[0]);
  const index = quotes.findIndex(([at]) => partOf(at) >= part);
  if (index === -1) return [...quotes, quote];
  const found = quotes[index];
  if (found === undefined || partOf(found[0]) !== part) return quotes.toSpliced(index, 0, quote);
  return isLater(quote, found) ? quotes.with(index, quote) : quotes;
};

/** Whether there are more quotes than may be: of all symbols, apart from the first of each, or of one. */
const hasTooManyQuotes = ({ quotes }: Ledger): boolean => {
  const counts = Object.values(quotes).map(({ length }) => length);
  return (
    Math.max(...counts) > MAX_SYMBOL_QUOTES || counts.reduce((sum, count) => sum + count - 1, 0) > MAX_QUOTES
  );
};

/** The ledger with its oldest days settled, until it has no more quotes than it may. */
const withFewerQuotes = (ledger: Ledger): Ledger => {
  const settled = copyLedger(ledger);
  const newest = dayOf(
    Math.max(...Object.values(ledger.quotes).flatMap((quotes) => quotes.at(-1)?.[0] ?? [])),
  );
  settleBefore(settled, settled.base.day);
  while (hasTooManyQuotes(settled) && settled.base.day < newest)
    settleBefore(settled, addDays(settled.base.day, 1));
  advance(settled, settled.head, settled.base.day);
  return settled;
};

/**
 * Takes in a quote; the same ledger where it knows a later one of that day, the day is long settled, or the symbol
 * is neither held nor one of the deployment's own.
 */
export const applyQuote = (ledger: Ledger, quote: Quote): Ledger => {
  const at = Date.parse(quote.occurred_at);
  effectiveTime(ledger, at);
  if (!isQuoted(ledger, quote.symbol)) return ledger;
  const known = ledger.quotes[quote.symbol] ?? [];
  const oldest = known[0];
  const day = dayOf(at);
  const made: DayQuote = quote.rate === undefined ? [at, quote.price] : [at, quote.price, quote.rate];
  if (day < ledger.base.day && oldest !== undefined && !isLater(made, oldest)) return ledger;
  const quotes = withQuote(known, made);
  if (quotes === known) return ledger;
  const changed = { ...ledger, quotes: { ...ledger.quotes, [quote.symbol]: quotes } };
  const current = day < ledger.head.day ? recounted(changed) : changed;
  return hasTooManyQuotes(current) || day < ledger.base.day ? withFewerQuotes(current) : current;
};
