import { activeTradingPage } from '../../../shared/data/books/active-deployments.ts';
import { addDays } from '../../../shared/domain/periods.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { dailyRounds } from '../rounds.ts';
import { walkJob } from '../walk-job.ts';

/** Closes the trading day of every trading deployment, and its daily statistics. */
export const closeEquityDaysJob = walkJob({
  name: 'close-equity-days',
  summary: 'Closes the trading day of every live deployment: equity, curve, statistics, cards',
  // A round begins when the day before has ended everywhere: at midnight of the western-most exchange. Later runs
  // continue a long round.
  expression: 'rate(5 minutes)',
  timeZone: 'UTC',
  uses: [],
  round: dailyRounds(0, 'America/New_York'),
  page: ({ store }, cursor, limit) => activeTradingPage(store, cursor, limit),
  attend: (runtime, id, round) => closeEquityDays(runtime, id, addDays(round, -1)),
});
