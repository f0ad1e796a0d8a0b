import { asSeries, type Series } from '../../../shared/data/candles/series.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { type BacktestSetup, storedSymbol } from '../../../shared/domain/engine/backtest/setup.ts';
import { JobFailedError } from './attempts.ts';

/** Reads the heads of the series of a job. @throws JobFailedError if one was removed, or began again on another grid */
export const readSeries = async (
  store: Store,
  { legs }: Pick<BacktestSetup, 'legs'>,
  called: 'backtest' | 'sweep',
): Promise<Series[]> => {
  const items = await store.getMany(
    legs.map((leg) => keys.series(storedSymbol(leg), leg.source)),
    { consistent: true },
  );
  return items.map((item, index) => {
    const series = asSeries(item);
    if (series?.calendar !== legs[index]?.calendar || !series) {
      throw new JobFailedError(`Candles of this ${called} were removed while it ran.`);
    }
    return series;
  });
};
