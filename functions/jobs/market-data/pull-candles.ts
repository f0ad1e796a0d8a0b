import { findFeedStates } from '../../../shared/data/candles/pulled-feeds.ts';
import { asSeries } from '../../../shared/data/candles/series.ts';
import { listSeriesInUse } from '../../../shared/data/engine/series-in-use.ts';
import { findInstruments } from '../../../shared/data/instruments/instruments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { pulledSource } from '../../../shared/domain/candles/pulled-source.ts';
import type { Job } from '../job.ts';
import { type KnownSeries, prices } from './plan.ts';
import { pullFeed } from './pull-feed.ts';

/** Reads the series in use that are stored, with their instruments. */
const readSeries = async (store: Store): Promise<KnownSeries[]> => {
  const used = await listSeriesInUse(store);
  if (used.length === 0) return [];
  const symbols = [...new Set(used.map(({ symbol }) => symbol))];
  const [heads, instruments] = await Promise.all([
    store.getMany(
      used.map(({ symbol, timeframe }) => keys.series(symbol, timeframe)),
      { consistent: true },
    ),
    findInstruments(store, symbols),
  ]);
  const bySymbol = new Map(symbols.map((symbol, index) => [symbol, instruments[index]]));
  return heads.flatMap((item) => {
    const series = asSeries(item);
    const instrument = series && bySymbol.get(series.symbol);
    return instrument ? [{ series, instrument }] : [];
  });
};

/**
 * Pulls bars of the series that programs use, each from the provider that owns the series, and puts them on the bus.
 * Begins after the newest stored bar, so it fills gaps after an outage. A feed that fails does not delay the others.
 */
export const pullCandles: Job = {
  name: 'pull-candles',
  summary: 'Pulls bars of the series that programs use from providers of market data',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['bus', 'marketData'],
  run: async (runtime, run) => {
    const feeds = runtime.capability('marketData').HUB_MARKET_DATA;
    if (feeds.length === 0) return { done: 0, more: false };
    const [known, states] = await Promise.all([
      readSeries(runtime.store),
      findFeedStates(
        runtime.store,
        feeds.map(({ name }) => name),
      ),
    ]);
    const runs = await Promise.allSettled(
      feeds.map((feed, index) => {
        const own = known.filter(
          ({ series, instrument }) => series.source === pulledSource(feed) && prices(feed, instrument),
        );
        return pullFeed(runtime, feed, own, { ...run, state: states[index] ?? { series_failures: {} } });
      }),
    );
    const errors = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} feeds failed`);
    const reports = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
    return {
      done: reports.reduce((sum, { done }) => sum + done, 0),
      more: reports.some(({ more }) => more),
    };
  },
};
