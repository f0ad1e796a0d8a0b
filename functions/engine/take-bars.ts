import { setTimeout as sleep } from 'node:timers/promises';
import { changeSeries, newFrom } from '../../shared/data/candles/append-bars.ts';
import { factsOf, findSeries, kindOf, type Series } from '../../shared/data/candles/series.ts';
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
import type { SeriesKind } from '../../shared/domain/candles/checks.ts';
import { closeTimeOf } from '../../shared/domain/candles/close-time.ts';
import { closedWith } from '../../shared/domain/candles/closed.ts';
import {
  type Judged,
  judgeBars,
  type KnownBars,
  type RefusedBar,
} from '../../shared/domain/candles/judge.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { Feed } from '../../shared/settings.ts';
import { MalformedEventError } from '../execution-events/events.ts';
import type { GivenBars } from './bar-events.ts';
import { ENGINE, isoOf, reportBars } from './report-bars.ts';

/** Advances the programs of a series over bars that closed. */
export type Advance = (series: Series, timeframes: readonly Timeframe[]) => Promise<void>;

/** Reports a bar whose bar before has not arrived. The bus delivers it again. */
export class EarlyBarError extends Error {
  constructor() {
    super('the bar before has not arrived yet');
    this.name = 'EarlyBarError';
  }
}

/**
 * Time for which a bar waits for the one before. Lambda delivers an event again after one minute and after two more, so
 * the last attempt comes after three minutes.
 */
const MAX_WAIT_MS = 150_000;
/** Waits of one attempt, as events that were sent together arrive together, in any order. */
const PAUSES_MS: readonly number[] = [50, 150, 300];

/** The most different reasons that an error names. */
const MAX_REASONS = 3;

/** @throws MalformedEventError for an instrument that the feed may not price. */
const requireFeed = (
  feeds: '*' | readonly Feed[],
  { source, isOwn }: GivenBars,
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

const hasArrived = (series: Series, start: number): boolean =>
  start < newFrom(series) || series.held?.start[0] === start;

/**
 * Reads the series, and waits for the bar before the given ones.
 *
 * @throws EarlyBarError
 */
const readSeries = async (
  { store, clock, log, metrics }: Runtime,
  { symbol, timeframe, previous, at }: GivenBars,
  pauses: readonly number[],
): Promise<Series | undefined> => {
  for (const pause of [...pauses, undefined]) {
    const [series] = await findSeries(store, symbol, [timeframe]);
    if (previous === undefined || !series || hasArrived(series, previous)) return series;
    const isOver = clock().getTime() - at >= MAX_WAIT_MS;
    if (isOver) {
      log.warn('the bar before is missing', { symbol, timeframe, previous: isoOf(previous) });
      metrics.count('BarsMissing', ENGINE);
      return series;
    }
    if (pause !== undefined) await sleep(pause);
  }
  throw new EarlyBarError();
};

const knownOf = (series: Series): KnownBars | undefined => {
  const last = barAt(series.bars, barCount(series.bars) - 1);
  return last && { last, newFrom: newFrom(series), held: series.held && barAt(series.held, 0) };
};

interface Intake extends Judged {
  readonly bars: BarColumns;
  readonly known: KnownBars | undefined;
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

/**
 * Judges the bars of an event.
 *
 * @throws MalformedEventError if all are refused.
 */
const judge = (given: GivenBars, series: Series | undefined, kind: SeriesKind, now: Date): Intake => {
  requireSeriesSource(series, given.source);
  const known = series && knownOf(series);
  const bars: Bar[] = [];
  const refused: RefusedBar[] = [];
  for (const bar of given.bars) {
    if ('reason' in bar) {
      refused.push({ start: undefined, reason: bar.reason });
      continue;
    }
    const reason = earlinessOf(bar.start, kind, now.getTime());
    if (reason === undefined) bars.push(bar);
    else refused.push({ start: bar.start, reason });
  }
  const judged = judgeBars(bars, known, kind);
  const all = [...refused, ...judged.refused];
  if (all.length === given.bars.length) {
    throw new MalformedEventError(
      [...new Set(all.map(({ reason }) => reason))].slice(0, MAX_REASONS).join('; '),
    );
  }
  return { ...judged, refused: all, bars: columnsOf(judged.accepted), known };
};

/** Returns the start of the bar before the first of the given ones, as far as the head of the series tells. */
const startBefore = (first: number, { known }: Intake, { bars }: Series): number | undefined =>
  known && first > known.last.start ? known.last.start : bars.start[firstBarFrom(bars, first) - 1];

/**
 * Takes bars of a feed: checks them, appends them to their series, and advances the programs of each timeframe that a
 * bar closed. A repeat appends nothing and advances what a crash left.
 *
 * @param pauses in milliseconds between looks for the bar before.
 * @throws MalformedEventError for an event of which no bar can be taken.
 * @throws EarlyBarError
 */
export const takeBars = async (
  runtime: Runtime,
  given: GivenBars,
  {
    instruments,
    advance,
    pauses = PAUSES_MS,
  }: {
    readonly instruments: InstrumentMemory;
    readonly advance: Advance;
    readonly pauses?: readonly number[];
  },
): Promise<void> => {
  const { store, clock } = runtime;
  const { symbol, timeframe, source } = given;
  const instrument = await instruments.find(store, symbol, clock());
  if (!instrument) throw new MalformedEventError('the symbol is not in the catalogue');
  requireFeed(runtime.capability('feeds').HUB_FEEDS, given, instrument);
  const facts = factsOf(instrument, { symbol, timeframe, source, adjustment: 'none' });
  const before = await readSeries(runtime, given, pauses);
  const result = await changeSeries(
    store,
    facts,
    (series) => judge(given, series, kindOf(series ?? facts), clock()),
    before,
  );
  const { series, change } = result;
  reportBars(runtime, given, { ...change, late: result.late });
  if (result.appended + result.repeated === 0) return;
  const starts = change.accepted.map(({ start }) => start);
  const [first = series.last] = starts;
  const calendar = calendarById(series.calendar);
  await advance(series, closedWith(calendar, timeframe, starts, startBefore(first, change, series)));
};
