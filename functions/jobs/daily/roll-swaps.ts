import { activeTradingPage } from '../../../shared/data/books/active-deployments.ts';
import { ROLLOVER_HOUR, ROLLOVER_ZONE } from '../../../shared/domain/instruments/rollover.ts';
import { rollSwaps } from '../../../shared/lifecycle/rollover.ts';
import { dailyRounds } from '../rounds.ts';
import { walkJob } from '../walk-job.ts';

/** Charges swap for the positions that paper deployments hold over 17:00 in New York. */
export const rollSwapsJob = walkJob({
  name: 'roll-swaps',
  summary: 'Charges swap for positions held over 17:00 New York, three nights on the instrument’s weekday',
  // A round begins at 17:00 New York time; later runs continue a long round.
  expression: 'rate(5 minutes)',
  timeZone: 'UTC',
  uses: [],
  round: dailyRounds(ROLLOVER_HOUR, ROLLOVER_ZONE),
  page: ({ store }, cursor, limit) => activeTradingPage(store, cursor, limit),
  attend: rollSwaps,
});
