import {
  BAR_FIELDS,
  type Bar,
  type BarColumns,
  barAt,
  barCount,
  concatBars,
  listBars,
  sliceBars,
} from './bars.ts';

export type Collision = 'keep' | 'replace';

/** Bars merged with others. */
export interface MergedBars {
  readonly bars: BarColumns;
  readonly added: number;
  readonly replaced: number;
}

const isSameBar = (left: BarColumns, i: number, right: BarColumns, j: number): boolean =>
  BAR_FIELDS.every((field) => left[field][i] === right[field][j]);

/**
 * Merges two lists of bars, both oldest first.
 *
 * @param collision decides whether a bar of the first list is kept or replaced when both have the same start.
 */
export const mergeBars = (stored: BarColumns, next: BarColumns, collision: Collision): MergedBars => {
  const parts: BarColumns[] = [];
  let added = 0;
  let replaced = 0;
  let i = 0;
  let j = 0;
  /** Takes a run of bars of one list. */
  const take = (from: BarColumns, start: number, end: number): void => {
    if (end > start) parts.push(sliceBars(from, start, end));
  };
  while (i < barCount(stored) || j < barCount(next)) {
    const left = stored.start[i] ?? Number.POSITIVE_INFINITY;
    const right = next.start[j] ?? Number.POSITIVE_INFINITY;
    if (left < right) {
      const from = i;
      while ((stored.start[i] ?? Number.POSITIVE_INFINITY) < right) i += 1;
      take(stored, from, i);
    } else if (right < left) {
      const from = j;
      while ((next.start[j] ?? Number.POSITIVE_INFINITY) < left) j += 1;
      take(next, from, j);
      added += j - from;
    } else {
      const isNew = collision === 'replace' && !isSameBar(stored, i, next, j);
      if (isNew) replaced += 1;
      take(isNew ? next : stored, isNew ? j : i, (isNew ? j : i) + 1);
      i += 1;
      j += 1;
    }
  }
  return { bars: added + replaced === 0 ? stored : concatBars(parts), added, replaced };
};

/** Returns the bars of the second list that the first one does not have in the same form. */
export const changedBars = (seen: BarColumns, bars: BarColumns): Bar[] => {
  const known = new Map(Array.from(seen.start, (start, index) => [start, barAt(seen, index)]));
  return listBars(bars).filter((bar) => {
    const other = known.get(bar.start);
    return !other || BAR_FIELDS.some((field) => other[field] !== bar[field]);
  });
};
