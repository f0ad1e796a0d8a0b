import { setTimeout as sleep } from 'node:timers/promises';
import { newFrom } from '../../shared/data/candles/append-bars.ts';
import { findSeries, type Series } from '../../shared/data/candles/series.ts';
import {
  findWaiting,
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

/** Reports an event that comes before bars that are on the way. The bus delivers it again. */
export class EarlyBarError extends Error {
  constructor() {
    super('bars before it have not arrived yet');
    this.name = 'EarlyBarError';
  }
}

/** Age of an event at its last attempt, at least. Lambda delivers it again after one minute and after two more. */
export const LAST_ATTEMPT_MS = 150_000;
/** Time for which a bar waits for the one before, from the last progress of its series on. */
const MAX_WAIT_MS = LAST_ATTEMPT_MS;
/** Time after which a bar is taken in any case, with those that wait before it. */
const MAX_TOTAL_MS = 30 * 60_000;
/** Events that the bus took so long after another one may have been sent before it. */
const TOGETHER_MS = 15_000;
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
}

/** Returns whether the bar before a waiting event is no longer waited for. */
type GivesUp = (event: WaitingBars) => boolean;

/**
 * Bars of a burst may be on the way as long as the series moves, or others arrive that were sent with an event: on a slow
 * machine, for longer than a bar waits for one that does not come.
 */
const givesUp = (series: Series, waiting: readonly WaitingBars[], now: number): GivesUp => {
  const overdue = waiting.flatMap(({ kept_at, first }) => (now - kept_at >= MAX_TOTAL_MS ? [first] : []));
  const until = Math.max(...overdue);
  return ({ at, kept_at, first }) => {
    const arrivals = waiting.flatMap((one) => (one.at <= at + TOGETHER_MS ? [one.kept_at] : []));
    const progress = Math.max(kept_at, series.moved_at ?? kept_at, ...arrivals);
    return first <= until || now - progress >= MAX_WAIT_MS;
  };
};

/** Returns the waiting bars that follow a series: without a gap, or after one whose bars are no longer waited for. */
const followersOf = (series: Series, waiting: readonly WaitingBars[], mayPass: GivesUp): Followers => {
  let bars = columnsOf([]);
  let last = Number.NEGATIVE_INFINITY;
  const gaps: Gap[] = [];
  const events: WaitingBars[] = [];
  for (const event of waiting) {
    const { previous, first } = event;
    if (previous > last && !hasArrived(series, previous)) {
      if (!mayPass(event)) break;
      gaps.push({ previous, first });
    }
    events.push(event);
    bars = mergeBars(bars, event.bars, 'keep').bars;
    last = bars.start[barCount(bars) - 1] ?? last;
  }
  return { bars, gaps, events };
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
  const isRepeated = clock().getTime() - at >= REPEATED_MS;
  const mayWait = previous !== undefined && starts.length > 0;
  const before =
    mayWait && isRepeated ? await findWaiting(store, { symbol, timeframe }, { first, last }) : undefined;
  if (wereTaken(before, at)) return undefined;
  let stored = before?.taken_at === undefined ? before : undefined;
  let head: number | undefined;
  let left = 0;
  for (let paused = 0; ; paused += 1) {
    const [series] = await findSeries(store, symbol, [timeframe]);
    const isWaiting = mayWait && series?.source === source;
    if (!isWaiting || hasArrived(series, previous)) return { series, ...NONE };
    if (series.last !== head) {
      head = series.last;
      left = pauses.length;
    }
    const isOver = left === 0 || paused >= MAX_PAUSES;
    const own = stored ?? { source, previous, first, last, bars: kept(series), at, kept_at: at };
    // Stores the bars before the pauses of a repeat, as those of others may come at the same moment. An event with invalid
    // bars is left to its own attempts, which report these.
    if (!stored && (isRepeated || isOver) && barCount(own.bars) === bars.length) {
      stored = await keepWaiting(store, series, { ...own, kept_at: clock().getTime() });
      if (wereTaken(stored, at)) return undefined;
    }
    if (!isOver) {
      left -= 1;
      await sleep(pauses[paused % pauses.length]);
      continue;
    }
    const mine = stored ?? own;
    const isOther = (one: WaitingBars): boolean => one.last < first || one.first > last;
    const others = (await listWaiting(store, series)).filter(isOther);
    const waiting = [...others, mine].toSorted((one, other) => one.first - other.first);
    const found = followersOf(series, waiting, givesUp(series, waiting, clock().getTime()));
    if (!found.events.includes(mine)) throw new EarlyBarError();
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
