import type { Told } from '../../shared/data/deployment-change.ts';
import type { LiveOrder } from '../../shared/data/live-orders.ts';
import type { OrderOutcome } from '../../shared/domain/ledger-orders.ts';
import { totalsOf } from '../../shared/domain/ledger-read.ts';
import { decimal, toMoney } from '../../shared/domain/money.ts';

type Change = Pick<OrderOutcome, 'status_before' | 'position_before' | 'position_after' | 'ledger'>;
type Filled = Pick<OrderOutcome, 'position_after'>;

const isFlat = (quantity: string): boolean => decimal(quantity).eq(0);

/** Whether an order led out of a position rather than into one; a flip leads into the new one. */
const leadsOut = ({ closing_fills, side }: LiveOrder, { position_after }: Filled): boolean => {
  const after = decimal(position_after);
  return closing_fills > 0 && !(side === 'buy' ? after.gt(0) : after.lt(0));
};

const dataOf = (order: LiveOrder) => ({
  order_id: order.order_id,
  client_order_id: order.client_order_id,
  symbol: order.symbol,
  side: order.side,
  quantity: order.filled_quantity,
  price: order.average_price,
  currency: order.currency,
});

const TITLES = {
  entry_filled: 'Entry filled',
  exit_filled: 'Exit filled',
  stop_loss_hit: 'Stop loss hit',
  target_hit: 'Target hit',
} as const;

/** A stop that leads out has limited a loss, a limit has taken a profit; anything else is just an exit. */
const exitKind = (order: LiveOrder): keyof typeof TITLES => {
  if (order.order_type === 'stop' || order.order_type === 'stop_limit') return 'stop_loss_hit';
  return order.order_type === 'limit' ? 'target_hit' : 'exit_filled';
};

const filled = (order: LiveOrder, change: Filled): Told => {
  const kind = leadsOut(order, change) ? exitKind(order) : 'entry_filled';
  return {
    kind,
    severity: kind === 'stop_loss_hit' ? 'warning' : 'success',
    symbol: order.symbol,
    title: `${TITLES[kind]}: ${order.symbol}`,
    body: `${order.side === 'buy' ? 'Bought' : 'Sold'} ${order.filled_quantity} ${order.symbol} at ${order.average_price}.`,
    data: dataOf(order),
  };
};

const ofStatus = (order: LiveOrder, change: Change): Told[] => {
  const base = { symbol: order.symbol, data: dataOf(order) };
  const reason = order.status_message === null ? '' : ` ${order.status_message}`;
  switch (order.status) {
    case 'filled':
      return [filled(order, change)];
    case 'rejected':
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
      // An order that was filled in part has led somewhere: its fills have been told.
      if (!isFlat(order.filled_quantity) || !isFlat(change.position_before)) return [];
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
          body: `The broker does not say what became of the order. Look at the account.${reason}`,
        },
      ];
    default:
      return [];
  }
};

const hasPositions = ({ ledger }: Pick<OrderOutcome, 'ledger'>): boolean =>
  Object.values(ledger.head.symbols).some(({ position }) => position !== null);

/** What a report on an order tells the owner: what became of it, and that the deployment is flat again. */
export const toldOfOrder = (order: LiveOrder, change: Change, name: string): Told[] => {
  const told = order.status === change.status_before ? [] : ofStatus(order, change);
  const isOver = !isFlat(change.position_before) && isFlat(change.position_after) && !hasPositions(change);
  if (!isOver) return told;
  const result = toMoney(totalsOf(change.ledger).realized_pnl, order.currency);
  return [
    ...told,
    {
      kind: 'cycle_completed',
      severity: result < 0 ? 'warning' : 'success',
      title: `${name} is flat again`,
      body: `Every position is closed. Realised so far: ${result} ${order.currency}.`,
      data: { realized_pnl: result, currency: order.currency },
    },
  ];
};
