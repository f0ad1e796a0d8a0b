import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { linkedUser, READING_ERRORS } from '../../shared/callers/linked-user.ts';
import { findOrders, orderPointerSchema, slippageList } from '../../shared/data/books/orders.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { slippageSummarySchema, summariseSlippage } from '../../shared/domain/orders/slippage.ts';
import { integratorSlippage, presentSlippage } from './records/trading.ts';

export const getBrokerUserSlippageByEmail = defineOperation({
  method: 'GET',
  path: '/broker/get_broker_user_slippage_by_email',
  name: 'get_broker_user_slippage_by_email',
  summary: 'Get the slippage of a user’s orders',
  description:
    'The latest filled orders with an expected price, real and on paper, newest first, with a summary. Positive slippage is to the user’s disadvantage.',
  caller: 'integrator',
  input: {
    query: z.object({ user_email: z.string(), limit: integer({ min: 1, max: 100 }).default(30) }),
  },
  output: z.object({
    items: z.array(integratorSlippage),
    /** Summary of the items of this answer. */
    summary: slippageSummarySchema,
    total: integer(),
    limit: integer(),
    as_of: timestamp(),
  }),
  errors: READING_ERRORS,
  table: 'read',
  handler: async ({ query: { user_email: email, limit } }, call) => {
    const { user, items: read } = await linkedUser(call, email, (userId) => [headKey(slippageList(userId))]);
    const list = slippageList(user.user_id);
    const page = { page: 1, size: limit, head: headIn(list, itemWith(read, headKey(list))) };
    const { entries, total } = await readPage(call.store, list, page, orderPointerSchema, call.onDamaged);
    const orders = await findOrders(call.store, entries, call.onDamaged);
    const items = orders.flatMap((order) => presentSlippage(order) ?? []);
    return { items, summary: summariseSlippage(items), total, limit, as_of: call.now.toISOString() };
  },
});
