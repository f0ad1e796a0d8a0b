/** Work of a slice, in bars × (indicators + conditions): two seconds of one processor. */
const SLICE_WORK = 2e7;
/** The most combinations of a slice: their figures fit one item of the table. */
const MOST_COMBINATIONS = 100;

/** Division of a sweep: each slice has `size` combinations, the last one may have fewer. */
export interface Slicing {
  readonly combinations: number;
  readonly size: number;
  readonly slices: number;
}

/**
 * Divides a sweep into slices of about the same work.
 *
 * @param work of one combination.
 * @param readWork of reading the candles, which each slice does once. It takes at most half of a slice.
 */
export const slicesOf = (combinations: number, work: number, readWork: number): Slicing => {
  const room = Math.max(SLICE_WORK - readWork, readWork);
  const size = Math.min(MOST_COMBINATIONS, combinations, Math.max(1, Math.floor(room / work)));
  return { combinations, size, slices: Math.ceil(combinations / size) };
};

/** Returns the numbers of the combinations of a slice. */
export const combinationsIn = ({ combinations, size }: Slicing, slice: number): number[] => {
  const first = slice * size;
  return Array.from(
    { length: Math.max(0, Math.min(size, combinations - first)) },
    (_, index) => first + index,
  );
};

/** Slices from `from` to `to`, without `to`. */
export interface SliceRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Divides slices among workers: one range per slice, or at most `most` larger ranges, which are divided again. Ranges
 * without slices to do are left out.
 *
 * @param isDone whether a slice needs no worker.
 */
export const divideSlices = (
  { from, to }: SliceRange,
  isDone: (slice: number) => boolean,
  most: number,
): SliceRange[] => {
  const length = Math.max(1, Math.ceil((to - from) / most));
  const ranges: SliceRange[] = [];
  for (let first = from; first < to; first += length) {
    const range = { from: first, to: Math.min(to, first + length) };
    for (let slice = range.from; slice < range.to; slice += 1) {
      if (isDone(slice)) continue;
      ranges.push(range);
      break;
    }
  }
  return ranges;
};
