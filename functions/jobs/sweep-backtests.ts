import { attendBacktest, findDueBacktests } from '../../shared/data/backtests/jobs.ts';
import { textId } from '../../shared/ids.ts';
import { dueJob } from './due-job.ts';

/** Queues backtests again whose worker or event was lost, and removes the items of removed ones. */
export const sweepBacktests = dueJob({
  name: 'sweep-backtests',
  summary: 'Queues lost backtests again, and removes the items of removed ones',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: ({ store, clock }, limit) => findDueBacktests(store, clock(), limit),
  attend: ({ store, clock, random }, due) => attendBacktest(store, due, textId(random), clock()),
  maxPerRun: 200,
  called: 'backtests',
});
