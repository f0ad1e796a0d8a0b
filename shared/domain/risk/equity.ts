import { netOf, openPositions } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger-state.ts';
import { type Mark, markOf } from '../ledger/marks.ts';
import { unrealized } from '../ledger/position.ts';
import { equityBefore } from '../ledger/replay.ts';
import { converted, type Decimal, decimal, scaled } from '../money.ts';
import { dayOf } from '../periods.ts';

/** Prices that are newer than the quotes of a ledger, by symbol. */
export type Marks = ReadonlyMap<string, Pick<Mark, 'price' | 'at'>>;

const NO_MARKS: Marks = new Map();

type Held = ReturnType<typeof openPositions>[number];

/** Returns the price of a position: the newest of quote, fill and given mark; undefined without quote and mark. */
const priceOf = (ledger: Ledger, [symbol, position]: Held, marks: Marks): Mark | undefined => {
  const known = markOf(ledger, symbol, position);
  const mark = marks.get(symbol);
  if (!mark) return known;
  if (known && known.at > mark.at) return known;
  return known?.rate === undefined ? mark : { ...mark, rate: known.rate };
};

/** Computes the equity of a ledger. A position that was never priced counts at cost. */
export const equityOf = (ledger: Ledger, marks: Marks = NO_MARKS): Decimal => {
  let equity = decimal(ledger.starting_capital).plus(netOf(ledger.head));
  for (const held of openPositions(ledger.head)) {
    const mark = priceOf(ledger, held, marks);
    if (!mark) continue;
    const [symbol, position] = held;
    equity = equity.plus(unrealized(position, mark.price, ledger.contract_sizes[symbol] ?? '1', mark.rate));
  }
  return equity;
};

/**
 * Computes the equity at which the day of a moment began: that of the last trading day before it. Days are those of the
 * ledger, in UTC.
 */
export const dayStart = (ledger: Ledger, at: number): string => equityBefore(ledger, ledger.head, dayOf(at));

/** Computes the values of the open positions, without sign, in the currency of the deployment. */
export const positionValues = (ledger: Ledger, marks: Marks = NO_MARKS): Map<string, Decimal> => {
  const values = new Map<string, Decimal>();
  for (const held of openPositions(ledger.head)) {
    const [symbol, { cost, quantity, filled }] = held;
    const mark = priceOf(ledger, held, marks);
    const size = ledger.contract_sizes[symbol] ?? '1';
    const value = mark ? scaled(decimal(quantity).times(mark.price).times(size)) : decimal(cost);
    values.set(symbol, converted(value, mark?.rate ?? filled?.[2]).abs());
  }
  return values;
};
