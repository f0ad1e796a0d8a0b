import { type Bar, type BarColumns, barAt, barCount } from './bars.ts';
import { faultOf, opensBeyondLimit, type SeriesKind } from './checks.ts';
import { changedBars, mergeBars } from './merge.ts';

/** A series as far as the judgement of new bars depends on it. */
export interface KnownBars {
  /** The newest bar. */
  readonly last: Bar;
  /** Bars that start before it are late; after the newest bar. */
  readonly newFrom: number;
  /** The bar that waits for confirmation, after the newest bar. */
  readonly held: Bar | undefined;
}

/** A bar that is not stored, and why. */
export interface RefusedBar {
  /** undefined if it could not be read. */
  readonly start: number | undefined;
  readonly reason: string;
}

/** Judgement of bars of a feed. */
export interface Judged {
  /** Bars to store, oldest first, late ones included. */
  readonly accepted: readonly Bar[];
  /** The bar that waits for confirmation afterwards. */
  readonly held: Bar | undefined;
  readonly refused: readonly RefusedBar[];
  /** Held bars that the next bar did not confirm. */
  readonly dropped: readonly Bar[];
}

/**
 * Returns whether the next bar confirms a held one: it follows its close within the limit, and opens nearer to where
 * the held bar opened than to the close before.
 */
const confirms = (next: Bar, held: Bar, before: Bar, kind: SeriesKind): boolean =>
  faultOf(next, held, kind) === undefined &&
  !opensBeyondLimit(next, held, kind.assetClass) &&
  Math.abs(next.open - held.open) < Math.abs(next.open - before.close);

/**
 * Judges bars of a feed one after the other. Refuses invalid ones. Holds a bar that opens beyond the jump limit of its
 * class until the next valid bar confirms it, so that one wrong price does not trip stops.
 *
 * @param bars in the order of the feed.
 * @param known undefined for a series that does not exist yet.
 */
export const judgeBars = (bars: readonly Bar[], known: KnownBars | undefined, kind: SeriesKind): Judged => {
  const late: Bar[] = [];
  const accepted: Bar[] = [];
  const refused: RefusedBar[] = [];
  const dropped: Bar[] = [];
  let previous = known?.last;
  let held = known?.held && known.held.start > known.last.start ? known.held : undefined;
  let newest = Number.NEGATIVE_INFINITY;

  for (const bar of bars) {
    if (bar.start <= newest) {
      refused.push({ start: bar.start, reason: 'the bar is not after the one before in the event' });
      continue;
    }
    const isLate = known !== undefined && bar.start < known.newFrom;
    const fault = faultOf(bar, undefined, kind);
    if (fault !== undefined) {
      refused.push({ start: bar.start, reason: fault });
      continue;
    }
    newest = bar.start;
    if (isLate) {
      late.push(bar);
      continue;
    }
    const judged = held && bar.start > held.start ? held : undefined;
    if (judged && previous && confirms(bar, judged, previous, kind)) {
      accepted.push(judged, bar);
      previous = bar;
      held = undefined;
      continue;
    }
    const jump = faultOf(bar, previous, kind);
    if (jump !== undefined) {
      refused.push({ start: bar.start, reason: jump });
      continue;
    }
    if (judged) {
      dropped.push(judged);
      held = undefined;
    }
    const isCorrected = held?.start === bar.start;
    if (previous && opensBeyondLimit(bar, previous, kind.assetClass)) {
      held = bar;
      continue;
    }
    if (isCorrected) held = undefined;
    accepted.push(bar);
    previous = bar;
  }
  return { accepted: [...late, ...accepted], held, refused, dropped };
};

/** Judgement of bars that arrived after later ones. */
export interface JudgedLate extends Pick<Judged, 'refused' | 'dropped'> {
  /** Bars that the series does not have in this form, oldest first. */
  readonly accepted: readonly Bar[];
  /** Number of bars that the series has already. */
  readonly repeated: number;
}

/**
 * Judges late bars by the bars around them, as {@link judgeBars} judges them in order. So a bar that was refused or
 * dropped in order does not become a correction when its event is taken again.
 *
 * @param stored bars of the series from the one before the late ones to the one after them.
 * @param late bars that are valid by themselves, oldest first.
 */
export const judgeLate = (stored: BarColumns, late: BarColumns, kind: SeriesKind): JudgedLate => {
  const changes = new Set(changedBars(stored, late).map(({ start }) => start));
  const merged = mergeBars(stored, late, 'replace').bars;
  const isConfirmed = (index: number, before: Bar): boolean => {
    const bar = barAt(merged, index);
    for (let after = index + 1; bar; after += 1) {
      const next = barAt(merged, after);
      if (!next) return false;
      if (confirms(next, bar, before, kind)) return true;
      if (!changes.has(next.start) || faultOf(next, before, kind) === undefined) return false;
    }
    return false;
  };
  const accepted: Bar[] = [];
  const refused: RefusedBar[] = [];
  const dropped: Bar[] = [];
  let previous: Bar | undefined;
  for (let index = 0; index < barCount(merged); index++) {
    const bar = barAt(merged, index);
    if (!bar) break;
    if (changes.has(bar.start)) {
      const fault = faultOf(bar, previous, kind);
      if (fault !== undefined) {
        refused.push({ start: bar.start, reason: fault });
        continue;
      }
      if (previous && opensBeyondLimit(bar, previous, kind.assetClass) && !isConfirmed(index, previous)) {
        dropped.push(bar);
        continue;
      }
      accepted.push(bar);
    }
    previous = bar;
  }
  return { accepted, refused, dropped, repeated: barCount(late) - changes.size };
};
