/** Equity at a moment. */
export interface EquityPoint {
  /** ISO-8601 text: a time, or a day. */
  readonly at: string;
  readonly equity: number;
  /** Fall below the highest earlier point, in percent points. Computed if it is absent. */
  readonly drawdown_pct?: number | undefined;
}

/** Point of a line. */
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
