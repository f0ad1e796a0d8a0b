import * as z from 'zod';
import {
  asStoredOrder,
  newOrderWrites,
  orderKey,
  type StoredOrder,
  userOrderList,
} from '../../shared/data/books/orders.ts';
import { EMPTY_HEAD, storedHead } from '../../shared/data/numbered-list/list-head.ts';
import { entryKey, headKey } from '../../shared/data/numbered-list/numbered-list.ts';
import type { BatchMember } from '../../shared/data/table/batch-write.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { TestHub } from '../support/hub.ts';
import { reportOrder } from '../support/trading.ts';
import { newOwner } from '../support/trading-events.ts';
import { type Cost, costOf } from './meter.ts';
import { fillTable } from './tables.ts';

const PAGE_SIZE = 20;
/** `/get_live_strategy_full_order_book` shows at most the thousand newest orders. */
const NEWEST = 100;

export const ORDER_BOOK_PAGES = ['first page of orders', 'middle page of orders', 'last page of orders'];
export const GLOBAL_PAGES = ['first page of all orders', 'middle page of all', 'last page of all'];
export const FULL_BOOK = 'full book';

interface Measurement extends Cost {
  readonly entries: number;
  readonly what: string;
}

/** Returns a paper deployment with one order in its book. */
const tradingOwner = async (hub: TestHub) => {
  const { user_id, deployments } = await newOwner(hub, 1);
  const [deployment_id = 0] = deployments;
  await reportOrder(hub, deployment_id, { client_order_id: 'o-0' });
  const pointer = { deployment_id, client_order_id: 'o-0' };
  const [item] = await hub.runtime.store.getMany([orderKey(pointer)], { consistent: true });
  const order = asStoredOrder(item);
  if (!order) throw new Error('the order was not taken');
  return { user_id, order };
};

const orderAt = (first: StoredOrder, n: number): StoredOrder => ({
  ...first,
  order_id: first.order_id + n,
  client_order_id: `o-${n}`,
});

/** Measured pages, with the number of newer orders before each. */
const pagesOf = (entries: number): readonly { readonly page: number; readonly newer: number }[] =>
  [1, Math.ceil(entries / PAGE_SIZE / 2), entries / PAGE_SIZE].map((page) => ({
    page,
    newer: (page - 1) * PAGE_SIZE,
  }));

/** Returns all entries of the book and of the user's orders, and only those orders that are read. */
function* membersOf(userId: string, first: StoredOrder, entries: number): Generator<BatchMember> {
  const { deployment_id, mode } = first;
  const all = userOrderList(userId, mode);
  const isRead = (n: number): boolean =>
    n >= entries - NEWEST ||
    pagesOf(entries).some(({ newer }) => n < entries - newer && n >= entries - newer - PAGE_SIZE);
  for (let n = 0; n < entries; n++) {
    const [order, entry] = newOrderWrites(orderAt(first, n), n);
    if (!order || !('put' in order) || !entry || !('put' in entry)) throw new Error('an order is two puts');
    if (isRead(n)) yield { put: order.put };
    yield { put: entry.put };
    const { client_order_id } = orderAt(first, n);
    yield { put: { ...entryKey(all, n), entity: 'order_entry', deployment_id, client_order_id } };
  }
  yield {
    put: { ...headKey(all), entity: 'list', head: storedHead({ ...EMPTY_HEAD, next: entries }) },
  };
}

/**
 * Measures pages of order books in operations: the book of one deployment, and the orders of
 * all deployments of a user.
 *
 * @param hub over a metered table
 */
export const measureOrderBooks = async (hub: TestHub, entries: number): Promise<Measurement[]> => {
  const { store } = hub.runtime;
  const { user_id, order: first } = await tradingOwner(hub);
  const { deployment_id, strategy_id, mode } = first;
  await fillTable(store, `${entries.toLocaleString('en')} orders`, membersOf(user_id, first, entries));
  const count = { update: 'SET orders_count = :count', values: { ':count': entries } };
  await store.update(keys.deployment(deployment_id), count, z.object({}));

  const measure = async (what: string, routeKey: string, query: Record<string, string>, newest: number) => {
    const cost = await costOf(async () => {
      const { status, body, text } = await hub.call(routeKey, { query: { user_id, ...query } });
      if (status !== 200) throw new Error(`${what}: status ${status}: ${text}`);
      const items = body.items ?? body.orders;
      if ((body.total ?? body.orders_total) !== entries || items[0]?.client_order_id !== `o-${newest}`) {
        throw new Error(`${what} of ${entries} orders is wrong`);
      }
    });
    return { entries, what, ...cost };
  };
  const of = { deployment_id: String(deployment_id) };
  const measured: Measurement[] = [];
  for (const [place, { page, newer }] of pagesOf(entries).entries()) {
    const choice = { page: String(page), size: String(PAGE_SIZE) };
    const newest = entries - 1 - newer;
    const book = { ...of, ...choice };
    measured.push(
      await measure(ORDER_BOOK_PAGES[place] ?? '', 'GET /get_live_strategy_order_book', book, newest),
      await measure(GLOBAL_PAGES[place] ?? '', 'GET /get_global_order_book', { mode, ...choice }, newest),
    );
  }
  if (entries > 1000) {
    const query = { ...of, strategy_id: String(strategy_id) };
    measured.push(await measure(FULL_BOOK, 'GET /get_live_strategy_full_order_book', query, entries - 1));
  }
  return measured;
};
