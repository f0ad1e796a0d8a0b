import { findFeedsOn } from '../../../shared/data/candles/pulled-feeds.ts';
import { findReadableSeries } from '../../../shared/data/candles/series.ts';
import { listSeriesInUse } from '../../../shared/data/engine/series-in-use.ts';
import { findReadableInstruments } from '../../../shared/data/instruments/instruments.ts';
import type { OnDamaged } from '../../../shared/data/table/damaged-items.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { pulledSource } from '../../../shared/domain/candles/pulled-bars.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import type { PulledFeed } from '../../../shared/settings.ts';
import type { Job } from '../job.ts';
import type { NewSeries } from './begin-series.ts';
import { type KnownSeries, type NamedSeries, nameOf, prices } from './plan.ts';
import { pullFeed } from './pull-feed.ts';

/** Stored series, and the instruments of all that were looked for. */
interface Found {
  readonly known: readonly KnownSeries[];
  readonly instruments: ReadonlyMap<string, Instrument>;
}

/** Reads the series in use or followed, with their instruments. Omits and reports what cannot be read. */
const readSeries = async (
  store: Store,
  followed: readonly NamedSeries[],
  onDamaged: OnDamaged,
): Promise<Found> => {
  const used = await listSeriesInUse(store, onDamaged);
  const wanted = [...new Map([...used, ...followed].map((one) => [nameOf(one), one])).values()];
  if (wanted.length === 0) return { known: [], instruments: new Map() };
  const symbols = [...new Set(wanted.map(({ symbol }) => symbol))];
  const [heads, found] = await Promise.all([
    findReadableSeries(store, wanted, onDamaged, { consistent: true }),
    findReadableInstruments(store, symbols, onDamaged),
  ]);
  const instruments = new Map(found.map((instrument) => [instrument.symbol, instrument]));
  const known = heads.flatMap((series) => {
    const instrument = instruments.get(series.symbol);
    return instrument ? [{ series, instrument }] : [];
  });
  return { known, instruments };
};

/** Returns the followed series of a feed that are not stored. */
const missingOf = (feed: PulledFeed, { known, instruments }: Found): NewSeries[] => {
  const stored = new Set(known.map(({ series }) => nameOf(series)));
  return feed.follow.flatMap(({ symbol, timeframe }) => {
    const instrument = instruments.get(symbol);
    if (!instrument || !prices(feed, instrument) || stored.has(nameOf({ symbol, timeframe }))) return [];
    return [{ instrument, timeframe }];
  });
};

/**
 * Pulls bars of the series that programs use or feeds follow, each from the provider that owns the series, and puts them on the bus.
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
    const feeds = await findFeedsOn(runtime.store, runtime.capability('marketData').HUB_MARKET_DATA);
    if (feeds.length === 0) return { done: 0, more: false };
    const damaged: Error[] = [];
    const followed = feeds.flatMap(({ feed }) => feed.follow);
    const found = await readSeries(runtime.store, followed, (error) => damaged.push(error));
    const runs = await Promise.allSettled(
      feeds.map(({ feed, state }) => {
        const known = found.known.filter(
          ({ series, instrument }) => series.source === pulledSource(feed) && prices(feed, instrument),
        );
        return pullFeed(runtime, feed, { known, missing: missingOf(feed, found) }, { ...run, state });
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
