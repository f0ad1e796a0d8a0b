import { ConditionFailedError, type Store } from '../table/store.ts';
import { findSeries, headItem, type Series } from './series.ts';

/** Attempts at the same state of the series. */
const MAX_ATTEMPTS = 5;

/**
 * Sets the watermark of a series. Bars that start before it and arrive later are corrections, so that closed candles do
 * not change.
 *
 * @param decide returns the watermark for the stored series, undefined to leave it; called again if the series has
 * changed since it was read.
 * @param known the series as last read.
 * @returns the series after it.
 */
export const markThrough = async (
  store: Store,
  known: Series,
  decide: (series: Series) => number | undefined,
): Promise<Series> => {
  let series = known;
  for (let tries = 1; ; tries++) {
    const through = decide(series);
    if (through === undefined || through === series.through) return series;
    const next = { ...series, through, rev: series.rev + 1 };
    try {
      await store.put(headItem(next), { condition: 'rev = :rev', values: { ':rev': series.rev } });
      return next;
    } catch (error) {
      if (!(error instanceof ConditionFailedError) || tries === MAX_ATTEMPTS) throw error;
      const [again] = await findSeries(store, series.symbol, [series.timeframe]);
      if (!again) return series;
      // Others that change the series may be faster at each attempt.
      if (again.rev > series.rev) tries = 0;
      series = again;
    }
  }
};
