import { asSeries, type Series } from '../../../shared/data/candles/series.ts';
import type { TrackRecord } from '../../../shared/data/strategies/track-records.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';

/** Reads the heads of the series of a record; undefined if one was removed, or has another source or grid now. */
export const seriesOf = async (
  store: Store,
  { sources = [] }: Pick<TrackRecord, 'sources'>,
  { legs }: BacktestSetup,
): Promise<Series[] | undefined> => {
  const items = await store.getMany(
    legs.map(({ symbol, source }) => keys.series(symbol, source)),
    { consistent: true },
  );
  const series = items.flatMap((item, index) => {
    const one = asSeries(item);
    const isSame = one?.source === sources[index] && one?.calendar === legs[index]?.calendar;
    return one && isSame ? [one] : [];
  });
  return series.length === legs.length ? series : undefined;
};
