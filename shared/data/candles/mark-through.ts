import type { Store } from '../table/store.ts';
import { changeHead } from './change-head.ts';
import type { Series } from './series.ts';

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
  const changed = await changeHead(store, known, (series) => {
    const through = decide(series);
    return through === undefined || through === series.through ? undefined : { ...series, through };
  });
  return changed ?? known;
};
