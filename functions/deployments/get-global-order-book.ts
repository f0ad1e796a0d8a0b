import * as z from 'zod';
import { isUnfiltered } from '../../shared/api/filters.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { filteredPageOf, pageQuery, toFilteredPage, toPage } from '../../shared/api/pages.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { readWithUser } from '../../shared/callers/read-user.ts';
import {
  findOrders,
  orderPointerSchema,
  type StoredOrder,
  userOrderList,
} from '../../shared/data/books/orders.ts';
import { TRADE_MODES, type TradeMode } from '../../shared/data/deployments/trading-record.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import {
  liveDeploymentOrderBookOut,
  presentOrder,
  presentVirtualOrder,
  virtualDeploymentOrderBookOut,
} from '../../shared/records/order.ts';
import { MAX_COVERED, orderListQuery, searchOrders } from './forms/order-filter.ts';

/** Reads the mode. @throws ValidationError */
const parseMode = (text: string): TradeMode => {
  const mode = TRADE_MODES.find((known) => known === text.trim().toLowerCase());
  if (mode) return mode;
  const msg = `value is not a valid enumeration member; permitted: ${TRADE_MODES.map((known) => `'${known}'`).join(', ')}`;
  const ctx = { enum_values: TRADE_MODES };
  throw invalidValue(['query', 'mode'], msg, 'type_error.enum', ctx);
};

const anyOrder = z.union([virtualDeploymentOrderBookOut, liveDeploymentOrderBookOut]);

export const getGlobalOrderBook = defineOperation({
  method: 'GET',
  path: '/get_global_order_book',
  name: 'get_global_order_book',
  summary: 'List the orders of all deployments of a user',
  description:
    'Orders with real money, or on paper, newest first. `from`, `to`, `symbol`, `status` and `side` choose orders. ' +
    `An answer with a filter covers the next ${MAX_COVERED} orders: \`total\` counts the chosen ones among them, and ` +
    '`next_cursor` leads to the others.',
  caller: 'user',
  scope: 'read',
  input: {
    query: z.object({
      user_id: z.string(),
      mode: z.string().meta({ enum: TRADE_MODES }),
      ...pageQuery,
      ...orderListQuery,
    }),
  },
  output: filteredPageOf('Union_VirtualDeploymentOrderBookOut__LiveDeploymentOrderBookOut_', anyOrder),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, mode: text, page, size, sort, cursor, ...filter } }, call) => {
    const mode = parseMode(text);
    const list = userOrderList(userId, mode);
    const [item] = await readWithUser(call, userId, [headKey(list)]);
    const head = headIn(list, item);
    const choice = { page, size };
    const present: (order: StoredOrder) => z.output<typeof anyOrder> =
      mode === 'virtual' ? presentVirtualOrder : presentOrder;
    if (isUnfiltered({ ...filter, cursor })) {
      const request = { ...choice, order: sort, head };
      const { entries, total } = await readPage(
        call.store,
        list,
        request,
        orderPointerSchema,
        call.onDamaged,
      );
      return toPage((await findOrders(call.store, entries, call.onDamaged)).map(present), total, choice);
    }
    const { orders, ...part } = await searchOrders(call, list, { head, order: sort, cursor }, filter);
    const { items, ...rest } = toFilteredPage(orders, choice, part);
    return { ...rest, items: items.map(present) };
  },
});
