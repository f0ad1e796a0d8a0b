import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf, pageQuery, toPage } from '../../shared/api/pages.ts';
import { chunkKeys, tradesIn } from '../../shared/data/backtests/trades.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { ownBacktest } from './own-backtest.ts';
import { backtestTradeOut } from './records/backtest.ts';

export const getBacktestTrades = defineOperation({
  method: 'GET',
  path: '/get_backtest_trades',
  name: 'get_backtest_trades',
  summary: 'List the trades of a backtest',
  description: 'Closed trades in the order of closing. The list of a running backtest grows.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: {
    description:
      'Lists the trades of a backtest by page. Look for single trades or periods that made the result.',
  },
  input: { query: z.object({ user_id: z.string(), backtest_id: integer(), ...pageQuery }) },
  output: pageOf('BacktestTrade', backtestTradeOut),
  errors: ['backtest_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, backtest_id: id, ...choice } }, call) => {
    const [item] = await call.store.getMany([keys.backtest(id)], { consistent: true });
    const { start, trades: total } = ownBacktest(userId, item);
    const skip = (choice.page - 1) * choice.size;
    const count = Math.min(choice.size, total - skip);
    if (count <= 0) return toPage([], total, choice);
    const chunks = await call.store.getMany(chunkKeys(id, start, skip, count), { consistent: true });
    return toPage(tradesIn(chunks, skip, count, call.onDamaged), total, choice);
  },
});
