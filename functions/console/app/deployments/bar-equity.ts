import type { EquityPoint } from '../charts/models/lines.ts';

/** Closed trade of a deployment with one symbol. */
interface Closed {
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entry_price: number;
  readonly exit_price: number;
  readonly gross_pnl: number;
  readonly fees: number;
  readonly net_pnl: number;
  readonly opened_at: string;
  readonly closed_at: string;
}

/** Open trade of a deployment with one symbol. */
interface Open {
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entry_price: number;
  readonly entry_at: string;
}

interface Books {
  readonly starting_capital: number;
  readonly started_at: string;
  /** All closed trades. */
  readonly closed: readonly Closed[];
  readonly open: readonly Open[];
  /** Equity that the service knows now; null if a position has no price. */
  readonly equity: number | null;
}

/** Starts of bars in milliseconds, and their closes, oldest first. */
interface Bars {
  readonly starts: readonly number[];
  readonly closes: readonly number[];
}

const signOf = (side: 'long' | 'short'): number => (side === 'long' ? 1 : -1);

/** Part of the capital by which the last point may differ from the equity of the service. */
const TOLERANCE = 0.002;

/** Returns the value of one unit at a price of one, as trades have it: the size of a contract. */
const contractOf = (closed: readonly Closed[]): number => {
  const moved = closed.findLast(({ exit_price, entry_price }) => exit_price !== entry_price);
  if (!moved) return 1;
  const { side, quantity, exit_price, entry_price, gross_pnl } = moved;
  const contract = gross_pnl / (signOf(side) * quantity * (exit_price - entry_price));
  return contract > 0 && Number.isFinite(contract) ? contract : 1;
};

/**
 * Returns the equity at the close of each bar since the start of a deployment, from its trades: the fees of an open trade
 * count when it closes. Undefined if the last point is not the equity that the service knows, for example after swap or
 * with bars that are newer than its prices.
 */
export const barEquity = (books: Books, { starts, closes }: Bars): EquityPoint[] | undefined => {
  const { starting_capital, started_at, closed, open, equity } = books;
  const began = Date.parse(started_at);
  const contract = contractOf(closed);
  const spans = [
    ...closed.map(({ opened_at, closed_at, net_pnl, ...one }) => ({
      ...one,
      from: Date.parse(opened_at),
      to: Date.parse(closed_at),
      net_pnl,
    })),
    ...open.map(({ entry_at, ...one }) => ({
      ...one,
      from: Date.parse(entry_at),
      to: Number.POSITIVE_INFINITY,
      net_pnl: 0,
    })),
  ];
  const points = starts.flatMap((start, index): EquityPoint[] => {
    const close = closes[index];
    const next = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    if (next <= began || close === undefined) return [];
    const result = spans.reduce((sum, { side, quantity, entry_price, from, to, net_pnl }) => {
      if (to < next) return sum + net_pnl;
      return from < next ? sum + signOf(side) * quantity * contract * (close - entry_price) : sum;
    }, 0);
    return [{ at: new Date(start).toISOString(), equity: starting_capital + result }];
  });
  const last = points.at(-1);
  if (!last || equity === null) return undefined;
  return Math.abs(last.equity - equity) <= TOLERANCE * starting_capital ? points : undefined;
};
