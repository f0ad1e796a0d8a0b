import {
  type Bar,
  type BarColumns,
  barAt,
  barCount,
  columnsOf,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../domain/candles/bars.ts';
import type { JudgedLate } from '../../domain/candles/judge.ts';
import { changedBars, mergeBars } from '../../domain/candles/merge.ts';
import { judgeLateInUnits } from '../../domain/splits/judge-units.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Condition, Write } from '../table/writes.ts';
import { correctBars } from './corrections.ts';
import { flushSeries } from './flush.ts';
import { keepLastPrice } from './keep-last-price.ts';
import { barsItemSchema, toBarsItem } from './packed-bars.ts';
import { readBars } from './read-bars.ts';
import { findSeries, headItem, kindOf, type NewSeries, type Series, type SeriesFacts } from './series.ts';
import { openSpan, type Span, sealedSpan } from './spans.ts';

/** Bars that the head of a series holds before they are flushed. */
const MAX_UNFLUSHED = 16;
/** Attempts at the same state of the series. */
const MAX_ATTEMPTS = 5;
const EMPTY = columnsOf([]);

export interface SeriesChange {
  /** Valid bars, oldest first. */
  readonly bars: BarColumns;
  /** The bar that waits for confirmation after the change. */
  readonly held: Bar | undefined;
  /** Start of the newest bar that was refused; undefined without one. */
  readonly refusedAt?: number | undefined;
  /** True if the bars around late ones judge them: for bars of a feed. */
  readonly judgesLate?: boolean;
  /** Time at which bars of a feed arrived, in epoch milliseconds. */
  readonly movedAt?: number | undefined;
}

/** Result of an append. */
interface Appended extends Pick<JudgedLate, 'refused' | 'dropped'> {
  /** The series after it. */
  readonly series: Series;
  /** Bars after the newest one. */
  readonly appended: number;
  /** Bars that were stored already. */
  readonly repeated: number;
  /** Bars that were stored as corrections. The bars around them refused or dropped the other late ones. */
  readonly late: number;
}

/** Longest break of a market for which the bar next to a late one is looked for. */
const BREAK_MS = 5 * 86_400_000;

type Split = (timeframe: Series['timeframe'], at: number) => Span;

/** Divides bars by their spans. */
const partsOf = (split: Split, timeframe: Series['timeframe'], bars: BarColumns) => {
  const parts: { readonly span: Span; readonly bars: BarColumns }[] = [];
  for (let from = 0; from < barCount(bars); ) {
    const span = split(timeframe, bars.start[from] ?? 0);
    const to = firstBarFrom(bars, span.end);
    parts.push({ span, bars: sliceBars(bars, from, to) });
    from = to;
  }
  return parts;
};

/** Builds the writes that add bars to the open items of their spans. */
const openWrites = async (
  store: Store,
  { symbol, timeframe }: SeriesFacts,
  bars: BarColumns,
): Promise<Write[]> => {
  const parts = partsOf(openSpan, timeframe, bars).map((part) => ({
    ...part,
    key: keys.openCandles(symbol, timeframe, part.span.name),
  }));
  const items = await store.getMany(
    parts.map(({ key }) => key),
    { consistent: true },
  );
  return parts.map((part, index) => {
    const item = items[index];
    const stored = item && parseItem(barsItemSchema, item);
    const merged = mergeBars(stored?.bars ?? EMPTY, part.bars, 'replace');
    const put = toBarsItem(part.key, merged.bars, stored);
    return { put: put.item, if: put.condition };
  });
};

const heldAfter = (series: Series | undefined, last: number): BarColumns | undefined =>
  (series?.held?.start[0] ?? Number.NEGATIVE_INFINITY) > last ? series?.held : undefined;

const withHeld = ({ held: _before, ...series }: Series, held: BarColumns | undefined): Series => ({
  ...series,
  ...(held && { held }),
});

/** Returns whether bars leave the sealed span of the newest bar. */
const leavesSpan = ({ timeframe, last }: Series, start: number): boolean =>
  sealedSpan(timeframe, start).start !== sealedSpan(timeframe, last).start;

/** Flushes the head if it has no room for more bars, or if they leave its sealed span. */
const withRoom = async (store: Store, series: Series, bars: BarColumns): Promise<Series> => {
  const unflushed = barCount(series.bars) - firstBarFrom(series.bars, series.flushed + 1);
  const leaves = leavesSpan(series, bars.start[0] ?? 0);
  const isFull = unflushed > 0 && unflushed + barCount(bars) > MAX_UNFLUSHED;
  return leaves || isFull ? flushSeries(store, series, { isSpanOver: leaves }) : series;
};

const unchanged = (series: Series | undefined, start: number): Condition =>
  series
    ? {
        condition: 'rev = :rev AND #last < :start',
        names: { '#last': 'last' },
        values: { ':rev': series.rev, ':start': start },
      }
    : { condition: 'attribute_not_exists(pk)' };

/** Appends bars of one sealed span: few to the head, many together with the head to the open items of their spans. */
const appendRun = async (
  store: Store,
  facts: NewSeries,
  series: Series | undefined,
  { bars, movedAt }: Pick<SeriesChange, 'bars' | 'movedAt'>,
): Promise<Series> => {
  const count = barCount(bars);
  const first = bars.start[0] ?? 0;
  const last = bars.start.at(-1) ?? first;
  const ready = series && (await withRoom(store, series, bars));
  const kept = ready ? sliceBars(ready.bars, firstBarFrom(ready.bars, ready.flushed + 1)) : EMPTY;
  const next: Series = withHeld(
    {
      // No bar of a new series is flushed yet.
      ...(ready ?? { ...facts, first, flushed: first - 1, late_bars: 0 }),
      rev: (series?.rev ?? 0) + 1,
      last,
      count: (series?.count ?? 0) + count,
      appended_from: series?.appended_from ?? first,
      bars: concatBars([kept, bars]),
      ...(movedAt !== undefined && { moved_at: movedAt }),
    },
    heldAfter(series, last),
  );
  const condition = unchanged(series, first);
  if (count <= MAX_UNFLUSHED) {
    await store.put(headItem(next), condition);
    return next;
  }
  const openFrom = next.open_from ?? sealedSpan(facts.timeframe, first).start;
  const { stale_from: stale, ...rest } = next;
  const bulk: Series = {
    ...rest,
    bars: sliceBars(bars, count - 1),
    flushed: last,
    open_from: openFrom,
    ...(stale !== undefined && stale !== openFrom && { stale_from: stale }),
  };
  const writes = await openWrites(store, facts, bars);
  await store.transact([...writes, { put: headItem(bulk), if: condition }]);
  return bulk;
};

/** Reads the bars around late ones: those of the same open items, and those beyond a break if these lack a neighbour. */
const readAround = async (store: Store, series: Series, late: BarColumns): Promise<BarColumns> => {
  const { timeframe } = series;
  const first = late.start[0] ?? 0;
  const last = late.start.at(-1) ?? 0;
  const near = { from: openSpan(timeframe, first).start, to: openSpan(timeframe, last).end };
  const bars = await readBars(store, series, near);
  const lacksBefore = series.first < first && !((bars.start[0] ?? first) < first);
  const lacksAfter = series.last > last && !((bars.start.at(-1) ?? last) > last);
  if (!lacksBefore && !lacksAfter) return bars;
  return readBars(store, series, {
    from: lacksBefore ? openSpan(timeframe, first - BREAK_MS).start : near.from,
    to: lacksAfter ? openSpan(timeframe, last + BREAK_MS).end : near.to,
  });
};

type Judging = Required<Pick<SeriesChange, 'judgesLate'>>;

/** Judges late bars by the bars around them, or accepts all that are not stored already. */
const judge = async (
  store: Store,
  series: Series,
  bars: BarColumns,
  { judgesLate }: Judging,
): Promise<JudgedLate> => {
  if (judgesLate) {
    return judgeLateInUnits(await readAround(store, series, bars), bars, kindOf(series), series.splits ?? []);
  }
  const range = { from: bars.start[0] ?? 0, to: (bars.start.at(-1) ?? 0) + 1 };
  const accepted = changedBars(await readBars(store, series, range), bars);
  return { accepted, refused: [], dropped: [], repeated: barCount(bars) - accepted.length };
};

/** Stores bars that arrived after a later one as corrections, unless they are stored already or not plausible. */
const correct = async (
  store: Store,
  series: Series,
  bars: BarColumns,
  { judgesLate }: Judging,
): Promise<Appended> => {
  const { accepted, refused, dropped, repeated } = await judge(store, series, bars, { judgesLate });
  let next = series;
  for (const part of partsOf(sealedSpan, series.timeframe, columnsOf(accepted))) {
    next = await correctBars(store, next, part.bars);
  }
  return { series: next, appended: 0, repeated, late: accepted.length, refused, dropped };
};

/** Returns the start from which bars are new to a series. */
export const newFrom = ({ last, through = last }: Series): number => Math.max(last + 1, through);

const isSameHeld = ({ held }: Series, bar: Bar | undefined): boolean =>
  held === undefined || bar === undefined
    ? held === undefined && bar === undefined
    : changedBars(held, columnsOf([bar])).length === 0;

/** Returns whether a refused bar is newer than all that arrived before it. */
const isNewRefusal = (series: Series, refusedAt: number | undefined): refusedAt is number =>
  refusedAt !== undefined && refusedAt >= newFrom(series) && refusedAt > (series.refused ?? refusedAt - 1);

const apply = async (
  store: Store,
  facts: NewSeries,
  stored: Series | undefined,
  { bars, held, refusedAt, judgesLate = false, movedAt }: SeriesChange,
): Promise<Appended> => {
  const from = stored ? firstBarFrom(bars, newFrom(stored)) : 0;
  const corrected =
    stored && from > 0 ? await correct(store, stored, sliceBars(bars, 0, from), { judgesLate }) : undefined;
  const { repeated = 0, late = 0, refused = [], dropped = [] } = corrected ?? {};
  let series = corrected?.series ?? stored;
  for (const part of partsOf(sealedSpan, facts.timeframe, sliceBars(bars, from))) {
    series = await appendRun(store, facts, series, { bars: part.bars, movedAt });
  }
  if (!series) throw new RangeError('there are no bars to create the series with');
  const isRefused = isNewRefusal(series, refusedAt);
  if (isRefused || !isSameHeld(series, held)) {
    const next = {
      ...withHeld(series, held && columnsOf([held])),
      ...(isRefused && { refused: refusedAt }),
      ...(movedAt !== undefined && { moved_at: movedAt }),
      rev: series.rev + 1,
    };
    await store.put(headItem(next), { condition: 'rev = :rev', values: { ':rev': series.rev } });
    series = next;
  }
  return { series, appended: barCount(bars) - from, repeated, late, refused, dropped };
};

/**
 * Changes a series by appending bars: one write for up to 16, with every 16th bar a flush to the item of its span, and a
 * transaction per sealed span for more. A bar that is stored already changes nothing. A bar that arrives after a later
 * one, or after a watermark, is stored as a correction and counted; `judgesLate` leaves out those that are not plausible.
 * After a crash, a repeat continues.
 *
 * @param decide makes the change from the stored series; called again if the series has changed since it was read. A
 * series that does not exist yet needs at least one bar.
 * @param known the series as last read or changed.
 */
export const changeSeries = async <C extends SeriesChange>(
  store: Store,
  facts: NewSeries,
  decide: (series: Series | undefined) => C,
  known?: Series,
): Promise<Appended & { readonly change: C }> => {
  let series = known ?? (await findSeries(store, facts.symbol, [facts.timeframe]))[0];
  for (let tries = 1; ; tries++) {
    try {
      const change = decide(series);
      const applied = await apply(store, facts, series, change);
      if (series === known && applied.series === known) {
        // Nothing was written that would have been refused if the given head is outdated.
        [series] = await findSeries(store, facts.symbol, [facts.timeframe]);
        if (series?.rev !== known?.rev) continue;
      }
      // A repeat after a crash brings the newest bar again.
      if (change.bars.start.at(-1) === applied.series.last) await keepLastPrice(store, applied.series);
      return { ...applied, change };
    } catch (error) {
      const isStale = error instanceof ConditionFailedError || error instanceof TransactionRefusedError;
      if (!isStale || tries === MAX_ATTEMPTS) throw error;
      const rev = series?.rev ?? 0;
      [series] = await findSeries(store, facts.symbol, [facts.timeframe]);
      // Others that change the series may be faster at each attempt.
      if (series && series.rev > rev) tries = 0;
    }
  }
};

/** Appends valid bars, oldest first, as {@link changeSeries} does. */
export const appendBars = (
  store: Store,
  facts: NewSeries,
  bars: BarColumns,
  known?: Series,
): Promise<Appended> =>
  changeSeries(store, facts, (series) => ({ bars, held: series?.held && barAt(series.held, 0) }), known);
