import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf } from '../../shared/api/pages.ts';
import { asBacktest } from '../../shared/data/backtests/backtests.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { listOwned, ownedQuery } from './forms/list-owned.ts';
import { backtestItemOut, presentBacktestItem } from './records/backtest-item.ts';

export const getBacktests = defineOperation({
  method: 'GET',
  path: '/get_backtests',
  name: 'get_backtests',
  summary: 'List the stored backtests of a user',
  description: 'Backtests of a user, or of one strategy, newest first, with their main figures.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: { description: 'Lists the backtests of the user, newest first, by page.' },
  input: { query: ownedQuery },
  output: pageOf('BacktestItem', backtestItemOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: ({ query }, call) =>
    listOwned(call, query, {
      entriesOf: ({ entries }) => entries,
      keyOf: ({ backtest_id }) => keys.backtest(backtest_id),
      present: (item) => {
        const backtest = asBacktest(item);
        return backtest && presentBacktestItem(backtest);
      },
    }),
});
