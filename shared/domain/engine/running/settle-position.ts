import { type Decimal, decimal, zero } from '../../money.ts';
import type { Order } from '../../orders/order-record.ts';
import { isFinalOrderStatus } from '../../orders/order-states.ts';
import { protectiveOf } from '../../orders/protective-ids.ts';
import { isEntryId } from './entry-orders.ts';

/** Facts of an order that decide what is left to do. */
type KnownOrder = Pick<
  Order,
  'client_order_id' | 'side' | 'status' | 'quantity' | 'filled_quantity' | 'updated_at'
>;

/** Books of a symbol whose account can decide nothing any more. */
export interface Unattended {
  /** Quantity of the position in the books; positive is long. */
  readonly held: Decimal;
  /** Orders of the symbol, also those that have ended. */
  readonly orders: readonly KnownOrder[];
  /** True if the position is to be closed. */
  readonly flatten: boolean;
  /** Time of the oldest request that may still be answered. */
  readonly answersFrom: number;
  /** A close of {@link settlingId} that ended short after this time is not requested again yet. */
  readonly retriesFrom: number;
}

/** Orders to ask the broker for. */
export interface Settlement {
  /** Ids of orders to cancel. A repeat is safe. */
  readonly cancels: readonly string[];
  /** Quantity to close; zero if nothing is to be requested now. */
  readonly close: Decimal;
  /** True if nothing works at the broker, and nothing is left that is to be closed. */
  readonly isDone: boolean;
}

const unfilled = ({ quantity, filled_quantity }: KnownOrder): Decimal =>
  decimal(quantity).minus(filled_quantity);

const isWorking = ({ status }: KnownOrder): boolean => !isFinalOrderStatus(status);

const SETTLING_ID = /:f\d+$/;

/** Returns the id of a close by the books. @param version of the deployment, which ascends with every change. */
export const settlingId = (symbol: string, version: number): string => `${symbol}:f${version}`;

const isClose = ({ client_order_id }: KnownOrder): boolean => !isEntryId(client_order_id);

/**
 * Decides by the books alone what is left to do at the broker for a symbol: entries are cancelled, closes go on, and a
 * position is closed if it is to be. A close counts until the broker has reported its end, so that nothing closes twice.
 */
export const settlePosition = ({
  held,
  orders,
  flatten,
  answersFrom,
  retriesFrom,
}: Unattended): Settlement => {
  const size = held.abs();
  const side = held.gt(0) ? 'sell' : 'buy';
  // The exits that the adapter keeps go with the position: it lifts them for a close.
  const working = orders.filter((order) => isWorking(order) && !protectiveOf(order.client_order_id));
  const closing = working.filter(isClose).reduce((sum, order) => sum.plus(unfilled(order)), zero());
  const isUnwanted = (order: KnownOrder): boolean => {
    if (!isClose(order)) return true;
    const isLost = order.status === 'pending' && order.updated_at < answersFrom;
    return isLost || order.side !== side || closing.gt(size);
  };
  const hasFailed = orders.some(
    (order) =>
      SETTLING_ID.test(order.client_order_id) &&
      !isWorking(order) &&
      unfilled(order).gt(0) &&
      order.updated_at > retriesFrom,
  );
  const rest = size.minus(closing);
  return {
    cancels: working.filter(isUnwanted).map(({ client_order_id }) => client_order_id),
    close: flatten && !hasFailed && rest.gt(0) ? rest : zero(),
    isDone: working.length === 0 && !(flatten && size.gt(0)),
  };
};
