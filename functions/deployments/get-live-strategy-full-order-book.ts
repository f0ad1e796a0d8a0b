import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import {
  findAllOrders,
  findOrders,
  orderList,
  orderListHead,
  orderPointerSchema,
  type StoredOrder,
} from '../../shared/data/books/orders.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { summaryOf } from '../../shared/data/books/summary.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { readOwnTrading } from './common/own-trading.ts';
import { liveDeploymentOrderBookOut, presentOrder } from './records/order.ts';
import { liveDeploymentCustomOut, presentTrading } from './records/trading.ts';

/** Orders that one Query returns, at about 700 bytes each. A longer book shows as many as one batch reads. */
const MAX_ORDERS = 1000;
const NEWEST_OF_MORE = 100;

const readOrders = async (
  call: Call,
  { deployment_id, orders_count }: TradingDeployment,
): Promise<StoredOrder[]> => {
  if (orders_count <= MAX_ORDERS) return findAllOrders(call.store, deployment_id);
  const page = { page: 1, size: NEWEST_OF_MORE, head: orderListHead(orders_count) };
  const { entries } = await readPage(call.store, orderList(deployment_id), page, orderPointerSchema);
  return findOrders(call.store, entries);
};

export const getLiveStrategyFullOrderBook = defineOperation({
  method: 'GET',
  path: '/get_live_strategy_full_order_book',
  name: 'get_live_strategy_full_order_book',
  summary: 'Get a deployment with its orders',
  description:
    `The deployment with its figures and its orders, newest first. Of more than ${MAX_ORDERS} orders ` +
    `only the newest ${NEWEST_OF_MORE} are in the answer; /get_live_strategy_order_book has the others in pages.`,
  caller: 'user',
  input: { query: z.object({ user_id: z.string(), strategy_id: integer(), deployment_id: integer() }) },
  output: z.object({
    deployment: liveDeploymentCustomOut,
    orders: z.array(liveDeploymentOrderBookOut),
    orders_total: integer(),
    is_complete: z.boolean(),
    as_of: timestamp().nullable(),
  }),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id, deployment_id: id } }, call) => {
    const deployment = await readOwnTrading(call, userId, id, strategy_id);
    const orders = await readOrders(call, deployment);
    const summary = summaryOf(deployment, unpackLedger(deployment.ledger));
    return {
      deployment: presentTrading(summary),
      orders: orders.map(presentOrder),
      orders_total: deployment.orders_count,
      is_complete: orders.length >= deployment.orders_count,
      as_of: summary.totals.as_of,
    };
  },
});
