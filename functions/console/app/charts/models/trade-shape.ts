import { roundStep } from './plot.ts';

/** Returns the middle of values, or a part of the way through them; undefined without values. */
export const quantileOf = (values: readonly number[], part = 0.5): number | undefined => {
  const sorted = values.filter(Number.isFinite).sort((left, right) => left - right);
  if (sorted.length === 0) return undefined;
  const place = part * (sorted.length - 1);
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
};

/** Count of the values from one bound on and below another one. */
export interface Bin {
  /** Minus infinity for the values below the second bin. */
  readonly from: number;
  /** Infinity for the values above the last bin but one. */
  readonly to: number;
  readonly count: number;
}

/** Most bins without the two at the ends. */
const BINS = 24;
/** Part of the values at each end that may share a bin. */
const ENDS = 0.04;

/** Smallest width of a bin, in percent points. */
const LEAST_WIDTH = 0.01;

/** Returns a round width of bins for values of which a part lies between two bounds (Freedman and Diaconis). */
const widthOf = (values: readonly number[], span: number): number => {
  const middle = (quantileOf(values, 0.75) ?? 0) - (quantileOf(values, 0.25) ?? 0);
  return roundStep(Math.max((2 * middle) / Math.cbrt(values.length), span / BINS, LEAST_WIDTH));
};

/**
 * Counts values in bins of the same round width, one of which begins at zero. The values at both ends share a bin, so that
 * a few far ones do not make the others unreadable.
 */
export const binsOf = (values: readonly number[]): Bin[] => {
  const least = quantileOf(values, ENDS);
  const most = quantileOf(values, 1 - ENDS);
  if (least === undefined || most === undefined) return [];
  const width = widthOf(values, most - least || Math.abs(most) || 1);
  const first = Math.floor(least / width + 1e-9);
  const last = Math.max(first, Math.floor(most / width + 1e-9));
  const bound = (index: number): number => Number((index * width).toPrecision(12));
  const counts = new Map<number, number>();
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    const index = Math.min(last + 1, Math.max(first - 1, Math.floor(value / width + 1e-9)));
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const from = counts.has(first - 1) ? first - 1 : first;
  const to = counts.has(last + 1) ? last + 1 : last;
  return Array.from({ length: to - from + 1 }, (_, place) => {
    const index = from + place;
    return {
      from: index < first ? Number.NEGATIVE_INFINITY : bound(index),
      to: index > last ? Number.POSITIVE_INFINITY : bound(index + 1),
      count: counts.get(index) ?? 0,
    };
  });
};

/** Closed trade with its largest moves. */
export interface MovedTrade {
  readonly number: number;
  readonly return_pct: number;
  readonly mae_pct: number;
  readonly mfe_pct: number;
}

/** Returns the trades whose largest moves are known. */
export const movedTrades = <
  T extends {
    readonly number: number;
    readonly return_pct: number;
    readonly mae_pct?: number | undefined;
    readonly mfe_pct?: number | undefined;
  },
>(
  trades: readonly T[],
): MovedTrade[] =>
  trades.flatMap(({ number, return_pct, mae_pct, mfe_pct }) =>
    mae_pct === undefined || mfe_pct === undefined ? [] : [{ number, return_pct, mae_pct, mfe_pct }],
  );
