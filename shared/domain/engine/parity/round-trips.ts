import type { Trade } from '../../ledger/account.ts';
import { applyFill, averagePrice, type ClosedPosition, type Position } from '../../ledger/position.ts';
import { add, decimal, toText } from '../../money.ts';
import { filledValue } from '../../orders/order-record.ts';
import type { AccountReport, SignalReport } from '../running/order-report.ts';

/** A round trip from flat to flat, as far as a backtest and the books both tell it. */
export type RoundTrip = Pick<
  Trade,
  | 'side'
  | 'quantity'
  | 'entry_average'
  | 'exit_average'
  | 'fees'
  | 'swap'
  | 'net'
  | 'opened_at'
  | 'closed_at'
  | 'client_order_id'
>;

const iso = (at: number): string => new Date(at).toISOString();

const fillOf = ({ at, side, fees, ...report }: SignalReport, size: string) => {
  const sign = side === 'buy' ? 1 : -1;
  return {
    at,
    quantity: decimal(report.filled_quantity).times(sign),
    value: decimal(filledValue(report, size)).times(sign),
    fees: decimal(fees),
    size,
  };
};

const roundTrip = (closed: ClosedPosition, size: string, client_order_id: string): RoundTrip => ({
  side: closed.side,
  quantity: toText(closed.entered.abs()),
  entry_average: toText(averagePrice(closed.entry_value, closed.entered, size)),
  exit_average: toText(averagePrice(closed.exit_value, closed.entered.neg(), size)),
  fees: toText(closed.fees),
  swap: toText(closed.swap),
  net: toText(closed.gross.minus(closed.fees).plus(closed.swap)),
  opened_at: iso(closed.opened_at),
  closed_at: iso(closed.closed_at),
  client_order_id,
});

const withSwap = (position: Position | null, amount: string): Position | null =>
  position && { ...position, swap: add(position.swap, amount) };

/**
 * Returns the round trips of an account's reports, by time. Those of one time must be in the order of booking; a fill at
 * the close of a bar is booked after the bar that follows.
 */
export const roundTripsOf = (booked: readonly AccountReport[], contractSize: string): RoundTrip[] => {
  let position: Position | null = null;
  const trips: RoundTrip[] = [];
  for (const report of booked.toSorted((left, right) => left.at - right.at)) {
    if (report.kind === 'swap') position = withSwap(position, report.amount);
    else if (report.status === 'filled') {
      const filled = applyFill(position, fillOf(report, contractSize));
      position = filled.position;
      if (filled.closed) trips.push(roundTrip(filled.closed, contractSize, report.client_order_id));
    }
  }
  return trips;
};
