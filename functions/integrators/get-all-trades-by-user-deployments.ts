import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { linkedUser, READING_ERRORS } from '../../shared/callers/linked-user.ts';
import { findTrades, tradePointerSchema, userTradeList } from '../../shared/data/books/trades.ts';
import { headIn, headKey, readPage } from '../../shared/data/numbered-list/numbered-list.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { presentTrade } from '../../shared/records/trade.ts';
import { integratorTrade } from './records/trading.ts';

export const getAllTradesByUserDeployments = defineOperation({
  method: 'GET',
  path: '/broker/get_all_trades_by_user_deployments',
  name: 'get_all_trades_by_user_deployments',
  summary: 'List the closed trades of a user',
  description:
    'Trades from the entry until the position was flat or flipped, real and on paper, newest first.',
  caller: 'integrator',
  input: { query: z.object({ user_email: z.string(), ...pageQuery }) },
  output: pageOf('IntegratorTrade', integratorTrade),
  errors: READING_ERRORS,
  table: 'read',
  handler: async ({ query: { user_email: email, ...choice } }, call) => {
    const { user, items } = await linkedUser(call, email, (userId) => [headKey(userTradeList(userId))]);
    const list = userTradeList(user.user_id);
    const page = { ...choice, head: headIn(list, itemWith(items, headKey(list))) };
    const { entries, total } = await readPage(call.store, list, page, tradePointerSchema, call.onDamaged);
    const trades = await findTrades(call.store, entries, call.onDamaged);
    return toPage(trades.map(presentTrade), total, choice);
  },
});
