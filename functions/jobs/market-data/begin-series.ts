import {
  type MarketData,
  ProviderDownError,
  RequestRefusedError,
} from '../../../shared/channels/market-data/market-data.ts';
import type { FeedState } from '../../../shared/data/candles/pulled-feeds.ts';
import type { Bar } from '../../../shared/domain/candles/bars.ts';
import { calendarById, calendarIdOf } from '../../../shared/domain/candles/calendar.ts';
import { faultOf } from '../../../shared/domain/candles/checks.ts';
import { closeTimeOf } from '../../../shared/domain/candles/close-time.ts';
import { pulledSource } from '../../../shared/domain/candles/pulled-bars.ts';
import type { SourceTimeframe } from '../../../shared/domain/candles/timeframes.ts';
import { timeframeLength } from '../../../shared/domain/deployments/engines.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import type { PulledFeed } from '../../../shared/settings.ts';
import { barsClosed } from './bar-events.ts';
import { nameOf } from './plan.ts';

/** Recent bars with which a series begins, so that it can be tested at once: one page of every provider. */
const PAST_BARS = 1000;
/** The most bars of an event. */
const MAX_BARS = 500;

/** A followed series that is not stored. */
export interface NewSeries {
  readonly instrument: Instrument;
  readonly timeframe: SourceTimeframe;
}

type Events = readonly ReturnType<typeof barsClosed>[];

/** Result of the requests for recent bars. */
interface Begun {
  readonly events: Events;
  /** Names of the series that begin. */
  readonly begun: readonly string[];
  /** Reason by series that the provider refuses. */
  readonly faults: ReadonlyMap<string, string>;
  readonly down: ProviderDownError | undefined;
}

export const NOTHING_BEGUN: Begun = { events: [], begun: [], faults: new Map(), down: undefined };

interface BeginOptions {
  readonly feed: PulledFeed;
  readonly state: FeedState;
  readonly now: number;
  readonly hasTime: () => boolean;
}

/** Asks for the recent bars of a series. @throws ProviderDownError, RequestRefusedError */
const recentBars = async (
  provider: MarketData,
  { instrument, timeframe }: NewSeries,
  { feed, now }: BeginOptions,
): Promise<Bar[]> => {
  const { asset_class: assetClass } = instrument;
  const symbol = provider.symbolOf(instrument);
  if (symbol === undefined || provider.timeframeFor(assetClass, timeframe) !== timeframe) {
    throw new RequestRefusedError('the provider has no such bars');
  }
  const from = now - PAST_BARS * timeframeLength(timeframe);
  const request = { symbols: [symbol], assetClass, timeframe, adjustment: 'none', from, to: now } as const;
  const { bars, faults } = await provider.fetchPage(request);
  const fault = faults.get(symbol);
  if (fault !== undefined) throw new RequestRefusedError(fault);
  const calendar = calendarById(calendarIdOf(instrument));
  const closedBy = now - provider.settleMs(assetClass, timeframe) - feed.delay_s * 1000;
  const kept: Bar[] = [];
  for (const bar of bars.get(symbol) ?? []) {
    const isLater = bar.start > (kept.at(-1)?.start ?? Number.NEGATIVE_INFINITY);
    const isClosed = closeTimeOf(calendar, timeframe, bar.start) <= closedBy;
    const reason = faultOf(bar, kept.at(-1), { calendar, timeframe, assetClass });
    if (isLater && isClosed && reason === undefined) kept.push(bar);
  }
  return kept;
};

/** Builds the events of the first bars of a series: each names the last bar of the one before. */
const eventsOf = (
  feed: PulledFeed,
  symbol: string,
  timeframe: SourceTimeframe,
  bars: readonly Bar[],
): Events =>
  Array.from({ length: Math.ceil(bars.length / MAX_BARS) }, (_, index) => {
    const last = bars[index * MAX_BARS - 1]?.start;
    const part = bars.slice(index * MAX_BARS, (index + 1) * MAX_BARS);
    return barsClosed(pulledSource(feed), { symbol, timeframe, last }, part);
  });

/** Asks for recent bars of the followed series that are not stored, one at a time. A provider that is down ends it. */
export const beginSeries = async (
  provider: MarketData,
  missing: readonly NewSeries[],
  options: BeginOptions,
): Promise<Begun> => {
  const { feed, state, now, hasTime } = options;
  const events: Events[] = [];
  const begun: string[] = [];
  const faults = new Map<string, string>();
  for (const one of missing) {
    const { symbol } = one.instrument;
    const name = nameOf({ symbol, timeframe: one.timeframe });
    if (!hasTime() || (state.series_failures[name]?.retry_at ?? 0) > now) continue;
    try {
      const bars = await recentBars(provider, one, options);
      events.push(eventsOf(feed, symbol, one.timeframe, bars));
      begun.push(name);
    } catch (error) {
      if (error instanceof ProviderDownError) return { events: events.flat(), begun, faults, down: error };
      if (!(error instanceof RequestRefusedError)) throw error;
      faults.set(name, error.message);
    }
  }
  return { events: events.flat(), begun, faults, down: undefined };
};
