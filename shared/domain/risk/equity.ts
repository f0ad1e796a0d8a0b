import { openPositions } from '../ledger/account.ts';
import type { LastPrices } from '../ledger/last-prices.ts';
import { daysOf, type Ledger } from '../ledger/ledger-state.ts';
import { type Mark, markOf } from '../ledger/marks.ts';
import type { Position } from '../ledger/position.ts';
import { equityAt, pricesUntil, unclosedEndBefore } from '../ledger/replay.ts';
import { newestUnitsFrom, priceInUnitsHeld, unitsHeldFrom } from '../ledger/splits.ts';
import { converted, type Decimal, decimal, scaled } from '../money.ts';
import { type Amount, abs, amountOf, minus, plus, type Rough, rough, storedAmount, times } from './amount.ts';

/** Prices that are newer than the quotes of a ledger, by symbol. */
export type Marks = LastPrices;

/** Newest prices of bars, and those at which the day began, of the positions of a deployment. */
export interface OverallMarks {
  readonly now: Marks;
  readonly before: Marks;
}

const NO_MARKS: Marks = new Map();

type Held = ReturnType<typeof openPositions>[number];

/** Returns the price of a position: the newest of quote, fill and given mark; undefined without quote and mark. */
const priceOf = (ledger: Ledger, symbol: string, position: Position, marks: Marks): Mark | undefined => {
  const known = markOf(ledger, symbol, position);
  const mark = marks.get(symbol);
  if (!mark) return known;
  if ((known && known.at > mark.at) || mark.at <= newestUnitsFrom(ledger, symbol)) return known;
  const { at, splits } = mark;
  const price = splits
    ? priceInUnitsHeld(mark.price, unitsHeldFrom(ledger, symbol, position), splits)
    : mark.price;
  return { price, at, rate: known?.rate };
};

type PriceOf = (symbol: string, position: Position) => Mark | undefined;

const pricesOf =
  (ledger: Ledger, marks: Marks): PriceOf =>
  (symbol, position) =>
    priceOf(ledger, symbol, position, marks);

/** Computes the equity of a ledger. A position that was never priced counts at cost. */
export const equityOf = (ledger: Ledger, marks: Marks = NO_MARKS): Decimal =>
  equityAt(ledger, ledger.head, pricesOf(ledger, marks));

const roughValue = (ledger: Ledger, [symbol, { quantity }]: Held, price: string): Rough =>
  times(times(rough(quantity), rough(price)), rough(ledger.contract_sizes[symbol] ?? '1'));

const roughlyConverted = (value: Rough, rate: string | undefined): Rough =>
  rate === undefined ? value : times(value, rough(rate));

/** Computes the equity in doubles. @param price returns the price of a position; undefined counts it at cost. */
const roughEquity = (ledger: Ledger, price: PriceOf): Rough => {
  const { gross, fees, swap } = ledger.head;
  let equity = plus(minus(plus(rough(ledger.starting_capital), rough(gross)), rough(fees)), rough(swap));
  for (const held of openPositions(ledger.head)) {
    const mark = price(...held);
    if (!mark) continue;
    const result = minus(roughValue(ledger, held, mark.price), rough(held[1].cost));
    equity = plus(equity, roughlyConverted(result, mark.rate));
  }
  return equity;
};

const equityAmountAt = (ledger: Ledger, price: PriceOf): Amount =>
  amountOf(roughEquity(ledger, price), () => equityAt(ledger, ledger.head, price));

/** Returns the {@link equityOf} a ledger as an amount to compare with limits. */
export const equityAmount = (ledger: Ledger, marks: Marks = NO_MARKS): Amount =>
  equityAmountAt(ledger, pricesOf(ledger, marks));

/**
 * Computes the equity at which the day of a moment began: that of the last trading day before it. Days are those of the
 * ledger.
 */
export const dayStart = (ledger: Ledger, at: number): Amount => {
  const { head } = ledger;
  const end = unclosedEndBefore(ledger, head, daysOf(ledger).dayOf(at));
  return end === undefined
    ? storedAmount(head.equity.last)
    : equityAmountAt(ledger, pricesUntil(ledger, end));
};

const positionValue = (ledger: Ledger, held: Held, marks: Marks): Amount => {
  const [symbol, { cost, quantity, filled }] = held;
  const mark = priceOf(ledger, ...held, marks);
  const rate = mark?.rate ?? filled?.[2];
  const value = mark ? roughValue(ledger, held, mark.price) : rough(cost);
  return amountOf(abs(roughlyConverted(value, rate)), () => {
    const size = ledger.contract_sizes[symbol] ?? '1';
    const exact = mark ? scaled(decimal(quantity).times(mark.price).times(size)) : decimal(cost);
    return converted(exact, rate).abs();
  });
};

/** Computes the values of the open positions, without sign, in the currency of the deployment. */
export const positionValues = (ledger: Ledger, marks: Marks = NO_MARKS): Map<string, Amount> =>
  new Map(openPositions(ledger.head).map((held) => [held[0], positionValue(ledger, held, marks)]));
