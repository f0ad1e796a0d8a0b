import { findFeedStates } from '../../../shared/data/candles/pulled-feeds.ts';
import { findReadableSeries } from '../../../shared/data/candles/series.ts';
import { listSeriesInUse } from '../../../shared/data/engine/series-in-use.ts';
import { findReadableInstruments } from '../../../shared/data/instruments/instruments.ts';
import type { OnDamaged } from '../../../shared/data/table/damaged-items.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { pulledSource } from '../../../shared/domain/candles/pulled-bars.ts';
import type { Job } from '../job.ts';
import { type KnownSeries, prices } from './plan.ts';
import { pullFeed } from './pull-feed.ts';

/** Reads the series in use that are stored, with their instruments. Omits and reports what cannot be read. */
const readSeries = async (store: Store, onDamaged: OnDamaged): Promise<KnownSeries[]> => {
  const used = await listSeriesInUse(store, onDamaged);
  if (used.length === 0) return [];
  const symbols = [...new Set(used.map(({ symbol }) => symbol))];
  const [heads, instruments] = await Promise.all([
    findReadableSeries(store, used, onDamaged, { consistent: true }),
    findReadableInstruments(store, symbols, onDamaged),
  ]);
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  return heads.flatMap((series) => {
    const instrument = bySymbol.get(series.symbol);
    return instrument ? [{ series, instrument }] : [];
  });
};

/**
 * Pulls bars of the series that programs use, each from the provider that owns the series, and puts them on the bus.
 * Begins after the newest stored bar, so it fills gaps after an outage. A feed that fails does not delay the others,
 * and a record that cannot be read stops its own series only.
 *
 * @throws AggregateError after all feeds, if one failed or a record cannot be read.
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
    const damaged: Error[] = [];
    const [known, states] = await Promise.all([
      readSeries(runtime.store, (error) => damaged.push(error)),
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
    const failures = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
    const errors = [...failures, ...damaged];
    if (errors.length > 0) {
      const counts = `${failures.length} feeds failed, and ${damaged.length} records cannot be read`;
      throw new AggregateError(errors, counts);
    }
    const reports = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
    return {
      done: reports.reduce((sum, { done }) => sum + done, 0),
      more: reports.some(({ more }) => more),
    };
  },
};
