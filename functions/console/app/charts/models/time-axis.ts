import { dayOfBar } from '../../format/times.ts';

/** Times of a chart. Charts take seconds and show them as UTC, so the seconds are those of the clock of the user. */
export interface TimeAxis {
  /** Returns the chart's time of a moment of the axis; undefined for another moment. */
  readonly secondsOf: (millis: number) => number | undefined;
  /** Returns the moment that a time of the chart stands for. */
  readonly millisOf: (seconds: number) => number | undefined;
  /** Returns the chart's time of the last moment at or before another one; undefined before the first. */
  readonly secondsAt: (millis: number) => number | undefined;
}

interface TimeAxisOptions {
  /** True for bars of a day or longer: each stands for a day, in any zone. */
  readonly isDaily: boolean;
  /** Returns the minutes by which the user's clock is ahead of UTC. */
  readonly offsetOf?: (millis: number) => number;
}

const offsetHere = (millis: number): number => -new Date(millis).getTimezoneOffset();

/** Returns the index of the last value at or below another one; -1 if all are above. */
const lastAtOrBelow = (sorted: readonly number[], value: number): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** Makes the axis of all moments that a chart shows. */
export const timeAxisOf = (
  moments: Iterable<number>,
  { isDaily, offsetOf = offsetHere }: TimeAxisOptions,
): TimeAxis => {
  const sorted = [...new Set(moments)].filter(Number.isFinite).sort((left, right) => left - right);
  const toSeconds = new Map<number, number>();
  const toMillis = new Map<number, number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const millis of sorted) {
    const shown = isDaily ? dayOfBar(millis) : millis + offsetOf(millis) * 60_000;
    // When clocks go back, an hour comes twice. Charts need times that grow.
    const seconds = Math.max(Math.floor(shown / 1000), last + 1);
    last = seconds;
    toSeconds.set(millis, seconds);
    toMillis.set(seconds, millis);
  }
  return {
    secondsOf: (millis) => toSeconds.get(millis),
    millisOf: (seconds) => toMillis.get(seconds),
    secondsAt: (millis) => toSeconds.get(sorted[lastAtOrBelow(sorted, millis)] ?? Number.NaN),
  };
};
