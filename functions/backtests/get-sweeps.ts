import { defineOperation } from '../../shared/api/operation.ts';
import { pageOf } from '../../shared/api/pages.ts';
import { asSweep } from '../../shared/data/backtests/sweeps.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { listOwned, ownedQuery } from './forms/list-owned.ts';
import { presentSweepItem, sweepItemOut } from './records/sweep.ts';

export const getSweeps = defineOperation({
  method: 'GET',
  path: '/get_sweeps',
  name: 'get_sweeps',
  summary: 'List the stored sweeps of a user',
  description: 'Sweeps of a user, or of one strategy, newest first, each with its best combination.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: { description: 'Lists the sweeps of the user, newest first, by page.' },
  input: { query: ownedQuery },
  output: pageOf('SweepItem', sweepItemOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: ({ query }, call) =>
    listOwned(call, query, {
      entriesOf: ({ sweeps }) => sweeps,
      keyOf: ({ sweep_id }) => keys.sweep(sweep_id),
      present: (item) => {
        const sweep = asSweep(item);
        return sweep && presentSweepItem(sweep);
      },
    }),
});
