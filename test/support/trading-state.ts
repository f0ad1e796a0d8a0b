import * as z from 'zod';
import { endedList } from '../../shared/data/books/ended-entries.ts';
import { asEndedTotals, marketTotalsKey, strategyTotalsKey } from '../../shared/data/books/ended-totals.ts';
import {
  findAllOrders,
  findOrderAlias,
  orderList,
  orderListHead,
  orderPointerSchema,
  slippageList,
  userOrderList,
} from '../../shared/data/books/orders.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import { summaryItemSchema, type TradingSummary } from '../../shared/data/books/summary.ts';
import { findTradeRange, tradeKey, userTradeList } from '../../shared/data/books/trades.ts';
import { asDeployment, type TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { notificationSchema } from '../../shared/data/deployments/notification.ts';
import { notificationList } from '../../shared/data/deployments/notifications.ts';
import { totalOf } from '../../shared/data/numbered-list/list-head.ts';
import { type NumberedList, readHead, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { ItemSchema } from '../../shared/data/table/parse-item.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { undamaged } from './undamaged.ts';

/** A user and their live deployments. Compared ones have the same index in both lists. */
export interface Owner {
  readonly user_id: string;
  readonly deployments: readonly number[];
}

const RANDOM_OR_WALL_CLOCK = new Set([
  'pk',
  'user_id',
  'strategy_id',
  'strategy_name',
  'order_id',
  'last_hold',
  'stage_id',
  'notification_id',
  'version',
  'revision',
  'due_at',
]);

const MOMENTS = new Set(['updated_at', 'deployed_at', 'created_at', 'to', 'from']);

/** Removes differences between two runs of the same history: random ids, versions, and wall-clock times. */
const normalised = (value: unknown, places: ReadonlyMap<number, number>): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => {
      if (RANDOM_OR_WALL_CLOCK.has(name)) return undefined;
      // Times of orders are milliseconds from events. Only times of this service are texts.
      if (MOMENTS.has(name) && typeof inner === 'string') return undefined;
      if (name === 'deployment_id' && typeof inner === 'number') return places.get(inner);
      return inner;
    }),
  );

const sorted = (entries: readonly unknown[]): string[] =>
  entries.map((entry) => JSON.stringify(entry)).sort();

const everyEntry = async <S extends ItemSchema>(
  store: Store,
  list: NumberedList,
  schema: S,
  head = readHead(store, list),
): Promise<z.output<S>[]> => {
  const entries: z.output<S>[] = [];
  const known = await head;
  for (let page = 1; ; page++) {
    const found = await readPage(store, list, { page, size: 100, head: known }, schema, undamaged);
    entries.push(...found.entries);
    if (found.entries.length < 100) break;
  }
  if (entries.length !== totalOf(known)) throw new Error(`the head of ${list.pk} does not count its entries`);
  return entries;
};

/** More trades than a deployment of a test has. */
const MOST_TRADES = 10_000;

const itemSchema = z.record(z.string(), z.unknown());

const within = (store: Store, pk: string, begin?: string) =>
  store.query(
    {
      KeyConditionExpression: begin === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :begin)',
      ExpressionAttributeValues: { ':pk': pk, ':begin': begin },
      ConsistentRead: true,
    },
    itemSchema,
  );

const findTrading = async (store: Store, id: number): Promise<TradingDeployment> => {
  const [item] = await store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('a deployment of the test is gone');
  return deployment;
};

const deploymentState = async (store: Store, id: number) => {
  const { ledger: packed, ended_seq, ...deployment } = await findTrading(store, id);
  const orders = await findAllOrders(store, id);
  for (const { order_id, client_order_id } of orders) {
    const pointer = await findOrderAlias(store, order_id);
    if (pointer?.client_order_id !== client_order_id) throw new Error('an order is not found by its id');
  }
  const head = Promise.resolve(orderListHead(deployment.orders_count));
  const book = await everyEntry(store, orderList(id), orderPointerSchema, head);
  const { pk } = tradeKey(id, 0);
  const trades = await findTradeRange(store, id, { first: 1, last: MOST_TRADES });
  const places = await within(store, pk, 'PLACE#');
  const charges = await within(store, `SWAP_CHARGES#${id}`);
  return {
    deployment: { ...deployment, ended: ended_seq !== undefined },
    ledger: unpackLedger(packed),
    orders: orders.sort((left, right) => (left.client_order_id < right.client_order_id ? -1 : 1)),
    book: book.map(({ client_order_id }) => client_order_id).sort(),
    trades,
    places: places.map(({ sk }) => String(sk)),
    charges: charges.map(({ sk }) => String(sk)),
  };
};

const inPlace = (
  summaries: readonly TradingSummary[],
  places: ReadonlyMap<number, number>,
): TradingSummary[] =>
  summaries.toSorted(
    (left, right) => (places.get(left.deployment_id) ?? 0) - (places.get(right.deployment_id) ?? 0),
  );

/** Returns the content of a notification without its id and time. */
const readNotification = notificationSchema
  .pick({ kind: true, deployment_id: true, title: true, body: true })
  .transform((read) => ({ ...read, title: read.title.replace(/^Strategy \d+/, 'Strategy') }));

const userState = async (store: Store, { user_id, deployments }: Owner, places: Map<number, number>) => {
  const listed = async (list: NumberedList, schema: ItemSchema) =>
    sorted((await everyEntry(store, list, schema)).map((entry) => normalised(entry, places)));
  const deployed = await Promise.all(deployments.map((id) => findTrading(store, id)));
  const strategies = [...new Set(deployed.map(({ strategy_id }) => strategy_id))];
  const totals = await store.getMany(
    [
      marketTotalsKey(user_id, { prediction_market: false }),
      marketTotalsKey(user_id, { prediction_market: true }),
      ...strategies.map((id) => strategyTotalsKey(user_id, id)),
    ],
    { consistent: true },
  );
  const entrySchema = z.object({ deployment_id: z.number(), number: z.number() });
  const ended = await everyEntry(store, endedList(user_id, { prediction_market: false }), summaryItemSchema);
  const { deploy_used } = z
    .object({ deploy_used: z.number() })
    .parse((await store.getMany([keys.user(user_id)], { consistent: true }))[0]);
  return {
    deploy_used,
    running: inPlace(await findRunning(store, user_id), places),
    ended: inPlace(
      ended.map(({ summary }) => summary),
      places,
    ),
    totals: totals.map(asEndedTotals),
    lists: {
      live: await listed(userOrderList(user_id, 'live'), orderPointerSchema),
      virtual: await listed(userOrderList(user_id, 'virtual'), orderPointerSchema),
      slipped: await listed(slippageList(user_id), orderPointerSchema),
      trades: await listed(userTradeList(user_id), entrySchema),
    },
    notifications: await listed(notificationList(user_id), readNotification),
  };
};

/**
 * Returns all stored data of live deployments and their owners, comparable between runs. Lists whose order
 * follows arrival are sorted. Checks that the count of each head equals the entries of its list.
 */
export const tradingStateOf = async (store: Store, owners: readonly Owner[]) => {
  const ids = owners.flatMap(({ deployments }) => deployments);
  const places = new Map(ids.map((id, place) => [id, place]));
  const deployments = await Promise.all(ids.map((id) => deploymentState(store, id)));
  const users = await Promise.all(owners.map((owner) => userState(store, owner, places)));
  return {
    deployments: deployments.map(({ deployment, orders, trades, ...rest }) => ({
      ...rest,
      deployment: normalised(deployment, places),
      orders: orders.map((order) => normalised(order, places)),
      trades: trades.map((trade) => normalised(trade, places)),
    })),
    users: users.map(({ notifications, lists, ...rest }) => ({
      notifications,
      lists,
      books: normalised({ ...rest }, places),
    })),
  };
};

export type TradingState = Awaited<ReturnType<typeof tradingStateOf>>;
