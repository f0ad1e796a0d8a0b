import type { AuditText } from '../data/audit/audit-trail.ts';
import type { StoredOrder } from '../data/books/orders.ts';
import type { Deployment, TradingDeployment } from '../data/deployments/deployments.ts';
import type { Notification } from '../data/deployments/notification.ts';
import type { ChangeType } from '../domain/changes/catalogue.ts';
import type { ChangeDraft } from '../domain/changes/change-event.ts';
import type { DeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Trade } from '../domain/ledger/account.ts';
import { decimal, shownPrice, toMoney } from '../domain/money.ts';
import type { OrderStatus } from '../domain/orders/order-states.ts';

/** Notification of a change. */
type Announced = Pick<Notification, 'kind' | 'body' | 'data'>;

/** Cause of the change of a deployment. */
interface Cause {
  readonly notifications: readonly Announced[];
  readonly audit?: AuditText;
  /** Returns the events of orders, trades and signals. */
  readonly changes?: () => readonly ChangeDraft[];
}

/** Closed trades of one commit that get an event each; others are counted as corrected. */
const MAX_TRADES = 50;

const number = (amount: string): number => decimal(amount).toNumber();
const orNull = (amount: string | null): number | null => (amount === null ? null : number(amount));

const ORDER_TYPES: Readonly<Partial<Record<OrderStatus, ChangeType & `order.${string}`>>> = {
  filled: 'order.filled',
  cancelled: 'order.cancelled',
  rejected: 'order.rejected',
  expired: 'order.expired',
};

const orderDraft = (type: ChangeType & `order.${string}`, order: StoredOrder): ChangeDraft => ({
  type,
  data: {
    order_id: order.order_id,
    client_order_id: order.client_order_id,
    strategy_id: order.strategy_id,
    mode: order.mode,
    symbol: order.symbol,
    side: order.side,
    order_type: order.order_type,
    quantity: number(order.quantity),
    filled_quantity: number(order.filled_quantity),
    price: orNull(order.price),
    trigger_price: orNull(order.trigger_price),
    expected_price: orNull(order.expected_price),
    average_price: orNull(order.average_price),
    fees: toMoney(order.fees, order.currency),
    realized_pnl: toMoney(order.realized_pnl, order.currency),
    currency: order.currency,
    status: order.status,
    status_message: order.status_message,
  },
});

/** Returns the events of a report on an order. @param known the order before; undefined for a new one. */
export const orderDrafts = (known: StoredOrder | undefined, order: StoredOrder): ChangeDraft[] => {
  const placed = known ? [] : [orderDraft('order.placed', order)];
  const ended = order.status === known?.status ? undefined : ORDER_TYPES[order.status];
  if (ended) return [...placed, orderDraft(ended, order)];
  if (order.filled_quantity !== (known?.filled_quantity ?? '0')) {
    return [...placed, orderDraft('order.partially_filled', order)];
  }
  return known ? [orderDraft('order.updated', order)] : placed;
};

const tradeDraft = ({ strategy_id, mode, currency }: TradingDeployment, trade: Trade): ChangeDraft => ({
  type: 'trade.closed',
  data: {
    trade_number: trade.number,
    strategy_id,
    mode,
    symbol: trade.symbol,
    side: trade.side,
    quantity: number(trade.quantity),
    entry_price: shownPrice(trade.entry_average),
    exit_price: shownPrice(trade.exit_average),
    gross_pnl: toMoney(trade.gross, currency),
    fees: toMoney(trade.fees, currency),
    swap: toMoney(trade.swap, currency),
    net_pnl: toMoney(trade.net, currency),
    currency,
    opened_at: trade.opened_at,
    closed_at: trade.closed_at,
    duration_s: trade.duration_s,
    client_order_id: trade.client_order_id,
  },
});

const correctedDraft = (changed: number, removed: number): ChangeDraft => ({
  type: 'trades.corrected',
  data: { changed, removed },
});

const lostDraft = (after: Deployment): ChangeDraft => ({
  type: 'connection.lost',
  data: { broker_id: after.broker_id ?? null },
});

/** Returns the events of trades that were closed, changed or removed. @param known number of trades before. */
export const tradeDrafts = (
  deployment: TradingDeployment,
  known: number,
  {
    trades,
    removed_trades,
  }: { readonly trades: readonly Trade[]; readonly removed_trades: readonly number[] },
): ChangeDraft[] => {
  const closed = trades.filter(({ number: at }) => at > known);
  const shown = closed.slice(0, MAX_TRADES);
  const changed = trades.length - shown.length;
  return [
    ...shown.map((trade) => tradeDraft(deployment, trade)),
    ...(changed > 0 || removed_trades.length > 0 ? [correctedDraft(changed, removed_trades.length)] : []),
  ];
};

const riskDraft = ({ kind, data }: Announced): ChangeDraft[] => {
  if (kind !== 'risk_warning' && kind !== 'risk_tripped') return [];
  const { limit, used, allowed, currency } = data;
  // An order of unknown value uses no limit yet.
  if (used === undefined) return [];
  return [
    {
      type: kind === 'risk_warning' ? 'risk.warning' : 'risk.tripped',
      data: {
        limit: String(limit),
        used: Number(used),
        allowed: Number(allowed),
        currency: String(currency),
      },
    },
  ];
};

const STATUS_TYPES = {
  requested: 'deployment.resumed',
  active: 'deployment.resumed',
  paused: 'deployment.paused',
  halted: 'deployment.halted',
  stopped: 'deployment.stopped',
  expired: 'deployment.expired',
  error: 'deployment.failed',
} as const satisfies Readonly<Record<DeploymentStatus, ChangeType>>;

const statusType = (before: Deployment, after: Deployment): ChangeType & `deployment.${string}` => {
  if (after.stopping && !before.stopping) return 'deployment.stop_requested';
  const isStart = before.status === 'requested' || before.status === 'error';
  return after.status === 'active' && isStart ? 'deployment.started' : STATUS_TYPES[after.status];
};

/** Returns the event of a deployment. */
export const deploymentDraft = (
  type: ChangeType & `deployment.${string}`,
  after: Deployment,
  { audit, notifications }: Pick<Cause, 'audit' | 'notifications'>,
): ChangeDraft => {
  const failure = notifications.find(({ kind }) => kind === 'deployment_error')?.body;
  return {
    type,
    data: {
      deployment_type: after.kind,
      strategy_id: after.strategy_id,
      strategy_name: after.strategy_name,
      mode: after.kind === 'live' ? after.mode : null,
      status: after.status,
      phase: after.phase,
      stop_reason: after.stop_reason,
      by: audit?.by ?? after.held?.by ?? null,
      reason: audit?.reason ?? after.held?.reason ?? failure ?? null,
    },
  };
};

const isMoved = (before: Deployment, after: Deployment): boolean =>
  before.status !== after.status ||
  before.stop_reason !== after.stop_reason ||
  // A deployment that is halted already may be halted again, with its positions closed.
  (after.held !== undefined && after.held.at !== before.held?.at);

/** Returns the events of a change of a deployment: those of its orders, trades, signals, limits, then of its status. */
export const draftsOfChange = (before: Deployment, after: Deployment, cause: Cause): ChangeDraft[] => {
  const isLost = after.stop_reason === 'broker_disconnected' && before.stop_reason !== 'broker_disconnected';
  return [
    ...(cause.changes?.() ?? []),
    ...cause.notifications.flatMap(riskDraft),
    ...(isLost ? [lostDraft(after)] : []),
    ...(isMoved(before, after) ? [deploymentDraft(statusType(before, after), after, cause)] : []),
  ];
};
