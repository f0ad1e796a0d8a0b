import { attendBacktest, type DueBacktest, findDueBacktests } from '../../shared/data/backtests/jobs.ts';
import { attendSweep, type DueSweep, findDueSweeps } from '../../shared/data/backtests/sweep-jobs.ts';
import { putOffDueItem } from '../../shared/data/table/due-items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { textId } from '../../shared/ids.ts';
import { dueJob } from './due-job.ts';

const keyOf = (due: DueBacktest | DueSweep) =>
  'sweep_id' in due ? keys.sweep(due.sweep_id) : keys.backtest(due.backtest_id);

/** Queues backtests and sweeps again whose worker or event was lost, and removes the items of removed ones. */
export const sweepBacktests = dueJob<DueBacktest | DueSweep>({
  name: 'sweep-backtests',
  summary: 'Queues lost backtests and sweeps again, and removes the items of removed ones',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: async ({ store, clock }, limit, onDamaged) => {
    const now = clock();
    const found = await Promise.all([
      findDueBacktests(store, now, limit, onDamaged),
      findDueSweeps(store, now, limit, onDamaged),
    ]);
    return found
      .flat()
      .sort((left, right) => left.due_at - right.due_at)
      .slice(0, limit);
  },
  attend: ({ store, clock, random }, due) =>
    'sweep_id' in due
      ? attendSweep(store, due, textId(random), clock())
      : attendBacktest(store, due, textId(random), clock()),
  nameOf: (due) => keyOf(due).pk,
  putOff: ({ store, clock }, due) => putOffDueItem(store, keyOf(due), due.due_kind, clock()),
  page: 200,
  called: 'backtests and sweeps',
});
