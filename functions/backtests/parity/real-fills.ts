import type { StoredOrder } from '../../../shared/data/books/orders.ts';
import type { StoredTrade } from '../../../shared/data/books/trades.ts';
import type { ComparedFill } from '../../../shared/domain/engine/parity/attribute.ts';
import { isEntryId } from '../../../shared/domain/engine/running/entry-orders.ts';
import type { AccountReport } from '../../../shared/domain/engine/running/order-report.ts';
import { isManualId } from '../../../shared/domain/ledger/manual-close.ts';
import { type Decimal, decimal, zero } from '../../../shared/domain/money.ts';
import { protectiveOf } from '../../../shared/domain/orders/protective-ids.ts';

const NOTHING = '0';

/** Returns the fills of a backtest, in the order of booking. */
export const expectedFills = (booked: readonly AccountReport[]): ComparedFill[] =>
  booked.flatMap((report) =>
    report.kind === 'order' && report.status === 'filled'
      ? {
          client_order_id: report.client_order_id,
          at: report.at,
          side: report.side,
          quantity: report.filled_quantity,
          price: report.average_price ?? NOTHING,
          fees: report.fees,
          isMarket: report.order_type === 'market',
          decision: report.facts?.exit_reason ?? 'entry',
          trade: report.closes ?? report.client_order_id,
        }
      : [],
  );

/** Returns what a backtest charged beyond the fees of its fills. */
export const expectedCharges = (booked: readonly AccountReport[]): Decimal =>
  booked.reduce((sum, report) => (report.kind === 'swap' ? sum.plus(report.amount) : sum), zero());

const PROTECTED = { stop: 'stop_loss', target: 'take_profit', close: 'unprotected' } as const;

/** Names the decision behind an order of the book. */
const decisionOf = ({ client_order_id: id, exit_reason }: StoredOrder): string => {
  if (isEntryId(id)) return 'entry';
  const protective = protectiveOf(id);
  if (protective) return PROTECTED[protective.level];
  return exit_reason ?? (isManualId(id) ? 'manual' : 'broker');
};

const isFilled = ({ filled_quantity }: StoredOrder): boolean => filled_quantity !== NOTHING;

const filledAt = ({ first_filled_at, updated_at }: StoredOrder): number => first_filled_at ?? updated_at;

/** Returns the fills of an order book, by time. An order counts as one fill at its average price. */
export const foundFills = (orders: readonly StoredOrder[]): ComparedFill[] =>
  orders
    .filter(isFilled)
    .toSorted((left, right) => filledAt(left) - filledAt(right) || left.order_id - right.order_id)
    .map((order) => ({
      client_order_id: order.client_order_id,
      at: filledAt(order),
      side: order.side,
      quantity: order.filled_quantity,
      price: order.average_price ?? NOTHING,
      fees: order.fees,
      isMarket: order.order_type === 'market',
      decision: decisionOf(order),
      trade: isEntryId(order.client_order_id)
        ? order.client_order_id
        : protectiveOf(order.client_order_id)?.entry,
    }));

/** Returns what was charged to an account beyond the fees of its fills: swap, and fees of orders without a fill. */
export const foundCharges = (
  orders: readonly StoredOrder[],
  trades: readonly StoredTrade[],
  openSwap: string,
): Decimal => {
  const swap = trades.reduce((sum, trade) => sum.plus(trade.swap), decimal(openSwap));
  return orders.reduce((sum, order) => (isFilled(order) ? sum : sum.minus(order.fees)), swap);
};
