import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { findOrders, orderList, orderListHead, orderPointerSchema } from '../../shared/data/books/orders.ts';
import { readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { readOwnTrading } from './common/own-trading.ts';
import { liveDeploymentOrderBookOut, presentOrder } from './records/order.ts';

export const getLiveStrategyOrderBook = defineOperation({
  method: 'GET',
  path: '/get_live_strategy_order_book',
  name: 'get_live_strategy_order_book',
  summary: 'List the orders of a deployment',
  description: 'The orders of a live or paper deployment, newest first.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string(), deployment_id: integer(), ...pageQuery }) },
  output: pageOf('LiveDeploymentOrderBookOut', liveDeploymentOrderBookOut),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, deployment_id: id, ...choice } }, call) => {
    const { orders_count } = await readOwnTrading(call, userId, id);
    const page = { ...choice, head: orderListHead(orders_count) };
    const { entries, total } = await readPage(call.store, orderList(id), page, orderPointerSchema);
    const orders = await findOrders(call.store, entries);
    return toPage(orders.map(presentOrder), total, choice);
  },
});
