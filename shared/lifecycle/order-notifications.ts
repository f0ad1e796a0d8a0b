import type { StoredOrder } from '../data/books/orders.ts';
import type { OrderOutcome } from '../domain/ledger/ledger-orders.ts';
import { totalsOf } from '../domain/ledger/read-ledger.ts';
import { decimal, shownAmount, toMoney } from '../domain/money.ts';
import { isFinalOrderStatus } from '../domain/orders/order-states.ts';
import type { NotificationText } from './deployment-change.ts';

type Change = Pick<
  OrderOutcome,
  'status_before' | 'filled_before' | 'position_before' | 'position_after' | 'ledger'
>;
type Filled = Pick<OrderOutcome, 'position_after'>;

const isFlat = (quantity: string): boolean => decimal(quantity).eq(0);

/** Returns whether an order closed a position rather than opened one. A flip opens the new one. */
const leadsOut = ({ closing_fills, side }: StoredOrder, { position_after }: Filled): boolean => {
  const after = decimal(position_after);
  return closing_fills > 0 && !(side === 'buy' ? after.gt(0) : after.lt(0));
};

const dataOf = (order: StoredOrder) => ({
  order_id: order.order_id,
  client_order_id: order.client_order_id,
  symbol: order.symbol,
  side: order.side,
  quantity: order.filled_quantity,
  price: order.average_price,
  currency: order.currency,
});

const reasonOf = ({ status_message }: StoredOrder): string =>
  status_message === null ? '' : ` ${status_message}`;

const TITLES = {
  entry_filled: 'Entry filled',
  exit_filled: 'Exit filled',
  stop_loss_hit: 'Stop loss hit',
  target_hit: 'Target hit',
} as const;

/** Returns the kind of an exit: a stop limited a loss, a limit took a profit, any other order is a plain exit. */
const exitKind = (order: StoredOrder): keyof typeof TITLES => {
  if (order.order_type === 'stop' || order.order_type === 'stop_limit') return 'stop_loss_hit';
  return order.order_type === 'limit' ? 'target_hit' : 'exit_filled';
};

const filled = (order: StoredOrder, change: Filled): NotificationText => {
  const kind = leadsOut(order, change) ? exitKind(order) : 'entry_filled';
  return {
    kind,
    severity: kind === 'stop_loss_hit' ? 'warning' : 'success',
    symbol: order.symbol,
    title: `${TITLES[kind]}: ${order.symbol}`,
    body: `${boughtOrSold(order)} ${shownAmount(order.filled_quantity)} ${order.symbol} at ${priceText(order)}.`,
    data: dataOf(order),
  };
};

const priceText = ({ average_price }: StoredOrder): string =>
  average_price === null ? 'no price' : shownAmount(average_price);

const boughtOrSold = ({ side }: StoredOrder): string => (side === 'buy' ? 'Bought' : 'Sold');

/** Builds the text for an order that ended partially filled. */
const filledInPart = (order: StoredOrder, change: Filled): NotificationText => {
  const kind = leadsOut(order, change) ? exitKind(order) : 'entry_filled';
  const { filled_quantity, quantity, symbol, status } = order;
  return {
    kind,
    severity: 'warning',
    symbol,
    title: `${TITLES[kind]} in part: ${symbol}`,
    body: `${boughtOrSold(order)} ${shownAmount(filled_quantity)} of ${shownAmount(quantity)} ${symbol} at ${priceText(order)}. The rest of the order was ${status}.${reasonOf(order)}`,
    data: { ...dataOf(order), ordered_quantity: quantity },
  };
};

const ofStatus = (order: StoredOrder, change: Change): NotificationText[] => {
  const base = { symbol: order.symbol, data: dataOf(order) };
  const reason = reasonOf(order);
  switch (order.status) {
    case 'filled':
      return [filled(order, change)];
    case 'rejected':
      if (!isFlat(order.filled_quantity)) return [filledInPart(order, change)];
      return [
        {
          ...base,
          kind: 'order_rejected',
          severity: 'error',
          title: `Order rejected: ${order.symbol}`,
          body: `The broker refused the order.${reason}`,
        },
      ];
    case 'cancelled':
    case 'expired':
      if (!isFlat(order.filled_quantity)) return [filledInPart(order, change)];
      if (!isFlat(change.position_before)) return [];
      return [
        {
          ...base,
          kind: 'entry_cancelled',
          severity: 'info',
          title: `Entry ${order.status}: ${order.symbol}`,
          body: `The order was ${order.status} before it was filled.${reason}`,
        },
      ];
    case 'unknown':
      return [
        {
          ...base,
          kind: 'order_unknown',
          severity: 'warning',
          title: `Order in doubt: ${order.symbol}`,
          body: `The broker does not report the state of the order. Check the account.${reason}`,
        },
      ];
    default:
      return [];
  }
};

/** Returns whether a report concerns the owner: another status, or a late fill of an ended order. */
const isNews = (order: StoredOrder, { status_before, filled_before }: Change): boolean => {
  if (order.status !== status_before) return true;
  return isFinalOrderStatus(order.status) && decimal(order.filled_quantity).gt(filled_before);
};

const hasPositions = ({ ledger }: Pick<OrderOutcome, 'ledger'>): boolean =>
  Object.values(ledger.head.symbols).some(({ position }) => position !== null);

/** Builds the notifications for a report on an order: its outcome, and whether the deployment holds nothing again. */
export const notificationsOfOrder = (
  order: StoredOrder,
  change: Change,
  name: string,
): NotificationText[] => {
  const notifications = isNews(order, change) ? ofStatus(order, change) : [];
  const isOver = !isFlat(change.position_before) && isFlat(change.position_after) && !hasPositions(change);
  if (!isOver) return notifications;
  const result = toMoney(totalsOf(change.ledger).realized_pnl, order.currency);
  return [
    ...notifications,
    {
      kind: 'cycle_completed',
      severity: result < 0 ? 'warning' : 'success',
      title: `${name} is flat again`,
      body: `Every position is closed. Realised so far: ${result} ${order.currency}.`,
      data: { realized_pnl: result, currency: order.currency },
    },
  ];
};
