import * as z from 'zod';
import { decimalText } from '../money.ts';
import { protectionTermsSchema } from './protection-terms.ts';

/** Types of the events that ask an execution adapter for something. */
export const ORDER_REQUESTED = 'Order Requested';
export const ORDER_CANCEL_REQUESTED = 'Order Cancel Requested';
export const POSITION_CLOSE_REQUESTED = 'Position Close Requested';
export const PROTECTION_REQUESTED = 'Protection Requested';

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
  /** Levels at which the trade ends. The adapter keeps them at the broker from the first fill on. */
  protection: protectionTermsSchema.optional(),
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

/** Asks to move levels of a trade. `client_order_id` is the order that opened it. A level that is absent stays. */
const protectionRequestedSchema = z.object({
  ...common,
  /** Increases with every change of the trade. A request that was overtaken by a later one changes nothing. */
  number: z.number(),
  stop: decimalText.optional(),
  target: decimalText.optional(),
});

/** Schema of a request to an execution adapter: the type and the detail of its event. */
export const orderRequestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal(ORDER_REQUESTED), detail: orderRequestedSchema }),
  z.object({ type: z.literal(ORDER_CANCEL_REQUESTED), detail: orderCancelRequestedSchema }),
  z.object({ type: z.literal(POSITION_CLOSE_REQUESTED), detail: positionCloseRequestedSchema }),
  z.object({ type: z.literal(PROTECTION_REQUESTED), detail: protectionRequestedSchema }),
]);

/** A request to an execution adapter. */
export type OrderRequest = z.output<typeof orderRequestSchema>;

/** A request to place an order. */
export type PlacingRequest = Extract<
  OrderRequest,
  { readonly type: typeof ORDER_REQUESTED | typeof POSITION_CLOSE_REQUESTED }
>;
/** A request to cancel an order. */
export type CancelRequest = Extract<OrderRequest, { readonly type: typeof ORDER_CANCEL_REQUESTED }>;
/** A request to move levels of a trade. */
export type ProtectionRequest = Extract<OrderRequest, { readonly type: typeof PROTECTION_REQUESTED }>;

/** Tells whether a request asks for an order. */
export const isPlacing = (request: OrderRequest): request is PlacingRequest =>
  request.type === ORDER_REQUESTED || request.type === POSITION_CLOSE_REQUESTED;
