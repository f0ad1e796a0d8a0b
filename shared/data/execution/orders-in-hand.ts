import * as z from 'zod';
import { ADAPTERS, type AdapterName } from '../../domain/deployments/event-source.ts';
import { decimalText } from '../../domain/money.ts';
import { openEnum } from '../../domain/open-enum.ts';
import { orderRequestSchema } from '../../domain/orders/order-request-schema.ts';
import { ORDER_STATUSES } from '../../domain/orders/order-states.ts';
import type { Item } from '../table/attributes.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

/** Returns the kind of the orders in hand of an adapter in the index of due items. Each adapter follows its own. */
const dueKindOf = (adapter: AdapterName): string => `execution_order:${adapter}`;
/** Seconds for which an order is kept after its end, so that a late request does not place it again. */
const KEEP_S = 60 * 24 * 3600;

/** State of an order as it was last reported to the hub, or is to be. */
const reportSchema = z.object({
  status: openEnum(ORDER_STATUSES, 'unknown'),
  quantity: decimalText,
  filled_quantity: decimalText,
  average_price: decimalText.nullable(),
  fees: decimalText.optional(),
  status_message: z.string().nullable(),
  broker_order_id: z.string().optional(),
  /** Milliseconds. */
  at: z.number(),
});

/** Fields of an order that its reports repeat. */
const factsSchema = z.object({
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  order_type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
  quantity: decimalText,
  time_in_force: z.string().optional(),
  price: decimalText.optional(),
  trigger_price: decimalText.optional(),
  expected_price: decimalText.optional(),
});

/** An order that an execution adapter has taken over. */
const orderInHandSchema = z.object({
  adapter: z.enum(ADAPTERS),
  /** Id of the order at the broker, which the hub gave it. */
  broker_client_id: z.string(),
  deployment_id: z.number(),
  client_order_id: z.string(),
  user_id: z.string(),
  broker_id: z.number().optional(),
  /** Request to place it; absent if it was cancelled before it arrived. */
  request: orderRequestSchema.optional(),
  /** Fields of reports that never change; absent if the hub does not know the order either. */
  facts: factsSchema.optional(),
  /** Account at the broker. */
  account_id: z.string(),
  /** Symbol and class of the instrument at the broker. */
  broker_symbol: z.string(),
  asset_class: z.enum(['equity', 'crypto']),
  /**
   * - `placing`: not known to be at the broker.
   * - `open`: at the broker, and followed.
   * - `ended`: final; at most its report is still to be sent.
   */
  state: z.enum(['placing', 'open', 'ended']),
  /** Time of the last attempt to place it whose outcome is not known, in milliseconds. */
  unsure_since: z.number().optional(),
  /** Time of the first attempt to place it, in milliseconds. */
  requested_at: z.number().optional(),
  broker_order_id: z.string().optional(),
  /** Request to cancel it. */
  cancel: z.object({ reason: z.string() }).optional(),
  /** Fills, and the end, that the protection of the trade knows. */
  noted: z.object({ filled_quantity: decimalText, is_over: z.boolean() }).optional(),
  /** Time since which a close waits for the end of exits at the broker, in milliseconds. */
  lifting_since: z.number().optional(),
  /** Quantity that lacks for a close, by fees that the broker took from the position and by what is below a step. */
  taken: decimalText.optional(),
  /** Time since which the broker does not find the open order, in milliseconds. */
  missing_since: z.number().optional(),
  report: reportSchema.optional(),
  /** Sequence of `report`. */
  sequence: z.number(),
  /** Highest sequence that is known to be on the bus. */
  reported: z.number(),
  created_at: z.number(),
  /** Increases with every write. */
  rev: z.number(),
  /** Time of the next attendance, in milliseconds; absent if nothing is left to do. */
  due_at: z.number().optional(),
});

export type OrderInHand = z.output<typeof orderInHandSchema>;
export type OrderFacts = z.output<typeof factsSchema>;

/** Another run has changed the order meanwhile. It goes on with the order. */
export class OrderTakenError extends Error {
  constructor() {
    super('another run has taken the order');
    this.name = 'OrderTakenError';
  }
}

/** Returns the key of an order in hand. */
export const orderInHandKey = (brokerClientId: string): Key => keys.executionOrder(brokerClientId);

/** Parses an item as an order in hand. */
export const asOrderInHand = (item: Item | undefined): OrderInHand | undefined =>
  item && parseItem(orderInHandSchema, item);

const itemOf = (order: OrderInHand): Item => ({
  ...order,
  ...orderInHandKey(order.broker_client_id),
  entity: 'execution_order',
  due_kind: order.due_at === undefined ? undefined : dueKindOf(order.adapter),
  expires_at_s: order.due_at === undefined ? Math.floor(order.created_at / 1000) + KEEP_S : undefined,
});

/** Stores a new order in hand. @throws OrderTakenError if there is one with its id. */
export const createOrderInHand = (store: Store, order: OrderInHand): Promise<void> =>
  orTaken(store.put(itemOf(order), { condition: 'attribute_not_exists(pk)' }));

/** Stores an order in hand as changed since it was read. @throws OrderTakenError */
export const saveOrderInHand = async (store: Store, order: OrderInHand): Promise<OrderInHand> => {
  const next = { ...order, rev: order.rev + 1 };
  await orTaken(store.put(itemOf(next), { condition: 'rev = :rev', values: { ':rev': order.rev } }));
  return next;
};

const orTaken = async (write: Promise<void>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    throw error instanceof ConditionFailedError ? new OrderTakenError() : error;
  }
};

/** Reads an order in hand. */
export const findOrderInHand = (store: Store, brokerClientId: string): Promise<OrderInHand | undefined> =>
  store.get(orderInHandKey(brokerClientId), orderInHandSchema, { consistent: true });

/** Reads orders of an adapter that are due before a time, longest due first. */
export const findDueOrders = (
  store: Store,
  adapter: AdapterName,
  {
    before,
    limit,
    onDamaged,
  }: { readonly before: number; readonly limit: number; readonly onDamaged?: OnDamaged },
): Promise<OrderInHand[]> =>
  findDueItems(store, [dueKindOf(adapter)], orderInHandSchema, { now: new Date(before), limit, onDamaged });
