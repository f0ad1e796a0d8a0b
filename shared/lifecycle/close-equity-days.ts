import { MAX_PRICES } from '../data/candles/last-prices.ts';
import { findNewestSeries } from '../data/candles/newest-series.ts';
import { livesInBars, type TradingDeployment } from '../data/deployments/deployments.ts';
import type { Store } from '../data/table/store.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { firstOpenDay, marketDaysBefore, newestMarks } from '../domain/ledger/market-days.ts';
import type { Day } from '../domain/periods.ts';
import type { Runtime } from '../runtime.ts';
import { type Closing, closeAll, hubClosing } from './close-days.ts';
import { showPerformance } from './equity-days.ts';

/** Plans the closing for a deployment of an engine outside: at last prices that are newer than its quotes and fills. */
const externalClosing = async (
  store: Store,
  { prediction_market: isPrediction }: TradingDeployment,
  ledger: Ledger,
  through: Day,
): Promise<Closing> => {
  const marks = isPrediction || firstOpenDay(ledger) > through ? [] : [...newestMarks(ledger)];
  const series = await findNewestSeries(store, new Map(marks.slice(0, MAX_PRICES)));
  return { through, symbols: series.map((one) => ({ series: one, timeframe: one.timeframe })) };
};

/**
 * Closes the days of a deployment up to `through`, at the prices of their last bars, quotes or fills, and updates the
 * performance on the strategy's cards. A deployment that the hub runs lives in the time of its bars: its days close up
 * to the day before the newest one. Idempotent.
 */
export const closeEquityDays = async (
  runtime: Runtime,
  deploymentId: number,
  through: Day,
): Promise<void> => {
  const { store, clock } = runtime;
  const closed = await closeAll(runtime, deploymentId, (deployment, ledger, setup) =>
    livesInBars(deployment)
      ? hubClosing(store, ledger, setup, marketDaysBefore)
      : externalClosing(store, deployment, ledger, through),
  );
  if (closed) await showPerformance(runtime, closed.deployment, closed.ledger, clock());
};
