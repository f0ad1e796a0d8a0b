import * as z from 'zod';
import { type SwapTerms, swapTermsSchema } from '../../domain/instruments/rollover.ts';
import type { Trade } from '../../domain/ledger/account.ts';
import { decimalText } from '../../domain/money.ts';
import { type Order, orderSchema } from '../../domain/orders/order-record.ts';
import { readStaged, type Stageable } from '../deployments/staged-change.ts';
import { type LatestOrder, TRADE_MODES, type TradeMode } from '../deployments/trading-record.ts';
import type { Head } from '../numbered-list/list-head.ts';
import { entryKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import { bounded } from '../table/keys.ts';
import { unlessNewer } from '../table/newer-record.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Store, Write } from '../table/store.ts';

/** An order as stored: what the engine reported, and whose it is. */
const storedOrderSchema = orderSchema.extend({
  order_id: z.number(),
  deployment_id: z.number(),
  strategy_id: z.number(),
  mode: z.enum(TRADE_MODES),
  currency: z.string(),
  /** The broker's name for the instrument, where the owner corrected it. */
  broker_symbol: z.string().nullable(),
  /** The price at which the owner closed its position by hand. */
  close_value: decimalText.nullable(),
  /** Grows with every change: what was read decides only while it is what is there. */
  revision: z.number(),
});

export type StoredOrder = z.output<typeof storedOrderSchema>;

/** The order book of a deployment. It has no stored head: the deployment counts its orders. */
export const orderList = (deploymentId: number): NumberedList => ({ pk: `ORDERS#${deploymentId}` });

/** The head of an order book with so many orders: none is ever removed. */
export const orderListHead = (ordersCount: number): Head => ({
  next: ordersCount,
  gone: 0,
  base: 0,
  counts: [],
});

/** All orders of a user in a mode. */
export const userOrderList = (userId: string, mode: TradeMode): NumberedList => ({
  pk: `USER_ORDERS#${mode}#${bounded(userId)}`,
});

/** Orders of a user that were expected at one price and filled at another. */
export const slippageList = (userId: string): NumberedList => ({ pk: `SLIPPAGE#${bounded(userId)}` });

/** Closed trades of all deployments of a user. */
export const userTradeList = (userId: string): NumberedList => ({ pk: `USER_TRADES#${bounded(userId)}` });

/** What lists keep of an order. */
export const orderPointerSchema = z.object({ deployment_id: z.number(), client_order_id: z.string() });
export type OrderPointer = z.output<typeof orderPointerSchema>;

/** An order by the id that its engine gave it. */
export const orderKey = ({ deployment_id, client_order_id }: OrderPointer): Key => ({
  pk: orderList(deployment_id).pk,
  sk: `ORDER#${client_order_id}`,
});

const aliasKey = (orderId: number): Key => ({ pk: `ORDER#${orderId}`, sk: 'ORDER' });

/** The place of an order by its own id, with its symbol; older entries lack the symbol. */
const orderAliasSchema = orderPointerSchema.extend({ symbol: z.string().optional() });
export type OrderAlias = z.output<typeof orderAliasSchema>;

/** Finds an order by its own id. */
export const findOrderAlias = (store: Store, orderId: number): Promise<OrderAlias | undefined> =>
  store.get(aliasKey(orderId), orderAliasSchema, { consistent: true });

/** An order is one value of its item: a fifth of the bytes of forty, for which both writing and reading pay. */
const itemSchema = z.object({ order: packed(storedOrderSchema) });

export const asStoredOrder = (item: Record<string, unknown> | undefined): StoredOrder | undefined =>
  item && parseItem(itemSchema, item).order;

/** Reads orders, up to a hundred in one call, in their order. */
export const findOrders = async (store: Store, pointers: readonly OrderPointer[]): Promise<StoredOrder[]> => {
  if (pointers.length === 0) return [];
  const items = await store.getMany(pointers.map(orderKey), { consistent: true });
  const read = await readStaged(store, items, (index) => pointers[index]?.deployment_id ?? 0);
  return read.flatMap((item) => unlessNewer(() => asStoredOrder(item)) ?? []);
};

/** Reads the whole order book of a deployment, newest first: for one that is known to be short. */
export const findAllOrders = async (store: Store, deploymentId: number): Promise<StoredOrder[]> => {
  const items = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :order)',
      ExpressionAttributeValues: { ':pk': orderList(deploymentId).pk, ':order': 'ORDER#' },
      ConsistentRead: true,
    },
    z.record(z.string(), z.unknown()),
  );
  const orders = (await readStaged(store, items, () => deploymentId)).flatMap(
    (item) => asStoredOrder(item) ?? [],
  );
  return orders.sort((left, right) => right.order_id - left.order_id);
};

const stored = (order: StoredOrder) => ({
  entity: 'order',
  revision: order.revision,
  order: pack(order),
});

/**
 * Writes a changed order over what was read; refused where something else changed it since. The version of its
 * deployment is no guard for it: both are read in one batch, which is no snapshot.
 */
export const orderWrite = (order: StoredOrder): Stageable => ({
  key: orderKey(order),
  set: stored({ ...order, revision: order.revision + 1 }),
  if: { condition: 'revision = :revision', values: { ':revision': order.revision } },
});

/** Enters a new order in its deployment's book, under its own id too. */
export const newOrderWrites = (order: StoredOrder, seq: number): Write[] => {
  const { deployment_id, client_order_id } = order;
  const isNew = { condition: 'attribute_not_exists(pk)' };
  const pointer = { entity: 'order_entry', deployment_id, client_order_id };
  return [
    { put: { ...orderKey(order), ...stored(order) }, if: isNew },
    { put: { ...entryKey(orderList(deployment_id), seq), ...pointer } },
    { put: { ...aliasKey(order.order_id), ...pointer, symbol: order.symbol }, if: isNew },
  ];
};

/** What a deployment keeps of the order that was heard of last. */
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
});

/** The later of two orders, by when they were heard of, then by their ids. */
export const laterOrder = (left: LatestOrder | undefined, right: LatestOrder): LatestOrder => {
  if (left === undefined || left.client_order_id === right.client_order_id) return right;
  if (left.updated_at !== right.updated_at) return left.updated_at > right.updated_at ? left : right;
  return left.client_order_id > right.client_order_id ? left : right;
};

/** A closed trade as stored. */
const storedTradeSchema = z.object({
  deployment_id: z.number(),
  strategy_id: z.number(),
  mode: z.enum(TRADE_MODES),
  currency: z.string(),
  number: z.number(),
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  quantity: decimalText,
  entry_average: decimalText,
  exit_average: decimalText,
  gross: decimalText,
  fees: decimalText,
  swap: decimalText,
  net: decimalText,
  opened_at: z.string(),
  closed_at: z.string(),
  duration_s: z.number(),
  client_order_id: z.string(),
});

export type StoredTrade = z.output<typeof storedTradeSchema>;

/** What lists keep of a trade. */
export const tradePointerSchema = z.object({ deployment_id: z.number(), number: z.number() });

/** A trade's key by its number within the deployment; a trade's place in the list of its user's, beside it. */
export const tradeKey = (deploymentId: number, number: number): Key => ({
  pk: `TRADES#${deploymentId}`,
  sk: `TRADE#${String(number).padStart(12, '0')}`,
});

export const tradePlaceKey = (deploymentId: number, number: number): Key => ({
  pk: `TRADES#${deploymentId}`,
  sk: `PLACE#${String(number).padStart(12, '0')}`,
});

/** Reads trades, up to a hundred in one call, in their order; drops those that a late event has undone. */
export const findTrades = async (
  store: Store,
  pointers: readonly z.output<typeof tradePointerSchema>[],
): Promise<StoredTrade[]> => {
  if (pointers.length === 0) return [];
  const wanted = pointers.map(({ deployment_id, number }) => tradeKey(deployment_id, number));
  const items = await store.getMany(wanted, { consistent: true });
  const read = await readStaged(store, items, (index) => pointers[index]?.deployment_id ?? 0);
  return read.flatMap((item) => (item ? (unlessNewer(() => parseItem(storedTradeSchema, item)) ?? []) : []));
};

export const tradeWrite = (
  of: Pick<StoredTrade, 'deployment_id' | 'strategy_id' | 'mode' | 'currency'>,
  trade: Trade,
): Stageable => {
  const { deployment_id, strategy_id, mode, currency } = of;
  return {
    key: tradeKey(deployment_id, trade.number),
    set: {
      entity: 'trade',
      deployment_id,
      strategy_id,
      mode,
      currency,
      ...trade,
    },
  };
};

export const tradeRemoval = (deploymentId: number, number: number): Stageable => ({
  delete: tradeKey(deploymentId, number),
});

/** What says that a swap charge was taken in. */
export const swapChargeKey = (deploymentId: number, chargeId: string): Key => ({
  pk: `SWAP_CHARGES#${deploymentId}`,
  sk: chargeId,
});

/** @param terms the rates that it was charged by, where the service itself charged. */
export const swapChargeWrite = (deploymentId: number, chargeId: string, terms?: SwapTerms): Write => ({
  put: { ...swapChargeKey(deploymentId, chargeId), entity: 'swap_charge', ...(terms && { terms }) },
  if: { condition: 'attribute_not_exists(pk)' },
});

const swapChargeSchema = z.object({ terms: swapTermsSchema.optional() });

/** The rates that a charge was made by, where they were kept with it. */
export const swapChargeTerms = (item: Readonly<Record<string, unknown>>): SwapTerms | undefined =>
  parseItem(swapChargeSchema, item).terms;
