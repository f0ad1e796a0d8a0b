import { ConditionFailedError, type Store } from '../table/store.ts';
import { findSeries, headItem, type Series } from './series.ts';

/** Attempts at the same state of the series. */
const MAX_ATTEMPTS = 5;

/**
 * Changes the head of a series, without its bars.
 *
 * @param decide returns the head to store, undefined to leave it; called again if the series has changed since it was
 * read.
 * @param known the series as last read.
 * @returns the series after it; undefined if it was removed.
 */
export const changeHead = async (
  store: Store,
  known: Series,
  decide: (series: Series) => Series | undefined,
): Promise<Series | undefined> => {
  let series = known;
  for (let tries = 1; ; tries++) {
    const decided = decide(series);
    if (!decided) return series;
    const next = { ...decided, rev: series.rev + 1 };
    try {
      await store.put(headItem(next), { condition: 'rev = :rev', values: { ':rev': series.rev } });
      return next;
    } catch (error) {
      if (!(error instanceof ConditionFailedError) || tries === MAX_ATTEMPTS) throw error;
      const [again] = await findSeries(store, series.symbol, [series.timeframe]);
      if (!again) return undefined;
      // Others that change the series may be faster at each attempt.
      if (again.rev > series.rev) tries = 0;
      series = again;
    }
  }
};
