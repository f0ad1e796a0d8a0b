import type { BarsRequest, MarketData } from '../../../shared/channels/market-data/market-data.ts';
import type { FeedState } from '../../../shared/data/candles/pulled-feeds.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { splitsBySource, splitsOf } from '../../../shared/data/candles/series.ts';
import { type Bar, barAt, barCount } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { fitsClock } from '../../../shared/domain/candles/session-calendar.ts';
import { lastClosedSlot, nextStart } from '../../../shared/domain/candles/slots.ts';
import { INTRADAY_MS, type SourceTimeframe, sourcesOf } from '../../../shared/domain/candles/timeframes.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { type SeriesSplit, splitBar } from '../../../shared/domain/splits/split-bars.ts';
import type { PulledFeed } from '../../../shared/settings.ts';

const DAY_MS = 24 * 3600_000;

/** A series of a feed that lacks bars. */
export interface DueSeries {
  readonly series: Series & { readonly timeframe: SourceTimeframe };
  /** Symbol of the provider. */
  readonly symbol: string;
  /** Only bars that close by then are final. */
  readonly closedBy: number;
  /** Start of the last bar that has closed by the calendar. */
  readonly lastSlot: number;
}

/** Series that one request covers. */
export interface PlannedRequest {
  readonly request: Omit<BarsRequest, 'symbols'>;
  readonly due: readonly DueSeries[];
}

/** A series with its instrument. */
export interface KnownSeries {
  readonly series: Series;
  readonly instrument: Instrument;
}

export type NamedSeries = Pick<Series, 'symbol' | 'timeframe'>;

/** Returns the name of a series. */
export const nameOf = ({ symbol, timeframe }: NamedSeries): string => `${symbol}#${timeframe}`;

/** Returns whether a feed prices an instrument. */
export const prices = (feed: PulledFeed, { asset_class: assetClass, exchange }: Instrument): boolean =>
  feed.asset_classes.includes(assetClass) && feed.exchanges.includes(exchange);

const dueOf = (
  { series, instrument }: KnownSeries,
  feed: PulledFeed,
  provider: MarketData,
  now: number,
): DueSeries | undefined => {
  const { timeframe, asset_class: assetClass } = series;
  const symbol = provider.symbolOf(instrument);
  if (symbol === undefined || timeframe === '1w') return undefined;
  const closedBy = now - provider.settleMs(assetClass, timeframe) - feed.delay_s * 1000;
  const lastSlot = lastClosedSlot(calendarById(series.calendar), timeframe, closedBy);
  if (lastSlot === undefined || lastSlot <= series.last) return undefined;
  if ((series.through ?? 0) > lastSlot) return undefined;
  return { series: { ...series, timeframe }, symbol, closedBy, lastSlot };
};

/**
 * Returns the timeframe to request for a series: the provider's own, or the largest below it whose bars make up those of
 * the series, as bars of providers start with the clock.
 */
const askedFor = (
  { timeframe, asset_class: assetClass, calendar }: DueSeries['series'],
  provider: MarketData,
): SourceTimeframe | undefined => {
  const own = provider.timeframeFor(assetClass, timeframe);
  if (own === undefined || fitsClock(calendar, own)) return own;
  return sourcesOf(own).find(
    (one) => fitsClock(calendar, one) && provider.timeframeFor(assetClass, one) === one,
  );
};

const requestOf = (
  { series }: DueSeries,
  provider: MarketData,
  now: number,
): PlannedRequest['request'] | undefined => {
  const { timeframe, asset_class: assetClass, adjustment, calendar, last } = series;
  const asked = askedFor(series, provider);
  if (asked === undefined) return undefined;
  return {
    assetClass,
    timeframe: asked,
    adjustment,
    from: nextStart(calendarById(calendar), timeframe, last),
    to: now,
  };
};

/** Returns how many series one request may cover, so that one page holds all their bars. */
const sizeOf = ({ timeframe, from, to }: PlannedRequest['request'], provider: MarketData): number => {
  const bars = Math.ceil((to - from) / (INTRADAY_MS[timeframe] ?? DAY_MS)) + 1;
  return Math.max(1, Math.min(provider.maxSymbols, Math.floor(provider.pageBars / bars)));
};

/**
 * Plans the requests of a feed: for series that lack a bar which has closed by their calendar, those with the oldest
 * newest bar first. A series whose request failed waits.
 */
export const planRequests = (
  known: readonly KnownSeries[],
  feed: PulledFeed,
  provider: MarketData,
  { state, now }: { readonly state: FeedState; readonly now: number },
): PlannedRequest[] => {
  const groups = new Map<string, { request: PlannedRequest['request']; due: DueSeries[] }>();
  for (const one of known) {
    if ((state.series_failures[nameOf(one.series)]?.retry_at ?? 0) > now) continue;
    const due = dueOf(one, feed, provider, now);
    const request = due && requestOf(due, provider, now);
    if (!request) continue;
    const key = JSON.stringify(request);
    const group = groups.get(key) ?? { request, due: [] };
    group.due.push(due);
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((a, b) => a.request.from - b.request.from)
    .flatMap(({ request, due }) => {
      const size = sizeOf(request, provider);
      return Array.from({ length: Math.ceil(due.length / size) }, (_, index) => ({
        request,
        due: due.slice(index * size, (index + 1) * size),
      }));
    });
};

/** The newest bar of a series, and the units of bars that a provider sends now. */
export interface Newest {
  readonly newest: Bar;
  readonly inUnitsOf: (bar: Bar, later: Bar) => Bar;
}

/** Returns the newest bar of a series, in the units of the bars of its provider. */
export const newestOf = (series: Series, now: number): Newest => {
  const { bars, symbol } = series;
  const newest = barAt(bars, barCount(bars) - 1);
  if (!newest) throw new Error(`the series of ${symbol} has no bar`);
  if (series.adjustment === 'none') {
    const splits = splitsOf(series);
    const passed = (start: number): SeriesSplit[] => splits.filter(({ at }) => at <= start);
    return { newest, inUnitsOf: (bar, { start }) => splitBar(bar, passed(start)) };
  }
  return { newest: splitBar(newest, splitsBySource(series, now)), inUnitsOf: (bar) => bar };
};
