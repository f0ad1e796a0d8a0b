import type * as z from 'zod';
import type { StoredOrder } from '../../shared/data/books/orders.ts';
import { openOrders, type TradingSummary } from '../../shared/data/books/summary.ts';
import type { LatestOrder } from '../../shared/data/deployments/trading-record.ts';
import { decimal, shownFigure, shownPrice, toMoney } from '../../shared/domain/money.ts';
import { finalTimes } from '../../shared/domain/orders/order-record.ts';
import { isFinalOrderStatus } from '../../shared/domain/orders/order-states.ts';
import type {
  expiredDeploymentOut,
  latestOrderOut,
  liveDeploymentCustomOut,
  liveDeploymentOrderBookOut,
  positionOut,
  virtualDeploymentOrderBookOut,
} from './trading-records.ts';

/** Converts a stored quantity or price to its JSON number. */
export const number = (amount: string): number => decimal(amount).toNumber();
const orNull = (amount: string | null): number | null => (amount === null ? null : number(amount));

/** Presents an open position to its owner. */
export const presentPosition = (
  position: TradingSummary['positions'][number],
  currency: string,
): z.output<typeof positionOut> => ({
  symbol: position.symbol,
  side: position.side,
  quantity: number(position.quantity),
  average_price: shownPrice(position.average_price),
  last_price: position.last_price === null ? null : shownPrice(position.last_price),
  unrealized_pnl: toMoney(position.unrealized_pnl, currency),
  as_of: position.as_of,
});

/**
 * Presents the profit and loss of a deployment, rounded to its currency. A figure is null if an open position
 * it depends on has no price.
 */
export const presentPnl = ({ totals, currency, starting_capital }: TradingSummary) => {
  const isPriced = totals.unrealized_pnl !== null;
  return {
    realized_pnl: toMoney(totals.realized_pnl, currency),
    unrealized_pnl: toMoney(totals.unrealized_pnl, currency),
    today_pnl: isPriced ? toMoney(totals.today_pnl, currency) : null,
    total_pnl: isPriced ? toMoney(totals.total_pnl, currency) : null,
    gross_pnl: toMoney(totals.gross, currency),
    fees: toMoney(totals.fees, currency),
    swap: toMoney(totals.swap, currency),
    currency,
    starting_capital: toMoney(starting_capital, currency),
    return_pct: isPriced ? shownFigure(totals.return_pct) : null,
    as_of: totals.as_of,
  };
};

/** Presents a live or paper deployment to its owner. */
export const presentTrading = (summary: TradingSummary): z.output<typeof liveDeploymentCustomOut> => ({
  deployment_id: summary.deployment_id,
  strategy_id: summary.strategy_id,
  strategy_name: summary.strategy_name,
  symbol: summary.symbols.join(','),
  symbols: summary.symbols,
  timeframe: summary.timeframe,
  broker_id: summary.broker_id ?? null,
  account_id: summary.account_id ?? null,
  mode: summary.mode,
  status: summary.status,
  phase: summary.phase,
  stop_reason: summary.stop_reason,
  positions: summary.positions.map((position) => presentPosition(position, summary.currency)),
  ...presentPnl(summary),
  trades_count: summary.totals.trades_count,
  open_orders: openOrders(summary),
  prediction_market: summary.prediction_market,
  deployed_at: summary.deployed_at,
  started_at: summary.started_at ?? null,
  stopped_at: summary.stopped_at ?? null,
  expires_at: summary.expires_at ?? null,
  updated_at: summary.updated_at,
});

/** Presents an ended deployment, stopped or expired. */
export const presentExpired = (summary: TradingSummary): z.output<typeof expiredDeploymentOut> => {
  const live = presentTrading(summary);
  return {
    ...live,
    expired_at: summary.stopped_at ?? null,
    final_pnl: live.total_pnl,
    final_return_pct: live.return_pct,
  };
};

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Presents an order of a paper deployment to its owner. */
export const presentVirtualOrder = (order: StoredOrder): z.output<typeof virtualDeploymentOrderBookOut> => {
  const { currency } = order;
  const rest = number(decimal(order.quantity).minus(order.filled_quantity).toFixed());
  const { filled_at, cancelled_at } = finalTimes(order);
  return {
    order_id: order.order_id,
    deployment_id: order.deployment_id,
    strategy_id: order.strategy_id,
    mode: 'virtual',
    client_order_id: order.client_order_id,
    symbol: order.symbol,
    broker_symbol: order.broker_symbol,
    side: order.side,
    order_type: order.order_type,
    time_in_force: order.time_in_force,
    quantity: number(order.quantity),
    filled_quantity: number(order.filled_quantity),
    pending_quantity: isFinalOrderStatus(order.status) ? 0 : Math.max(0, rest),
    cancelled_quantity: isFinalOrderStatus(order.status) ? Math.max(0, rest) : 0,
    price: orNull(order.price),
    trigger_price: orNull(order.trigger_price),
    stop_loss: orNull(order.stop_loss),
    take_profit: orNull(order.take_profit),
    expected_price: orNull(order.expected_price),
    average_price: orNull(order.average_price),
    close_value: orNull(order.close_value),
    fees: toMoney(order.fees, currency),
    swap: toMoney(order.swap, currency),
    realized_pnl: toMoney(order.realized_pnl, currency),
    currency,
    status: order.status,
    status_message: order.status_message,
    created_at: new Date(order.created_at).toISOString(),
    submitted_at: time(order.submitted_at),
    filled_at: time(filled_at),
    cancelled_at: time(cancelled_at),
    updated_at: new Date(order.updated_at).toISOString(),
  };
};

/** Presents an order of any deployment to its owner. */
export const presentOrder = (order: StoredOrder): z.output<typeof liveDeploymentOrderBookOut> => ({
  ...presentVirtualOrder(order),
  mode: order.mode,
  broker_order_id: order.broker_order_id,
});

/** Order that the engine reported on last. */
export const presentLatestOrder = (order: LatestOrder): z.output<typeof latestOrderOut> => ({
  ...order,
  quantity: number(order.quantity),
  filled_quantity: number(order.filled_quantity),
  average_price: orNull(order.average_price),
});
