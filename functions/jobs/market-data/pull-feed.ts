import { putEvents } from '../../../shared/channels/bus.ts';
import { marketDataOf } from '../../../shared/channels/market-data/providers.ts';
import { type FeedState, saveFeedState } from '../../../shared/data/candles/pulled-feeds.ts';
import { pulledSource } from '../../../shared/domain/candles/pulled-bars.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import type { PulledFeed } from '../../../shared/settings.ts';
import type { Run } from '../job.ts';
import { afterDown, afterFaults } from './back-off.ts';
import { barsClosed, barsComplete, scannersDue } from './bar-events.ts';
import { beginSeries, type NewSeries, NOTHING_BEGUN } from './begin-series.ts';
import { type FetchedSeries, startFetching } from './fetch-series.ts';
import { type KnownSeries, nameOf, planRequests } from './plan.ts';

/** Result of a run for one feed. */
export interface PulledReport {
  /** Series whose bars were put on the bus. */
  readonly done: number;
  readonly more: boolean;
}

const DIMENSION = { operation: 'market-data' } as const;

const warnOfDown = (
  { log, metrics }: Runtime,
  feed: PulledFeed,
  down: NonNullable<FeedState['down']>,
): void => {
  // An alarm counts this line.
  log.warn('a provider of market data is down', {
    feed: feed.name,
    reason: down.reason,
    failures: down.failures,
    since: new Date(down.since).toISOString(),
    retry_at: new Date(down.retry_at).toISOString(),
  });
  metrics.count('MarketDataDown', DIMENSION);
};

/** Logs the answers and bars that are refused. */
const warnOfRefused = ({ log, metrics }: Runtime, feed: PulledFeed, fetched: FetchedSeries): void => {
  const { symbol, timeframe } = fetched.due.series;
  const about = { feed: feed.name, symbol, timeframe };
  if ('fault' in fetched) log.warn('market data of a series is refused', { ...about, reason: fetched.fault });
  else {
    const [first] = fetched.refused;
    if (!first) return;
    const start = new Date(first.start).toISOString();
    log.warn('pulled bars are refused', {
      ...about,
      count: fetched.refused.length,
      start,
      reason: first.reason,
    });
  }
  metrics.count('MarketDataRefused', DIMENSION);
};

/**
 * Pulls the bars that the series of a feed lack, and puts them on the bus. A provider that fails waits for its time, as
 * does a series that the provider refuses.
 *
 * @throws Error of the bus or the table. The next run pulls the same bars again.
 */
export const pullFeed = async (
  runtime: Runtime,
  feed: PulledFeed,
  { known, missing }: { readonly known: readonly KnownSeries[]; readonly missing: readonly NewSeries[] },
  { state: stored, hasTime, byHand }: Run & { readonly state: FeedState },
): Promise<PulledReport> => {
  const now = runtime.clock().getTime();
  // A person does not wait, and may have mended the cause.
  const state: FeedState = byHand ? { series_failures: {} } : stored;
  if (state.down && state.down.retry_at > now) {
    warnOfDown(runtime, feed, state.down);
    return { done: 0, more: false };
  }
  const provider = await marketDataOf(runtime, feed);
  const planned = planRequests(known, feed, provider, { state, now });
  if (planned.length === 0 && missing.length === 0) return { done: 0, more: false };

  const source = pulledSource(feed);
  const all: FetchedSeries[] = [];
  const run = startFetching(provider, hasTime);
  await run.fetchAll(planned, async (fetched) => {
    for (const one of fetched) warnOfRefused(runtime, feed, one);
    all.push(...fetched);
    const events = fetched.flatMap((one) =>
      'fault' in one || one.bars.length === 0 ? [] : [barsClosed(source, one.due.series, one.bars)],
    );
    await putEvents(runtime, events);
  });
  await putEvents(runtime, [...barsComplete(source, all), ...scannersDue(source, all)]);
  const begun = run.down()
    ? NOTHING_BEGUN
    : await beginSeries(provider, missing, { feed, state, now, hasTime });
  await putEvents(runtime, begun.events);

  const down = run.down() ?? begun.down;
  const faults = new Map([
    ...all.flatMap((one) => ('fault' in one ? [[nameOf(one.due.series), one.fault] as const] : [])),
    ...begun.faults,
  ]);
  for (const [name, reason] of begun.faults) {
    const [symbol, timeframe] = name.split('#');
    runtime.log.warn('market data of a series is refused', { feed: feed.name, symbol, timeframe, reason });
  }
  const answered = new Set([
    ...all.flatMap((one) => ('fault' in one ? [] : [nameOf(one.due.series)])),
    ...begun.begun,
  ]);
  const after: FeedState = {
    ...(down && { down: afterDown(state.down, down, now) }),
    series_failures: afterFaults(state.series_failures, { faults, answered, now }),
    ...(stored.is_on !== undefined && { is_on: stored.is_on }),
  };
  if (JSON.stringify(after) !== JSON.stringify(stored)) await saveFeedState(runtime.store, feed.name, after);
  if (after.down) warnOfDown(runtime, feed, after.down);
  else if (stored.down) {
    runtime.log.info('a provider of market data answers again', {
      feed: feed.name,
      since: new Date(stored.down.since).toISOString(),
    });
  }
  const done = all.filter((one) => !('fault' in one) && one.bars.length > 0).length + begun.begun.length;
  const isShort = all.some((one) => !('fault' in one) && !one.isComplete);
  return { done, more: !down && (run.isCut() || isShort) };
};
