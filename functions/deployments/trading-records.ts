import * as z from 'zod';
import { integer, record, timestamp } from '../../shared/api/fields.ts';
import { TRADE_MODES } from '../../shared/data/deployments/trading-record.ts';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../../shared/domain/deployments/deployment-states.ts';
import { ORDER_STATUSES } from '../../shared/domain/orders/order-states.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';

const amount = z.number();
const orNothing = amount.nullable();

/** An open position. Prices are as traded; amounts are in the deployment's currency. */
export const positionOut = z.object({
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  quantity: amount,
  average_price: amount,
  last_price: orNothing,
  unrealized_pnl: orNothing,
  as_of: timestamp().nullable(),
});

const tradingFields = {
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  symbol: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  broker_id: integer().nullable(),
  account_id: z.string().nullable(),
  mode: z.enum(TRADE_MODES),
  status: z.enum(DEPLOYMENT_STATUSES),
  phase: z.enum(DEPLOYMENT_PHASES),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  positions: z.array(positionOut),
  realized_pnl: amount,
  unrealized_pnl: orNothing,
  today_pnl: orNothing,
  total_pnl: orNothing,
  gross_pnl: amount,
  fees: amount,
  swap: amount,
  currency: z.string(),
  starting_capital: amount,
  return_pct: orNothing,
  trades_count: integer(),
  open_orders: integer(),
  prediction_market: z.boolean(),
  deployed_at: timestamp(),
  started_at: timestamp().nullable(),
  stopped_at: timestamp().nullable(),
  expires_at: timestamp().nullable(),
  updated_at: timestamp(),
  as_of: timestamp().nullable(),
} as const;

export const liveDeploymentCustomOut = record('LiveDeploymentCustomOut', z.object(tradingFields));

export const expiredDeploymentOut = z.object({
  ...tradingFields,
  expired_at: timestamp().nullable(),
  final_pnl: orNothing,
  final_return_pct: orNothing,
});

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
  z.object({ ...orderFields, mode: z.enum(TRADE_MODES), broker_order_id: z.string().nullable() }),
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
