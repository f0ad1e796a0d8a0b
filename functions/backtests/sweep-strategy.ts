import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { withWork } from './charging/with-work.ts';
import { sweepIn } from './forms/sweep-body.ts';
import { presentSweep, sweepOut } from './records/sweep.ts';
import { prepare, TEST_ERRORS } from './setup/prepare.ts';
import { sweepSetupOf } from './setup/sweep-setup.ts';
import { storeSweep } from './storing/store-sweep.ts';

export const sweepStrategy = defineOperation({
  method: 'POST',
  path: '/sweep_strategy',
  name: 'sweep_strategy',
  summary: 'Try combinations of parameters',
  description:
    'Backtests every combination of the values of `params`, at most 2,000, up to the split (in sample) and from the split on (out of sample), and ranks them by a figure in sample. Always `queued`: read the progress and the 50 best with `/get_sweep`.',
  caller: 'user',
  scope: 'research',
  extension: true,
  limits: { body: 64 * 1024 },
  assistant: {
    description:
      'Tests values of parameters of the rules. Use split, which ranks on the first part of the span and shows the results of the rest. Prefer a plateau to the best cell: the best of many tries is partly luck.',
  },
  input: { query: z.object({ user_id: z.string() }), json: sweepIn },
  output: sweepOut,
  errors: TEST_ERRORS,
  table: 'write',
  rateClass: 'work',
  handler: async ({ query: { user_id: userId }, json }, call) => {
    const { params: _params, split: _split, rank_by: _rankBy, ...subject } = json;
    const prepared = await prepare(call, userId, subject);
    const { setup, work: units } = sweepSetupOf(prepared, json);
    const sweep = await withWork(call, prepared, units, async (work) => ({
      value: await storeSweep(call, prepared, setup, work),
      ran: units,
    }));
    return presentSweep(sweep, setup, undefined);
  },
});
