import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { listChoice } from '../../shared/api/filters.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { readOwnTrading } from '../../shared/callers/own-trading.ts';
import { markedSummary, symbolsOfSummary } from '../../shared/data/books/marked-summaries.ts';
import {
  findAllOrders,
  findOrdersWith,
  MAX_WHOLE_BOOK,
  orderList,
  orderListHead,
  orderPointerSchema,
  type StoredOrder,
} from '../../shared/data/books/orders.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { summaryOf } from '../../shared/data/books/summary.ts';
import { findLastPrices, lastPriceKeys, lastPricesIn } from '../../shared/data/candles/last-prices.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import type { LastPrices } from '../../shared/domain/ledger/last-prices.ts';
import { liveDeploymentOrderBookOut, presentOrder } from '../../shared/records/order.ts';
import { liveDeploymentCustomOut, presentTrading } from '../../shared/records/trading.ts';
import { matchingOrder, orderFilters } from './forms/order-filter.ts';

/** A longer book shows as many as one batch of 100 reads together with last prices. */
const NEWEST_OF_MORE = 90;
const PRICES_OF_MORE = 10;

/** Reads the orders of a deployment and the last prices of symbols, in at most two calls. */
const readBook = async (
  call: Call,
  { deployment_id, orders_count }: TradingDeployment,
  symbols: readonly string[],
): Promise<{ orders: StoredOrder[]; prices: LastPrices }> => {
  if (orders_count <= MAX_WHOLE_BOOK) {
    const [orders, prices] = await Promise.all([
      findAllOrders(call.store, deployment_id, call.onDamaged),
      findLastPrices(call.store, symbols, call.now),
    ]);
    return { orders, prices };
  }
  const page = { page: 1, size: NEWEST_OF_MORE, head: orderListHead(orders_count) };
  const { entries } = await readPage(
    call.store,
    orderList(deployment_id),
    page,
    orderPointerSchema,
    call.onDamaged,
  );
  const priced = symbols.slice(0, PRICES_OF_MORE);
  const { orders, items } = await findOrdersWith(call.store, entries, lastPriceKeys(priced), call.onDamaged);
  return { orders, prices: lastPricesIn(items, priced, call.now) };
};

export const getLiveStrategyFullOrderBook = defineOperation({
  method: 'GET',
  path: '/get_live_strategy_full_order_book',
  name: 'get_live_strategy_full_order_book',
  summary: 'Get a deployment with its orders',
  description:
    `The deployment with its figures and its orders, newest first. Of more than ${MAX_WHOLE_BOOK} orders ` +
    `only the newest ${NEWEST_OF_MORE} are in the answer; /get_live_strategy_order_book has the others in pages. ` +
    '`from`, `to`, `symbol`, `status` and `side` choose orders of the answer; `is_complete` tells whether they were looked for in the whole book.',
  caller: 'user',
  scope: 'read',
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      deployment_id: integer(),
      ...orderFilters,
      sort: listChoice.sort,
    }),
  },
  output: z.object({
    deployment: liveDeploymentCustomOut,
    orders: z.array(liveDeploymentOrderBookOut),
    orders_total: integer(),
    is_complete: z.boolean(),
    as_of: timestamp().nullable(),
  }),
  errors: ['deployment_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, strategy_id, deployment_id: id, sort, ...filter } }, call) => {
    const deployment = await readOwnTrading(call, userId, id, strategy_id);
    const stored = summaryOf(deployment, unpackLedger(deployment.ledger));
    const { orders, prices } = await readBook(call, deployment, symbolsOfSummary(stored));
    const summary = markedSummary(stored, prices, call.now);
    const chosen = orders.filter(matchingOrder(filter));
    return {
      deployment: presentTrading(summary),
      orders: (sort === 'newest' ? chosen : chosen.reverse()).map(presentOrder),
      orders_total: deployment.orders_count,
      is_complete: orders.length >= deployment.orders_count,
      as_of: summary.totals.as_of,
    };
  },
});
