import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { integer } from '../../shared/api/fields.ts';
import { isUnfiltered } from '../../shared/api/filters.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { filteredPageOf, pageQuery, toFilteredPage, toPage } from '../../shared/api/pages.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import {
  findAllOrders,
  findOrders,
  MAX_WHOLE_BOOK,
  orderList,
  orderListHead,
  orderPointerSchema,
} from '../../shared/data/books/orders.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import type { Order } from '../../shared/data/numbered-list/list-head.ts';
import { readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { liveDeploymentOrderBookOut, presentOrder } from '../../shared/records/order.ts';
import { MAX_COVERED, matchingOrder, orderListQuery, searchOrders } from './forms/order-filter.ts';

type Filter = Parameters<typeof matchingOrder>[0];

/** Finds matching orders: in a whole short book in one call, else in a part of a long one in two. */
const findMatching = async (
  call: Call,
  { deployment_id: id, orders_count }: TradingDeployment,
  filter: Filter,
  { order, cursor }: { readonly order: Order; readonly cursor: number | undefined },
) => {
  if (orders_count <= MAX_WHOLE_BOOK && cursor === undefined) {
    const found = await findAllOrders(call.store, id, call.onDamaged);
    const orders = found.filter(matchingOrder(filter));
    return {
      orders: order === 'newest' ? orders : orders.reverse(),
      next: undefined,
      isWhole: found.length >= orders_count,
    };
  }
  const window = { head: orderListHead(orders_count), order, cursor };
  return searchOrders(call, orderList(id), window, filter);
};

export const getLiveStrategyOrderBook = defineOperation({
  method: 'GET',
  path: '/get_live_strategy_order_book',
  name: 'get_live_strategy_order_book',
  summary: 'List the orders of a deployment',
  description:
    'The orders of a live or paper deployment, newest first. `from`, `to`, `symbol`, `status` and `side` choose orders. ' +
    `An answer with a filter covers a book of up to ${MAX_WHOLE_BOOK} orders, of a longer one the next ${MAX_COVERED} ` +
    'orders: `total` counts the chosen ones among them, and `next_cursor` leads to the others.',
  caller: 'user',
  scope: 'read',
  assistant: {
    title: 'List the orders of a deployment',
    description: 'Lists the orders of a deployment by page.',
  },
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer(), ...pageQuery, ...orderListQuery }),
  },
  output: filteredPageOf('LiveDeploymentOrderBookOut', liveDeploymentOrderBookOut),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async (
    { query: { user_id: userId, deployment_id: id, page, size, sort, cursor, ...filter } },
    call,
  ) => {
    const deployment = await readOwnTrading(call, userId, id);
    const choice = { page, size };
    if (isUnfiltered({ ...filter, cursor })) {
      const request = { ...choice, order: sort, head: orderListHead(deployment.orders_count) };
      const { entries, total } = await readPage(
        call.store,
        orderList(id),
        request,
        orderPointerSchema,
        call.onDamaged,
      );
      const orders = await findOrders(call.store, entries, call.onDamaged);
      return toPage(orders.map(presentOrder), total, choice);
    }
    const { orders, ...part } = await findMatching(call, deployment, filter, { order: sort, cursor });
    const { items, ...rest } = toFilteredPage(orders, choice, part);
    return { ...rest, items: items.map(presentOrder) };
  },
});
