/** Equity at a moment. */
export interface EquityPoint {
  /** ISO-8601 text: a time, or a day. */
  readonly at: string;
  readonly equity: number;
  /** Fall below the highest earlier point, in percent points. Computed if it is absent. */
  readonly drawdown_pct?: number | undefined;
}

export interface LinePoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

/**
 * Returns the line of equity with times that grow. Points without a time or a number are left out; of equal times the
 * last counts.
 */
export const equityLine = (points: readonly EquityPoint[]): LinePoint[] => {
  const values = new Map<number, number>();
  for (const point of points) {
    const at = Date.parse(point.at);
    if (Number.isFinite(at) && Number.isFinite(point.equity)) values.set(at, point.equity);
  }
  return [...values].map(([at, value]) => ({ at, value })).sort((left, right) => left.at - right.at);
};

/** Returns the falls below the highest earlier equity, as percent points at or below zero. */
export const drawdownLine = (points: readonly EquityPoint[]): LinePoint[] => {
  const given = new Map(points.map(({ at, drawdown_pct }) => [Date.parse(at), drawdown_pct]));
  let peak = Number.NEGATIVE_INFINITY;
  return equityLine(points).map(({ at, value }) => {
    peak = Math.max(peak, value);
    const computed = peak > 0 ? (1 - value / peak) * 100 : 0;
    return { at, value: 0 - (given.get(at) ?? computed) };
  });
};

/** Returns a line as growth since its first point, in percent points. Empty if the first value is not above zero. */
export const growthLine = (line: readonly LinePoint[]): LinePoint[] => {
  const start = line[0]?.value ?? 0;
  return start > 0 ? line.map(({ at, value }) => ({ at, value: (value / start - 1) * 100 })) : [];
};

/** Returns at most `most` points: the first, the last, and evenly spaced ones between them. */
export const thinned = <T>(points: readonly T[], most: number): readonly T[] => {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
};

const shortestGap = (points: readonly LinePoint[]): number => {
  let shortest = Number.POSITIVE_INFINITY;
  let before = Number.NEGATIVE_INFINITY;
  for (const { at } of points) {
    shortest = Math.min(shortest, at - before);
    before = at;
  }
  return shortest;
};

const haveSameTimes = ([first, ...others]: readonly (readonly LinePoint[])[]): boolean =>
  others.every(
    (points) => points.length === first?.length && points.every(({ at }, index) => at === first[index]?.at),
  );

/** Returns the last values of a line at moments within its span. */
const resampled = (points: readonly LinePoint[], moments: readonly number[], step: number): LinePoint[] => {
  const end = points.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  let next = 0;
  return moments.flatMap((at) => {
    while ((points[next]?.at ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const last = points[next - 1];
    return last && at < end + step ? [{ at, value: last.value }] : [];
  });
};

/**
 * Returns lines at evenly spaced moments, at most `most` of them. Charts give each moment the same width, so they are
 * true to time then. Lines with the same times stay as they are.
 */
export const evenlySpaced = (
  lines: readonly (readonly LinePoint[])[],
  most: number,
): (readonly LinePoint[])[] => {
  const filled = lines.filter(({ length }) => length > 0);
  if (haveSameTimes(filled)) return [...lines];
  const start = Math.min(...filled.map((points) => points[0]?.at ?? Number.POSITIVE_INFINITY));
  const end = Math.max(...filled.map((points) => points.at(-1)?.at ?? Number.NEGATIVE_INFINITY));
  const step = Math.max(Math.min(...filled.map(shortestGap)), (end - start) / (most - 1));
  if (!Number.isFinite(step)) return [...lines];
  // The last moment shows the last values.
  const count = Math.ceil((end - start) / step - 1e-9) + 1;
  const moments = Array.from({ length: count }, (_, index) => start + index * step);
  return lines.map((points) => resampled(points, moments, step));
};

/** Ratio of the highest to the lowest value from which a logarithmic scale helps. */
const WIDE = 5;

/** Returns whether a logarithmic scale helps to read a line. */
export const isWide = (line: readonly LinePoint[]): boolean => {
  const values = line.map(({ value }) => value);
  const least = values.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((highest, value) => Math.max(highest, value), 0);
  return least > 0 && most / least > WIDE;
};
