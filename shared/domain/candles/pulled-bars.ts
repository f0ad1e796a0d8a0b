import { type Bar, columnsOf, listBars } from './bars.ts';
import { dayAt } from './calendar.ts';
import { faultOf, type SeriesKind } from './checks.ts';
import { closeTimeOf } from './close-time.ts';
import { deriveBars } from './derive.ts';
import { isInSession } from './sessions.ts';
import type { SourceTimeframe } from './timeframes.ts';

/** Returns the source of the series of a feed that the hub pulls. */
export const pulledSource = (feed: { readonly name: string }): string => `hub-feed.${feed.name}`;

/** Bars of a provider that continue a series, and those that are refused. */
interface PulledBars {
  /** Closed bars after the newest stored one, oldest first. */
  readonly bars: readonly Bar[];
  /** Closed bars that are not valid. */
  readonly refused: readonly { readonly start: number; readonly reason: string }[];
}

interface PullOptions {
  readonly series: SeriesKind & { readonly timeframe: SourceTimeframe };
  /** Timeframe of the provider's bars. Smaller than that of the series if the provider's grid differs. */
  readonly timeframe: SourceTimeframe;
  /** The newest stored bar. */
  readonly newest: Bar;
  /** Returns a bar in the units of a later one: splits may be between them. */
  readonly inUnitsOf?: (bar: Bar, later: Bar) => Bar;
  /** Bars that close later are dropped: they still change. */
  readonly closedBy: number;
}

/**
 * Selects the bars that continue a series from those of a provider: closed ones of the sessions, valid and on the grid.
 * A bar out of order is refused, as no bar may be appended before another.
 */
export const selectPulled = (given: readonly Bar[], options: PullOptions): PulledBars => {
  const { series, timeframe, newest, inUnitsOf = (bar) => bar, closedBy } = options;
  const { calendar } = series;
  const refused: { start: number; reason: string }[] = [];

  /** Keeps valid bars, each checked against the one before. */
  const valid = (bars: readonly Bar[], kind: SeriesKind): Bar[] => {
    const kept: Bar[] = [];
    let previous = newest;
    for (const bar of bars) {
      const isLater = kept.length === 0 || bar.start > previous.start;
      const reason = isLater
        ? faultOf(bar, inUnitsOf(previous, bar), kind)
        : 'the bars are not in ascending order';
      if (reason === undefined) {
        kept.push(bar);
        previous = bar;
      } else refused.push({ start: bar.start, reason });
    }
    return kept;
  };

  const fresh = given.filter(
    ({ start }) =>
      start > newest.start &&
      isInSession(dayAt(calendar, start), timeframe, start) &&
      closeTimeOf(calendar, timeframe, start) <= closedBy,
  );
  const bars = valid(fresh, { ...series, timeframe });
  if (timeframe === series.timeframe) return { bars, refused };
  const derived = deriveBars(columnsOf(bars), calendar, timeframe, series.timeframe).bars;
  const closed = listBars(derived).filter(
    (bar) => bar.start > newest.start && closeTimeOf(calendar, series.timeframe, bar.start) <= closedBy,
  );
  return {
    bars: valid(closed, series),
    refused,
  };
};
