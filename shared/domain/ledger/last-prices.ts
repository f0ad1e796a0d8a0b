import { tradingDaysOf } from '../candles/trading-days.ts';
import { type Decimal, toText, zero } from '../money.ts';
import type { SeriesSplit } from '../splits/split-bars.ts';
import { openPositions } from './account.ts';
import { applyQuote } from './ledger-events.ts';
import type { Ledger } from './ledger-state.ts';
import { lastRate, markOf } from './marks.ts';
import { unrealized } from './position.ts';
import type { LedgerTotals, OpenPosition } from './read-ledger.ts';
import { isTooFarAhead } from './replay.ts';
import { priceInUnitsHeld, unitsHeldFrom } from './splits.ts';

/** Last price of a symbol: the close of its newest bar, and the time of that close in milliseconds. */
export interface LastPrice {
  readonly price: string;
  readonly at: number;
  /** Splits of the series up to the close. */
  readonly splits?: readonly SeriesSplit[] | undefined;
}

export type LastPrices = ReadonlyMap<string, LastPrice>;

/** Figures of a deployment that depend on the prices of its open positions. */
interface OpenFigures {
  readonly starting_capital: string;
  readonly positions: readonly OpenPosition[];
  readonly totals: LedgerTotals;
}

/** An open position valued at another price, and the change of its result. */
interface Marked {
  readonly position: OpenPosition;
  readonly change: Decimal;
  readonly at: number;
}

/** Values a position at a last price; undefined if its quote or its last fill is as new, or the price needs a rate. */
const markPosition = (position: OpenPosition, last: LastPrice | undefined): Marked | undefined => {
  const { basis, side, quantity, as_of, unrealized_pnl } = position;
  if (last === undefined || basis === undefined) return undefined;
  const heldFrom = basis.filled_at;
  if (last.at <= Math.max(heldFrom, as_of === null ? 0 : Date.parse(as_of))) return undefined;
  const price = priceInUnitsHeld(last.price, heldFrom, last.splits);
  const signed = { quantity: side === 'long' ? quantity : `-${quantity}`, cost: basis.cost };
  const result = unrealized(signed, price, basis.contract_size);
  return {
    position: {
      ...position,
      last_price: price,
      unrealized_pnl: toText(result),
      as_of: new Date(last.at).toISOString(),
    },
    change: result.minus(unrealized_pnl ?? 0),
    at: last.at,
  };
};

/**
 * Marks open positions at the newest of last price, quote and fill. The figures are those after a quote event of the
 * same price. Returns the same object if no last price is newer.
 *
 * @param prices by symbol; a position without one keeps its mark.
 */
export const markedFigures = <F extends OpenFigures>(figures: F, prices: LastPrices): F => {
  const marks = figures.positions.map((position) => markPosition(position, prices.get(position.symbol)));
  if (marks.every((mark) => mark === undefined)) return figures;
  const { totals } = figures;
  const { closed_day: closedDay = '', calendars } = totals;
  const { dayOf } = tradingDaysOf(calendars);
  let [change, today] = [zero(), zero()];
  for (const mark of marks) {
    if (mark === undefined) continue;
    change = change.plus(mark.change);
    // An older price moves the equity of the closed day as well.
    if (dayOf(mark.at) > closedDay) today = today.plus(mark.change);
  }
  const positions = figures.positions.map((position, index) => marks[index]?.position ?? position);
  const results = positions.map(({ unrealized_pnl }) => unrealized_pnl);
  const total = change.plus(totals.total_pnl);
  return {
    ...figures,
    positions,
    totals: {
      ...totals,
      unrealized_pnl: results.includes(null)
        ? null
        : toText(results.reduce((sum, result) => sum.plus(result ?? 0), zero())),
      as_of: positions.flatMap(({ as_of }) => as_of ?? []).sort()[0] ?? null,
      total_pnl: toText(total),
      today_pnl: toText(today.plus(totals.today_pnl)),
      equity: toText(change.plus(totals.equity)),
    },
  };
};

/** Returns the symbols of the open positions that last prices can mark. */
export const symbolsToMark = ({ positions }: Pick<OpenFigures, 'positions'>): string[] =>
  positions.flatMap(({ symbol, basis }) => (basis === undefined ? [] : [symbol]));

/** Returns the symbols of a ledger's open positions that last prices can mark. */
export const heldToMark = (ledger: Ledger): string[] =>
  openPositions(ledger.head).flatMap(([symbol]) => (lastRate(ledger, symbol) === undefined ? [symbol] : []));

/**
 * Returns the ledger with last prices as quotes, where they are newer than quote and fill. For reading: closing days
 * needs the prices of those days.
 */
export const withLastPrices = (ledger: Ledger, prices: LastPrices): Ledger => {
  let marked = ledger;
  for (const symbol of heldToMark(ledger)) {
    const last = prices.get(symbol);
    const position = ledger.head.symbols[symbol]?.position;
    if (!last || !position || isTooFarAhead(ledger, last.at)) continue;
    const heldFrom = unitsHeldFrom(ledger, symbol, position);
    if (last.at <= Math.max(markOf(ledger, symbol, position)?.at ?? 0, heldFrom)) continue;
    marked = applyQuote(marked, {
      symbol,
      price: priceInUnitsHeld(last.price, heldFrom, last.splits),
      occurred_at: new Date(last.at).toISOString(),
    });
  }
  return marked;
};
