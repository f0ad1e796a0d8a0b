import type { StoredOrder } from '../data/books/orders.ts';
import type { ExitReason } from '../domain/engine/account/account.ts';
import type { OrderOutcome } from '../domain/ledger/ledger-orders.ts';
import { totalsOf } from '../domain/ledger/read-ledger.ts';
import { type Decimal, decimal, shownAmount, toMoney } from '../domain/money.ts';
import { isFinalOrderStatus } from '../domain/orders/order-states.ts';
import type { NotificationText } from './effect.ts';

type Change = Pick<
  OrderOutcome,
  'status_before' | 'filled_before' | 'position_before' | 'position_after' | 'ledger'
>;
type Filled = Pick<OrderOutcome, 'position_after'>;

const isFlat = (quantity: string): boolean => decimal(quantity).eq(0);

/** Returns whether an order ended on its own side of the market: it opened a position, or added to one. */
const leadsIn = ({ side }: StoredOrder, { position_after }: Filled): boolean => {
  const after = decimal(position_after);
  return side === 'buy' ? after.gt(0) : after.lt(0);
};

const dataOf = (order: StoredOrder) => ({
  order_id: order.order_id,
  client_order_id: order.client_order_id,
  symbol: order.symbol,
  side: order.side,
  quantity: order.filled_quantity,
  price: order.average_price,
  currency: order.currency,
  ...(order.exit_reason !== undefined && { exit_reason: order.exit_reason }),
});

const reasonOf = ({ status_message }: StoredOrder): string =>
  status_message === null ? '' : ` ${status_message}`;

/** Name of what a fill did. */
interface Deed {
  readonly kind: 'entry_filled' | 'exit_filled' | 'stop_loss_hit' | 'target_hit';
  readonly title: string;
}

const ENTRY: Deed = { kind: 'entry_filled', title: 'Entry filled' };
const REVERSAL: Deed = { kind: 'entry_filled', title: 'Position reversed' };
const EXIT: Deed = { kind: 'exit_filled', title: 'Exit filled' };
const STOP: Deed = { kind: 'stop_loss_hit', title: 'Stop loss hit' };
const TARGET: Deed = { kind: 'target_hit', title: 'Target hit' };

/** Exits of the hub's engine by their cause. A trailing stop also secures a profit, so its kind follows the result. */
const EXITS: Readonly<Record<ExitReason, Deed>> = {
  exit: EXIT,
  reverse: { kind: 'exit_filled', title: 'Position reversed' },
  stop_loss: STOP,
  take_profit: TARGET,
  trailing_stop: { kind: 'exit_filled', title: 'Trailing stop hit' },
  square_off: { kind: 'exit_filled', title: 'Closed at the end of the session' },
  end_of_data: EXIT,
  manual: { kind: 'exit_filled', title: 'Closed by hand' },
  flatten: { kind: 'exit_filled', title: 'Closed on command' },
  split: { kind: 'exit_filled', title: 'Fraction paid out at a split' },
  liquidated: { kind: 'exit_filled', title: 'Position liquidated' },
  ruin: { kind: 'exit_filled', title: 'Position liquidated' },
  unprotected: { kind: 'exit_filled', title: 'Closed, as its stop could not rest' },
};

const resultOf = ({ realized_pnl }: StoredOrder): Decimal => decimal(realized_pnl ?? '0');

/** Returns whether the average price of an exit is at a level of its report, or beyond. */
const reaches = (
  { side, average_price }: StoredOrder,
  kind: 'stop' | 'target',
  level: string | null,
): boolean => {
  if (level === null || average_price === null) return false;
  const average = decimal(average_price);
  return (side === 'sell') === (kind === 'stop') ? average.lte(level) : average.gte(level);
};

/**
 * Deduces what an exit of an engine outside did: a stop limits a loss, a target takes a profit. An order type alone says
 * neither, as a limit order may close at a loss and a stop order with a profit.
 */
const deducedExit = (order: StoredOrder): Deed => {
  const { order_type: type, stop_loss, take_profit } = order;
  const result = resultOf(order);
  const isStop = type === 'stop' || type === 'stop_limit';
  if (result.lt(0) && (isStop || reaches(order, 'stop', stop_loss))) return STOP;
  if (result.gt(0) && (type === 'limit' || reaches(order, 'target', take_profit))) return TARGET;
  return EXIT;
};

/** Returns what the fill of an order did. */
const deedOf = (order: StoredOrder, change: Filled): Deed => {
  const { exit_reason: reason, closing_fills } = order;
  if (reason === undefined) {
    if (closing_fills === 0) return ENTRY;
    return leadsIn(order, change) ? REVERSAL : deducedExit(order);
  }
  const isLoss = reason === 'trailing_stop' && resultOf(order).lt(0);
  return isLoss ? { ...EXITS[reason], kind: 'stop_loss_hit' } : EXITS[reason];
};

const filled = (order: StoredOrder, change: Filled): NotificationText => {
  const { kind, title } = deedOf(order, change);
  const isLoss = order.closing_fills > 0 && resultOf(order).lt(0);
  return {
    kind,
    severity: isLoss ? 'warning' : 'success',
    symbol: order.symbol,
    title: `${title}: ${order.symbol}`,
    body: `${boughtOrSold(order)} ${shownAmount(order.filled_quantity)} ${order.symbol} at ${priceText(order)}.`,
    data: dataOf(order),
  };
};

const priceText = ({ average_price }: StoredOrder): string =>
  average_price === null ? 'no price' : shownAmount(average_price);

const boughtOrSold = ({ side }: StoredOrder): string => (side === 'buy' ? 'Bought' : 'Sold');

/** Builds the text for an order that ended partially filled. */
const filledInPart = (order: StoredOrder, change: Filled): NotificationText => {
  const { kind, title } = deedOf(order, change);
  const { filled_quantity, quantity, symbol, status } = order;
  return {
    kind,
    severity: 'warning',
    symbol,
    title: `${title} in part: ${symbol}`,
    body: `${boughtOrSold(order)} ${shownAmount(filled_quantity)} of ${shownAmount(quantity)} ${symbol} at ${priceText(order)}. The rest of the order was ${status}.${reasonOf(order)}`,
    data: { ...dataOf(order), ordered_quantity: quantity },
  };
};

/** Builds the text for an order that ended unfilled after the broker had reported a fill. */
const takenBack = (order: StoredOrder, { filled_before }: Change): NotificationText => ({
  kind: 'order_unknown',
  severity: 'warning',
  symbol: order.symbol,
  title: `Fill taken back: ${order.symbol}`,
  body: `The broker took back the fill of ${shownAmount(filled_before)} ${order.symbol}. The order was ${order.status}.${reasonOf(order)}`,
  data: dataOf(order),
});

const ofStatus = (order: StoredOrder, change: Change): NotificationText[] => {
  const isTakenBack = isFinalOrderStatus(order.status) && isFlat(order.filled_quantity);
  if (isTakenBack && !isFlat(change.filled_before)) return [takenBack(order, change)];
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
      if (!isFlat(change.position_before) || order.exit_reason !== undefined) return [];
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
