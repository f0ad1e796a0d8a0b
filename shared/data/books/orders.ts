import * as z from 'zod';
import { decimalText } from '../../domain/money.ts';
import { compareOrderIds } from '../../domain/orders/compare-order-ids.ts';
import { type Order, orderSchema } from '../../domain/orders/order-record.ts';
import { storedForm } from '../../domain/unknown-fields.ts';
import { readStaged, type Stageable, unstaged } from '../deployments/staged-change.ts';
import { type LatestOrder, TRADE_MODES, type TradeMode } from '../deployments/trading-record.ts';
import type { Head } from '../numbered-list/list-head.ts';
import { entryKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import type { Items } from '../table/items.ts';
import { bounded } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';

/** An order as stored: the engine's report and its place in the hub. */
const storedOrderSchema = orderSchema.extend({
  order_id: z.number(),
  deployment_id: z.number(),
  strategy_id: z.number(),
  mode: z.enum(TRADE_MODES),
  currency: z.string(),
  /** The broker's name for the instrument, if the owner corrected it. */
  broker_symbol: z.string().nullable(),
  /** The price at which the owner closed the order's position by hand. */
  close_value: decimalText.nullable(),
  /** Set if the order is in the slippage list, but its fill was taken back or its expected price cleared at some time. */
  slippage_listed: z.literal(true).optional(),
  /** Increases with every change; conditions compare it with the revision that was read. */
  revision: z.number(),
});

export type StoredOrder = z.output<typeof storedOrderSchema>;

const ABSENT: Item = Object.fromEntries(
  Object.keys(storedOrderSchema.shape).map((name) => [name, undefined]),
);

/** Returns the order book of a deployment. It has no stored head: the deployment counts its orders. */
export const orderList = (deploymentId: number): NumberedList => ({ pk: `ORDERS#${deploymentId}` });

/** Builds the head of an order book from its number of orders; orders are never removed. */
export const orderListHead = (ordersCount: number): Head => ({
  next: ordersCount,
  gone: 0,
  base: 0,
  counts: [],
});

/** Returns the list of all orders of a user in a mode. */
export const userOrderList = (userId: string, mode: TradeMode): NumberedList => ({
  pk: `USER_ORDERS#${mode}#${bounded(userId)}`,
});

/** Returns the list of a user's orders that had an expected price and a fill. */
export const slippageList = (userId: string): NumberedList => ({ pk: `SLIPPAGE#${bounded(userId)}` });

/** Entry of a list of orders. */
export const orderPointerSchema = z.object({ deployment_id: z.number(), client_order_id: z.string() });
export type OrderPointer = z.output<typeof orderPointerSchema>;

/** Returns the key of an order by the id that its engine gave it. */
export const orderKey = ({ deployment_id, client_order_id }: OrderPointer): Key => ({
  pk: orderList(deployment_id).pk,
  sk: `ORDER#${client_order_id}`,
});

const aliasKey = (orderId: number): Key => ({ pk: `ORDER#${orderId}`, sk: 'ORDER' });

/** Maps an order_id to the order's key and symbol. */
const orderAliasSchema = orderPointerSchema.extend({ symbol: z.string() });
export type OrderAlias = z.output<typeof orderAliasSchema>;

/** Reads the key and symbol of an order by its order_id. */
export const findOrderAlias = (store: Store, orderId: number): Promise<OrderAlias | undefined> =>
  store.get(aliasKey(orderId), orderAliasSchema, { consistent: true });

/** Parses an item as an order; undefined if there is no item. */
export const asStoredOrder = (item: Item | undefined): StoredOrder | undefined =>
  item && parseItem(storedOrderSchema, unstaged(item));

/**
 * Reads orders in the order of `pointers`, with additional items, 100 items per call; omits unknown orders.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const findOrdersWith = async (
  store: Store,
  pointers: readonly OrderPointer[],
  extraReads: readonly Key[],
  onDamaged?: OnDamaged,
): Promise<{ orders: StoredOrder[]; items: Items }> => {
  if (pointers.length + extraReads.length === 0) return { orders: [], items: [] };
  const found = await store.getMany([...pointers.map(orderKey), ...extraReads], { consistent: true });
  const stored = found.slice(0, pointers.length);
  const read = await readStaged(store, stored, (index) => pointers[index]?.deployment_id ?? 0);
  return {
    orders: read.flatMap((item) => readable(asStoredOrder, item, placeByKey, onDamaged) ?? []),
    items: found.slice(pointers.length),
  };
};

/** Reads orders in the order of `pointers`, 100 per call; omits unknown ones and those of a newer version. */
export const findOrders = async (
  store: Store,
  pointers: readonly OrderPointer[],
  onDamaged?: OnDamaged,
): Promise<StoredOrder[]> => (await findOrdersWith(store, pointers, [], onDamaged)).orders;

/** Longest order book that is read whole: the orders that one Query returns, at about 700 bytes each. */
export const MAX_WHOLE_BOOK = 1000;

/**
 * Reads the whole order book of a deployment, newest first. For books of up to {@link MAX_WHOLE_BOOK} orders.
 *
 * @param onDamaged takes the errors of damaged orders. Without it, they are errors.
 */
export const findAllOrders = async (
  store: Store,
  deploymentId: number,
  onDamaged?: OnDamaged,
): Promise<StoredOrder[]> => {
  const items = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :order)',
      ExpressionAttributeValues: { ':pk': orderList(deploymentId).pk, ':order': 'ORDER#' },
      ConsistentRead: true,
    },
    z.record(z.string(), z.unknown()),
  );
  const read = (item: Item | undefined) =>
    onDamaged ? readable(asStoredOrder, item, placeByKey, onDamaged) : asStoredOrder(item);
  const orders = (await readStaged(store, items, () => deploymentId)).flatMap((item) => read(item) ?? []);
  return orders.sort((left, right) => right.order_id - left.order_id);
};

/** Returns the attributes of an order. Those that it does not have are undefined, so that a write removes them. */
const stored = (order: StoredOrder): Item => ({ ...ABSENT, ...storedForm(order) });

/**
 * Returns the write of a changed order. Its condition fails if the order changed since it was read. The deployment's
 * version cannot guard it, because one batch reads both and a batch is not a snapshot.
 */
export const orderWrite = (order: StoredOrder): Stageable => ({
  key: orderKey(order),
  set: stored({ ...order, revision: order.revision + 1 }),
  if: { condition: 'revision = :revision', values: { ':revision': order.revision } },
});

/** Returns the writes that add a new order to its deployment's book, and its order_id. */
export const newOrderWrites = (order: StoredOrder, seq: number): Write[] => {
  const { deployment_id, client_order_id } = order;
  const isNew = { condition: 'attribute_not_exists(pk)' };
  const pointer = { entity: 'order_entry', deployment_id, client_order_id };
  return [
    { put: { ...orderKey(order), entity: 'order', ...stored(order) }, if: isNew },
    { put: { ...entryKey(orderList(deployment_id), seq), ...pointer } },
    { put: { ...aliasKey(order.order_id), ...pointer, symbol: order.symbol }, if: isNew },
  ];
};

/** Returns the summary that a deployment keeps of its latest order. */
export const latestOrderOf = (order: Order & { readonly order_id: number }): LatestOrder => ({
  order_id: order.order_id,
  client_order_id: order.client_order_id,
  symbol: order.symbol,
  side: order.side,
  status: order.status,
  status_message: order.status_message,
  quantity: order.quantity,
  filled_quantity: order.filled_quantity,
  average_price: order.average_price,
  updated_at: new Date(order.updated_at).toISOString(),
  ...(order.place !== undefined && { place: order.place }),
});

/** Returns the later of two orders, by update time, then by place and id. */
export const laterOrder = (left: LatestOrder | undefined, right: LatestOrder): LatestOrder => {
  if (left === undefined || left.client_order_id === right.client_order_id) return right;
  if (left.updated_at !== right.updated_at) return left.updated_at > right.updated_at ? left : right;
  const isLater =
    (left.place ?? 0) - (right.place ?? 0) || compareOrderIds(left.client_order_id, right.client_order_id);
  return isLater > 0 ? left : right;
};
