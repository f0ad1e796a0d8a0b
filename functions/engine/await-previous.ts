import { setTimeout as sleep } from 'node:timers/promises';
import { newFrom } from '../../shared/data/candles/append-bars.ts';
import { findSeries, type Series } from '../../shared/data/candles/series.ts';
import {
  keepWaiting,
  listWaiting,
  type WaitingBars,
  wereTaken,
} from '../../shared/data/candles/waiting-bars.ts';
import {
  type Bar,
  type BarColumns,
  barCount,
  columnsOf,
  firstBarFrom,
  listBars,
  sliceBars,
} from '../../shared/domain/candles/bars.ts';
import { mergeBars } from '../../shared/domain/candles/merge.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { GivenBars } from './bar-events.ts';

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
/** Age of events that the bus delivers again, at least. */
const REPEATED_MS = 30_000;
/**
 * Waits of one attempt, as events that were sent together arrive together, in any order. They begin again whenever a bar
 * is appended, since the one before may be next.
 */
const PAUSES_MS: readonly number[] = [50, 150, 300];
/** Most waits of one attempt: two seconds. A longer one would keep a run from other events. */
const MAX_PAUSES = 12;

/** Gap between bars that are taken without the ones between. */
interface Gap {
  /** Start of the bar that is missing. */
  readonly previous: number;
  /** Start of the bar after it. */
  readonly first: number;
}

/** Bars of other events that are taken with those of an event. */
export interface Companions {
  /** Bars before those of the event. */
  readonly older: readonly Bar[];
  /** Bars that follow those of the event without a gap. */
  readonly newer: readonly Bar[];
  readonly gaps: readonly Gap[];
  /** The events of these bars. */
  readonly others: readonly WaitingBars[];
}

const NONE: Companions = { older: [], newer: [], gaps: [], others: [] };

const hasArrived = (series: Series, start: number): boolean =>
  start < newFrom(series) || series.held?.start[0] === start || series.refused === start;

/** Bars that wait and can be taken now. */
interface Followers {
  readonly bars: BarColumns;
  readonly gaps: readonly Gap[];
  readonly events: readonly WaitingBars[];
  /** Start of the newest one. */
  readonly last: number;
}

/**
 * Returns the waiting bars that follow a series without a gap.
 *
 * @param until bars up to here are taken in spite of gaps.
 */
const followersOf = (series: Series, waiting: readonly WaitingBars[], until: number): Followers => {
  let bars = columnsOf([]);
  let last = Number.NEGATIVE_INFINITY;
  const gaps: Gap[] = [];
  const events: WaitingBars[] = [];
  for (const event of waiting) {
    const { previous, first } = event;
    if (previous > last && !hasArrived(series, previous)) {
      if (first > until) break;
      gaps.push({ previous, first });
    }
    events.push(event);
    bars = mergeBars(bars, event.bars, true).bars;
    last = bars.start[barCount(bars) - 1] ?? last;
  }
  return { bars, gaps, events, last };
};

/**
 * Reads the series, and waits for the bar before the given ones. Bars that wait in vain are stored. The event whose turn
 * comes first takes those of the others, in order: none becomes late, and no run waits for another one.
 *
 * @param pauses in milliseconds between looks for the bar before.
 * @param kept returns the given bars that may be stored, oldest first.
 * @returns undefined if another event took the given bars.
 * @throws EarlyBarError
 */
export const awaitPrevious = async (
  { store, clock }: Runtime,
  { symbol, timeframe, source, previous, at, bars }: GivenBars,
  kept: (series: Series) => BarColumns,
  pauses = PAUSES_MS,
): Promise<(Companions & { readonly series: Series | undefined }) | undefined> => {
  const starts = bars.flatMap((bar) => ('reason' in bar ? [] : [bar.start]));
  const first = Math.min(...starts);
  const last = Math.max(...starts);
  const age = clock().getTime() - at;
  const isLastAttempt = age >= MAX_WAIT_MS;
  const mayBeTaken = previous !== undefined && starts.length > 0 && age >= REPEATED_MS;
  if (mayBeTaken && (await wereTaken(store, { symbol, timeframe }, { first, last, at }))) return undefined;
  let head: number | undefined;
  let left = 0;
  let isKept = false;
  for (let paused = 0; ; paused += 1) {
    const [series] = await findSeries(store, symbol, [timeframe]);
    const isWaiting = previous !== undefined && starts.length > 0 && series?.source === source;
    if (!isWaiting || hasArrived(series, previous)) return { series, ...NONE };
    if (series.last !== head) {
      head = series.last;
      left = pauses.length;
    }
    const isOver = left === 0 || paused >= MAX_PAUSES;
    const own = { source, previous, first, last, bars: kept(series) };
    // Stores the bars before the pauses at the last attempt, as those of others may come at the same moment. An event with
    // invalid bars is left to its own attempts, which report these.
    if (!isKept && (isLastAttempt || isOver) && barCount(own.bars) === bars.length) {
      await keepWaiting(store, series, own, clock());
      isKept = true;
    }
    if (!isOver) {
      left -= 1;
      await sleep(pauses[paused % pauses.length]);
      continue;
    }
    const isOther = (one: WaitingBars): boolean => one.last < first || one.first > last;
    const others = (await listWaiting(store, series)).filter(isOther);
    const waiting = [...others, own].toSorted((one, other) => one.first - other.first);
    const found = followersOf(series, waiting, isLastAttempt ? first : Number.NEGATIVE_INFINITY);
    if (!isLastAttempt && previous > found.last) throw new EarlyBarError();
    const older = sliceBars(found.bars, 0, firstBarFrom(found.bars, first));
    const newer = sliceBars(found.bars, firstBarFrom(found.bars, last + 1));
    return {
      series,
      older: listBars(older),
      newer: listBars(newer),
      gaps: found.gaps,
      others: found.events.filter(isOther),
    };
  }
};
