import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { findOrders, orderPointerSchema, userOrderList } from '../../shared/data/books/orders.ts';
import { TRADE_MODES, type TradeMode } from '../../shared/data/deployments/trading-record.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { readWithUser } from './common/read-user.ts';
import {
  liveDeploymentOrderBookOut,
  presentOrder,
  presentVirtualOrder,
  virtualDeploymentOrderBookOut,
} from './records/order.ts';

/** Reads the mode. @throws ValidationError */
const parseMode = (text: string): TradeMode => {
  const mode = TRADE_MODES.find((known) => known === text.trim().toLowerCase());
  if (mode) return mode;
  const msg = `value is not a valid enumeration member; permitted: ${TRADE_MODES.map((known) => `'${known}'`).join(', ')}`;
  const ctx = { enum_values: TRADE_MODES };
  throw invalidValue(['query', 'mode'], msg, 'type_error.enum', ctx);
};

export const getGlobalOrderBook = defineOperation({
  method: 'GET',
  path: '/get_global_order_book',
  name: 'get_global_order_book',
  summary: 'List the orders of all deployments of a user',
  description: 'Orders with real money, or on paper, newest first.',
  caller: 'user',
  input: {
    query: z.object({ user_id: z.string(), mode: z.string().meta({ enum: TRADE_MODES }), ...pageQuery }),
  },
  output: pageOf(
    'Union_VirtualDeploymentOrderBookOut__LiveDeploymentOrderBookOut_',
    z.union([virtualDeploymentOrderBookOut, liveDeploymentOrderBookOut]),
  ),
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, mode: text, ...choice } }, call) => {
    const mode = parseMode(text);
    const list = userOrderList(userId, mode);
    const [head] = await readWithUser(call, userId, [headKey(list)]);
    const page = { ...choice, head: headIn(list, head) };
    const { entries, total } = await readPage(call.store, list, page, orderPointerSchema);
    const orders = await findOrders(call.store, entries);
    const items = mode === 'virtual' ? orders.map(presentVirtualOrder) : orders.map(presentOrder);
    return toPage<(typeof items)[number]>(items, total, choice);
  },
});
