import { changeSeries, newFrom } from '../../shared/data/candles/append-bars.ts';
import { factsOf, kindOf, type Series, splitsBySource, splitsOf } from '../../shared/data/candles/series.ts';
import { markTaken } from '../../shared/data/candles/waiting-bars.ts';
import type { Contract, InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import {
  type Bar,
  type BarColumns,
  barAt,
  barCount,
  columnsOf,
  firstBarFrom,
} from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { faultOf, type SeriesKind } from '../../shared/domain/candles/checks.ts';
import { closeTimeOf } from '../../shared/domain/candles/close-time.ts';
import { closedWith } from '../../shared/domain/candles/closed.ts';
import type { Judged, KnownBars, RefusedBar } from '../../shared/domain/candles/judge.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import { judgeInUnits } from '../../shared/domain/splits/judge-units.ts';
import { type SeriesSplit, splitBar, undone } from '../../shared/domain/splits/split-bars.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Feed } from '../../shared/settings.ts';
import { awaitPrevious, type Companions } from './await-previous.ts';
import type { GivenBar, GivenBars } from './bar-events.ts';
import { ENGINE, isoOf, reportBars } from './report-bars.ts';
import { anchoredFacts, requireAnchor } from './series-anchor.ts';
import { joinSplit } from './split/join-split.ts';
import { SplitPendingError } from './split/split-pending.ts';

/** Advances the programs of a series over bars that closed. */
export type Advance = (series: Series, timeframes: readonly Timeframe[]) => Promise<void>;

/** The most different reasons that an error names. */
const MAX_REASONS = 3;

/** @throws MalformedEventError for an instrument that the feed may not price. */
export const requireFeed = (
  feeds: '*' | readonly Feed[],
  { source, isOwn }: Pick<GivenBars, 'source' | 'isOwn'>,
  { exchange }: Contract,
): void => {
  if (isOwn || feeds === '*') return;
  const feed = feeds.find((one) => one.source === source);
  if (!feed) throw new MalformedEventError('the source is not a feed of this stage');
  if (!feed.exchanges.includes(exchange)) {
    throw new MalformedEventError(`the feed may not price instruments of the exchange ${exchange}`);
  }
};

/** @throws MalformedEventError for a series of another source. */
const requireSeriesSource = (series: Series | undefined, source: string): void => {
  if (series && series.source !== source) {
    throw new MalformedEventError(
      `the series ${series.symbol} ${series.timeframe} takes bars of the source ${series.source} only`,
    );
  }
};

const knownOf = (series: Series): KnownBars | undefined => {
  const last = barAt(series.bars, barCount(series.bars) - 1);
  return last && { last, newFrom: newFrom(series), held: series.held && barAt(series.held, 0) };
};

interface Intake extends Judged {
  readonly bars: BarColumns;
  readonly known: KnownBars | undefined;
  /** Bars from a declared split on: they are taken after it. */
  readonly later: readonly Bar[];
  readonly refusedAt: number | undefined;
  readonly judgesLate: true;
  readonly movedAt: number;
}

/** Tolerance for a feed's clock that is ahead. A bar of the far future would make all others late. */
const MAX_AHEAD_MS = 5 * 60_000;
/** A bar that started before this time has closed, whatever its timeframe. */
const LONGEST_BAR_MS = 8 * 86_400_000;

/**
 * Returns why a bar comes before its time; undefined if it does not. Programs would trade on the prices of an unfinished
 * bar, and its close would outlast the last prices of smaller bars.
 */
const earlinessOf = (start: number, { calendar, timeframe }: SeriesKind, now: number): string | undefined => {
  const latest = now + MAX_AHEAD_MS;
  if (start > latest) return 'the bar starts in the future';
  const isOpen = start > now - LONGEST_BAR_MS && closeTimeOf(calendar, timeframe, start) > latest;
  return isOpen ? "the bar has not closed yet by the exchange's calendar" : undefined;
};

interface Closed {
  readonly bars: readonly Bar[];
  readonly refused: readonly RefusedBar[];
}

/** Divides the bars of an event into those that have closed, and those that are refused. */
const closedBars = (bars: readonly GivenBar[], kind: SeriesKind, now: Date): Closed => {
  const closed: Bar[] = [];
  const refused: RefusedBar[] = [];
  for (const bar of bars) {
    if ('reason' in bar) {
      refused.push({ start: undefined, reason: bar.reason });
      continue;
    }
    const reason = earlinessOf(bar.start, kind, now.getTime());
    if (reason === undefined) closed.push(bar);
    else refused.push({ start: bar.start, reason });
  }
  return { bars: closed, refused };
};

/** Divides bars into those that are valid by themselves, and those that are refused: these begin no split. */
const validAlone = (bars: readonly Bar[], kind: SeriesKind): Closed => {
  const valid: Bar[] = [];
  const refused: RefusedBar[] = [];
  for (const bar of bars) {
    const reason = faultOf(bar, undefined, kind);
    if (reason === undefined) valid.push(bar);
    else refused.push({ start: bar.start, reason });
  }
  return { bars: valid, refused };
};

/** Returns the bars of an event in the units of their time: a source that adjusts bars has those before a split in new ones. */
const inUnitsOfTime = ({ bars, at }: GivenBars, series: Series): readonly GivenBar[] => {
  const splits = undone(splitsBySource(series, at));
  return splits.length === 0 ? bars : bars.map((bar) => ('reason' in bar ? bar : splitBar(bar, splits)));
};

/** Returns the bars of an event that are valid by themselves, oldest first. */
const validBars = (given: GivenBars, series: Series, now: Date): BarColumns => {
  const kind = kindOf(series);
  const closed = closedBars(inUnitsOfTime(given, series), kind, now).bars;
  const { accepted, held } = judgeInUnits(closed, undefined, kind, splitsOf(series));
  return columnsOf(held ? [...accepted, held] : accepted);
};

/** @throws MalformedEventError if all bars of an event are refused. */
const requireValid = (bars: readonly GivenBar[], refused: readonly RefusedBar[]): void => {
  const starts = new Set(bars.map((bar) => ('reason' in bar ? undefined : bar.start)));
  const own = refused.filter(({ start }) => starts.has(start));
  if (own.length < bars.length) return;
  throw new MalformedEventError(
    [...new Set(own.map(({ reason }) => reason))].slice(0, MAX_REASONS).join('; '),
  );
};

/** Returns the start of the newest of refused bars. */
const newestOf = (refused: readonly RefusedBar[]): number | undefined =>
  refused.reduce<number | undefined>(
    (newest, { start }) => (start !== undefined && start > (newest ?? start - 1) ? start : newest),
    undefined,
  );

/** Returns whether valid bars of an event are from before a time. */
const hasBarsBefore = (bars: readonly GivenBar[], kind: SeriesKind, now: Date, at: number): boolean =>
  validAlone(
    closedBars(bars, kind, now).bars.filter(({ start }) => start < at),
    kind,
  ).bars.length > 0;

/**
 * Judges the bars of an event up to a declared split.
 *
 * @param ofNew split that a series begins with, if it does not exist yet.
 * @throws MalformedEventError for the first bars of a series, if all are refused.
 */
const judge = (
  given: Pick<GivenBars, 'source' | 'declared' | 'bars'>,
  series: Series | undefined,
  kind: SeriesKind,
  now: Date,
  ofNew: SeriesSplit | undefined,
): Intake => {
  requireSeriesSource(series, given.source);
  requireAnchor(series, given.declared);
  const known = series && knownOf(series);
  const { bars, refused } = closedBars(given.bars, kind, now);
  const { at: until = Number.POSITIVE_INFINITY } = (series ? series.split : ofNew) ?? {};
  const { later: after = [], own = [] } = Object.groupBy(bars, ({ start }) =>
    start >= until ? 'later' : 'own',
  );
  const later = validAlone(after, kind);
  const judged = judgeInUnits(own, known, kind, series?.splits ?? []);
  const invalid = [...judged.refused, ...later.refused];
  const all = [...refused, ...invalid];
  if (!series) requireValid(given.bars, all);
  // A bar that has not closed yet comes again.
  const refusedAt = newestOf(invalid);
  return {
    ...judged,
    refused: all,
    bars: columnsOf(judged.accepted),
    known,
    later: later.bars,
    refusedAt,
    judgesLate: true,
    movedAt: now.getTime(),
  };
};

/** Logs and counts the bars that are missing before those that an event added. */
const reportGaps = (
  { log, metrics }: Runtime,
  { symbol, timeframe }: GivenBars,
  gaps: Companions['gaps'],
  { known }: Intake,
): void => {
  for (const { previous, first } of gaps) {
    if (known && first < known.newFrom) continue;
    log.warn('the bar before is missing', { symbol, timeframe, previous: isoOf(previous) });
    metrics.count('BarsMissing', ENGINE);
  }
};

/** Returns the start of the bar before the first of the given ones, as far as the head of the series tells. */
const startBefore = (first: number, { known }: Intake, { bars }: Series): number | undefined =>
  known && first > known.last.start ? known.last.start : bars.start[firstBarFrom(bars, first) - 1];

/** Dependencies of taking bars. */
export interface BarContext {
  readonly instruments: InstrumentMemory;
  readonly advance: Advance;
  /** Restates the accounts and programs of a series at its declared split. Returns false if there was no time. */
  readonly passSplit: (series: Series) => Promise<boolean>;
  /** Pauses in milliseconds between looks for the bar before. */
  readonly pauses?: readonly number[];
}

/**
 * Takes bars of a feed: checks them, appends them to their series, and advances the programs of each timeframe that a
 * bar closed. A repeat appends nothing and advances what a crash left. Bars from a declared split on are taken once all
 * that is before them is done and restated.
 *
 * @throws MalformedEventError for an event of which no bar can be taken.
 * @throws EarlyBarError
 * @throws SplitPendingError
 */
export const takeBars = async (
  runtime: Runtime,
  given: GivenBars,
  { instruments, advance, passSplit, pauses }: BarContext,
): Promise<void> => {
  const { store, clock } = runtime;
  const { symbol, timeframe, source, declared } = given;
  const instrument = await instruments.find(store, symbol, clock());
  if (!instrument) throw new MalformedEventError('the symbol is not in the catalogue');
  requireFeed(runtime.capability('feeds').HUB_FEEDS, given, instrument);
  const ownBars = (series: Series): BarColumns => {
    requireAnchor(series, declared);
    return validBars(given, series, clock());
  };
  const awaited = await awaitPrevious(runtime, given, ownBars, pauses);
  if (!awaited) return;
  const usual = factsOf(instrument, { symbol, timeframe, source, adjustment: 'none' });
  const facts = awaited.series ? usual : await anchoredFacts(store, usual, declared);
  const own = awaited.series ? inUnitsOfTime(given, awaited.series) : given.bars;
  const allRefused: RefusedBar[] = [];
  const { series: joined, ...begun } = await joinSplit(store, facts, awaited.series, (at) =>
    hasBarsBefore(given.bars, kindOf(facts), clock(), at),
  );
  let known = joined;
  let gaps = awaited.gaps;
  let bars: readonly GivenBar[] = [...awaited.older, ...own, ...awaited.newer];
  for (;;) {
    const result = await changeSeries(
      store,
      { ...facts, ...begun },
      (series) => judge({ source, declared, bars }, series, kindOf(series ?? facts), clock(), begun.split),
      known,
    );
    const { series, change } = result;
    requireValid(bars, change.refused);
    reportGaps(runtime, given, gaps, change);
    const refused = [...change.refused, ...result.refused];
    const dropped = [...change.dropped, ...result.dropped];
    reportBars(runtime, given, { ...change, refused, dropped, late: result.late });
    allRefused.push(...refused);
    if (result.appended + result.repeated > 0) {
      const starts = change.accepted.map(({ start }) => start);
      const [first = series.last] = starts;
      const calendar = calendarById(series.calendar);
      await advance(series, closedWith(calendar, timeframe, starts, startBefore(first, change, series)));
    }
    if (change.later.length === 0) {
      await markTaken(store, series, awaited.others, clock());
      break;
    }
    if (!(await passSplit(series))) throw new SplitPendingError();
    // The head has changed.
    known = undefined;
    gaps = [];
    bars = change.later;
  }
  requireValid(given.bars, allRefused);
};
