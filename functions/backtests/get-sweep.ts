import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownSweep } from '../../shared/api/refusals.ts';
import { outcomeIn, sweepSetupIn } from '../../shared/data/backtests/sweeps.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { ownSweep } from './own-sweep.ts';
import { presentSweep, sweepOut } from './records/sweep.ts';

export const getSweep = defineOperation({
  method: 'GET',
  path: '/get_sweep',
  name: 'get_sweep',
  summary: 'Get a sweep with its best combinations',
  description:
    'The status of a sweep, and the 50 best combinations once it is done, with figures in sample and out of sample. `/run_backtest` with `to` or with `from` at the split, and the parameters of a combination, gives the same figures.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: { description: 'Reads the status of a sweep, and its results once it is done.' },
  input: { query: z.object({ user_id: z.string(), sweep_id: integer() }) },
  output: sweepOut,
  errors: ['sweep_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId, sweep_id: id } }, call) => {
    const [item, setupItem, outcomeItem] = await call.store.getMany(
      [keys.sweep(id), keys.sweepSetup(id), keys.sweepOutcome(id)],
      { consistent: true },
    );
    const sweep = ownSweep(userId, item);
    if (!setupItem) throw unknownSweep();
    return presentSweep(sweep, sweepSetupIn(setupItem), outcomeIn(outcomeItem));
  },
});
