import * as z from 'zod';
import { decimalText } from '../money.ts';

/** Types of the events that ask an execution adapter for something. */
export const ORDER_REQUESTED = 'Order Requested';
export const ORDER_CANCEL_REQUESTED = 'Order Cancel Requested';
export const POSITION_CLOSE_REQUESTED = 'Position Close Requested';

/** Highest `sequence` that the hub itself gives to a report on an order. Adapters use higher ones. */
export const MAX_HUB_SEQUENCE = 9;

const common = {
  version: z.literal(1),
  deployment_id: z.int(),
  /** Unique within the deployment. A repeat has the same. */
  client_order_id: z.string(),
  symbol: z.string(),
  /** The broker's name of the symbol, if the hub knows it. */
  broker_symbol: z.string().optional(),
  /** Adapter that is asked, and the account at its broker. */
  adapter: z.string(),
  account: z.string(),
  /** ISO 8601, UTC. */
  occurred_at: z.string(),
} as const;

const placing = {
  side: z.enum(['buy', 'sell']),
  quantity: decimalText,
  /** Price that the decision saw, for slippage. */
  expected_price: decimalText,
  time_in_force: z.enum(['day', 'gtc']),
  /** ISO 8601, UTC. An order that was not placed by then is not placed. */
  valid_until: z.string(),
} as const;

/** Asks for an order that opens a trade. */
const orderRequestedSchema = z.object({
  ...common,
  ...placing,
  order_type: z.enum(['market', 'limit', 'stop']),
  /** Price of a limit order. */
  price: decimalText.optional(),
  /** Trigger of a stop order. */
  trigger_price: decimalText.optional(),
});

/** Asks to cancel an order. The order may have ended, or may not have arrived yet: then it must not be placed later. */
const orderCancelRequestedSchema = z.object({ ...common, reason: z.string() });

/** Asks for a market order that closes a trade, or a part of it. */
const positionCloseRequestedSchema = z.object({
  ...common,
  ...placing,
  order_type: z.literal('market'),
  /** Order that opened the trade. */
  closes: z.string(),
  reason: z.string(),
  /** True if a person or a limit ends the position, not the rules. */
  flatten: z.boolean(),
});

/** Schema of a request to an execution adapter: the type and the detail of its event. */
export const orderRequestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal(ORDER_REQUESTED), detail: orderRequestedSchema }),
  z.object({ type: z.literal(ORDER_CANCEL_REQUESTED), detail: orderCancelRequestedSchema }),
  z.object({ type: z.literal(POSITION_CLOSE_REQUESTED), detail: positionCloseRequestedSchema }),
]);

/** A request to an execution adapter. */
export type OrderRequest = z.output<typeof orderRequestSchema>;
