import * as z from 'zod';
import { extra, integer, record, timestamp } from '../api/fields.ts';
import type { StoredOrder } from '../data/books/orders.ts';
import type { LatestOrder } from '../data/deployments/trading-record.ts';
import { TRADE_MODES } from '../data/deployments/trading-record.ts';
import { decimal, toMoney } from '../domain/money.ts';
import { finalTimes } from '../domain/orders/order-record.ts';
import { isFinalOrderStatus, ORDER_STATUSES } from '../domain/orders/order-states.ts';
import { number } from './amounts.ts';

const amount = z.number();
const orNothing = amount.nullable();

const orNull = (amount: string | null): number | null => (amount === null ? null : number(amount));

const orderFields = {
  order_id: integer(),
  deployment_id: integer(),
  strategy_id: integer(),
  client_order_id: z.string(),
  symbol: z.string(),
  broker_symbol: z.string().nullable(),
  side: z.enum(['buy', 'sell']),
  order_type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
  time_in_force: z.string().nullable(),
  quantity: amount,
  filled_quantity: amount,
  pending_quantity: amount,
  cancelled_quantity: amount,
  price: orNothing,
  trigger_price: orNothing,
  stop_loss: orNothing,
  take_profit: orNothing,
  expected_price: orNothing,
  average_price: orNothing,
  close_value: orNothing,
  fees: amount,
  swap: amount,
  realized_pnl: orNothing,
  currency: z.string(),
  status: z.enum(ORDER_STATUSES),
  status_message: z.string().nullable(),
  created_at: timestamp(),
  submitted_at: timestamp().nullable(),
  filled_at: timestamp().nullable(),
  cancelled_at: timestamp().nullable(),
  updated_at: timestamp(),
} as const;

export const liveDeploymentOrderBookOut = record(
  'LiveDeploymentOrderBookOut',
  z.object({
    ...orderFields,
    mode: z.enum(TRADE_MODES),
    broker_order_id: z.string().nullable(),
    received_at: extra(timestamp().nullable()),
    requested_at: extra(timestamp().nullable()),
  }),
);

export const virtualDeploymentOrderBookOut = record(
  'VirtualDeploymentOrderBookOut',
  z.object({ ...orderFields, mode: z.literal('virtual') }),
);

/** Order that the engine reported on last. */
export const latestOrderOut = z.object({
  order_id: integer(),
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  status: z.enum(ORDER_STATUSES),
  status_message: z.string().nullable(),
  quantity: amount,
  filled_quantity: amount,
  average_price: orNothing,
  updated_at: timestamp(),
});

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
  received_at: time(order.received_at ?? null),
  requested_at: time(order.requested_at ?? null),
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
