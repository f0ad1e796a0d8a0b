import type { Series } from '../../../shared/data/candles/series.ts';
import { SCANNERS_DUE } from '../../../shared/data/engine/events.ts';
import type { Bar } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../shared/domain/candles/close-time.ts';
import { lastClosedSlot } from '../../../shared/domain/candles/slots.ts';
import type { FetchedSeries } from './fetch-series.ts';

/** Symbols that one watermark names. */
const MAX_SYMBOLS = 500;

interface OutgoingEvent {
  readonly detailType: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const isoOf = (at: number): string => new Date(at).toISOString();

/** Builds the event of the bars that continue a series, or begin one. */
export const barsClosed = (
  feed: string,
  { symbol, timeframe, last }: Pick<Series, 'symbol' | 'timeframe'> & { readonly last: number | undefined },
  bars: readonly Bar[],
): OutgoingEvent => ({
  detailType: 'Bars Closed',
  detail: {
    version: 1,
    feed,
    symbol,
    timeframe,
    ...(last !== undefined && { previous: isoOf(last) }),
    bars: bars.map((bar) => ({ ...bar, start: isoOf(bar.start) })),
  },
});

/**
 * Returns the time before which a series has all its bars; undefined if no bar is missing before it. Bars of this run are
 * on the way, and the watermark may overtake them: it ends where the first of them starts.
 */
const throughOf = (fetched: FetchedSeries): number | undefined => {
  if ('fault' in fetched || !fetched.isComplete) return undefined;
  const { series, lastSlot } = fetched.due;
  const calendar = calendarById(series.calendar);
  const { timeframe, last } = series;
  const through = fetched.bars[0]?.start ?? closeTimeOf(calendar, timeframe, lastSlot);
  const isNews =
    (lastClosedSlot(calendar, timeframe, through) ?? last) > last && through > (series.through ?? last);
  return isNews ? through : undefined;
};

/**
 * Builds the events that let scanners run: all bars that closed by then were sent. Bars on the way do no harm here, as
 * scanners wait for them.
 */
export const scannersDue = (feed: string, all: readonly FetchedSeries[]): OutgoingEvent[] => {
  const through = new Map<string, number>();
  for (const fetched of all) {
    if ('fault' in fetched || !fetched.isComplete || fetched.bars.length === 0) continue;
    const { series, lastSlot } = fetched.due;
    const closed = closeTimeOf(calendarById(series.calendar), series.timeframe, lastSlot);
    through.set(series.timeframe, Math.max(closed, through.get(series.timeframe) ?? closed));
  }
  return [...through].map(([timeframe, closed]) => ({
    detailType: SCANNERS_DUE,
    detail: { version: 1, feed, timeframe, through: isoOf(closed) },
  }));
};

/** Builds the watermarks of series for which a provider has no more bars: those that lack a bar by their calendar. */
export const barsComplete = (feed: string, all: readonly FetchedSeries[]): OutgoingEvent[] => {
  const groups = new Map<string, { timeframe: string; through: number; symbols: string[] }>();
  for (const fetched of all) {
    const through = throughOf(fetched);
    if (through === undefined) continue;
    const { symbol, timeframe } = fetched.due.series;
    const key = `${timeframe}#${through}`;
    const group = groups.get(key) ?? { timeframe, through, symbols: [] };
    group.symbols.push(symbol);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ timeframe, through, symbols }) =>
    Array.from({ length: Math.ceil(symbols.length / MAX_SYMBOLS) }, (_, index) => ({
      detailType: 'Bars Complete',
      detail: {
        version: 1,
        feed,
        timeframe,
        through: isoOf(through),
        symbols: symbols.slice(index * MAX_SYMBOLS, (index + 1) * MAX_SYMBOLS),
      },
    })),
  );
};
