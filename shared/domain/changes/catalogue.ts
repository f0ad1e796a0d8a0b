import * as z from 'zod';
import {
  ACTORS,
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../deployments/deployment-states.ts';
import { ORDER_STATUSES } from '../orders/order-states.ts';

/**
 * The catalogue of change events: the data of each type, and the fields of it that a broker may read. A field keeps its
 * meaning and type for ever. Brokers do not get a new field until `broker` names it.
 */

const amount = z.number();
const side = z.enum(['buy', 'sell']);
const mode = z.enum(['live', 'virtual']);
const time = z.iso.datetime();

const deployment = z.object({
  deployment_type: z.enum(['live', 'notification', 'scanner']),
  strategy_id: z.int(),
  strategy_name: z.string(),
  mode: mode.nullable(),
  status: z.enum(DEPLOYMENT_STATUSES),
  phase: z.enum(DEPLOYMENT_PHASES),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  by: z.enum(ACTORS).nullable(),
  reason: z.string().nullable(),
});

const order = z.object({
  order_id: z.int(),
  client_order_id: z.string(),
  strategy_id: z.int(),
  mode,
  symbol: z.string(),
  side,
  order_type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
  quantity: amount,
  filled_quantity: amount,
  price: amount.nullable(),
  trigger_price: amount.nullable(),
  expected_price: amount.nullable(),
  average_price: amount.nullable(),
  fees: amount,
  realized_pnl: amount.nullable(),
  currency: z.string(),
  status: z.enum(ORDER_STATUSES),
  status_message: z.string().nullable(),
});

const trade = z.object({
  trade_number: z.int(),
  strategy_id: z.int(),
  mode,
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  quantity: amount,
  entry_price: amount,
  exit_price: amount,
  gross_pnl: amount,
  fees: amount,
  swap: amount,
  net_pnl: amount,
  currency: z.string(),
  opened_at: time,
  closed_at: time,
  duration_s: amount,
  client_order_id: z.string(),
});

const risk = z.object({
  limit: z.string(),
  used: amount,
  allowed: amount,
  currency: z.string(),
});

const killSwitch = z.object({
  level: z.enum(['user', 'broker', 'service']),
  by: z.enum(ACTORS),
  reason: z.string(),
  flatten: z.boolean(),
});

const backtest = z.object({
  backtest_id: z.int(),
  strategy_id: z.int().nullable(),
  status: z.enum(['done', 'failed']),
  error: z.string().nullable(),
});

/** A type of the catalogue: the schema of its data, and the fields that brokers get. */
interface Kind<D extends z.ZodObject = z.ZodObject> {
  readonly data: D;
  readonly broker: readonly string[];
}

const kind = <D extends z.ZodObject>(data: D, broker: readonly (keyof z.output<D> & string)[]): Kind<D> => ({
  data,
  broker,
});

const ofDeployment = kind(deployment, [
  'deployment_type',
  'strategy_id',
  'strategy_name',
  'mode',
  'status',
  'phase',
  'stop_reason',
]);

const ofOrder = kind(order, [
  'order_id',
  'strategy_id',
  'mode',
  'symbol',
  'side',
  'quantity',
  'filled_quantity',
  'expected_price',
  'average_price',
  'fees',
  'currency',
  'status',
]);

const ofTrade = kind(trade, [
  'trade_number',
  'strategy_id',
  'mode',
  'symbol',
  'side',
  'quantity',
  'entry_price',
  'exit_price',
  'gross_pnl',
  'fees',
  'swap',
  'net_pnl',
  'currency',
  'opened_at',
  'closed_at',
  'duration_s',
]);

const ofRisk = kind(risk, ['limit']);

/** Types of change events. */
export const CATALOGUE = {
  'deployment.requested': ofDeployment,
  'deployment.started': ofDeployment,
  'deployment.paused': ofDeployment,
  'deployment.resumed': ofDeployment,
  'deployment.halted': ofDeployment,
  'deployment.stop_requested': ofDeployment,
  'deployment.stopped': ofDeployment,
  'deployment.expired': ofDeployment,
  'deployment.failed': ofDeployment,
  'order.placed': ofOrder,
  'order.updated': ofOrder,
  'order.partially_filled': ofOrder,
  'order.filled': ofOrder,
  'order.cancelled': ofOrder,
  'order.rejected': ofOrder,
  'order.expired': ofOrder,
  'trade.closed': ofTrade,
  /** Closed trades that a late report changed or removed; read them again. */
  'trades.corrected': kind(z.object({ changed: z.int(), removed: z.int() }), ['changed', 'removed']),
  'signal.raised': kind(
    z.object({ symbol: z.string(), side, price: amount.nullable(), title: z.string(), body: z.string() }),
    ['symbol', 'side', 'price'],
  ),
  'scanner.matched': kind(
    z.object({ matches: z.array(z.object({ symbol: z.string(), price: amount.nullable() })) }),
    ['matches'],
  ),
  'risk.warning': ofRisk,
  'risk.tripped': ofRisk,
  'kill_switch.thrown': kind(killSwitch, []),
  'connection.lost': kind(z.object({ broker_id: z.int().nullable() }), ['broker_id']),
  'backtest.done': kind(backtest, []),
  /** Sent on demand, to try an endpoint. */
  'webhook.test': kind(z.object({ message: z.string() }), ['message']),
  /** Sent to a new address, which answers with the text. */
  'webhook.challenge': kind(z.object({ challenge: z.string() }), ['challenge']),
} as const satisfies Readonly<Record<string, Kind>>;

export type ChangeType = keyof typeof CATALOGUE;

/** Data of an event, by its type. */
export type ChangeData<T extends ChangeType> = z.output<(typeof CATALOGUE)[T]['data']>;

/** Returns all types of the catalogue. */
export const changeTypes = (): ChangeType[] => {
  const isKnown = (type: string): type is ChangeType => Object.hasOwn(CATALOGUE, type);
  return Object.keys(CATALOGUE).filter(isKnown);
};
