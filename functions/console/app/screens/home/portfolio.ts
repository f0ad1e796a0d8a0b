import type { EquityPoint } from '../../charts/models/lines.ts';

/** Equity of a deployment over time, the oldest point first. */
export interface Curve {
  readonly starting_capital: number;
  readonly points: readonly EquityPoint[];
}

/** Returns points in order without those that are before or at the time of another of the same curve. */
const ordered = (points: readonly EquityPoint[]): EquityPoint[] =>
  [...points].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));

/**
 * Adds the equity of deployments at every time at which one of them changes. A deployment counts with its starting
 * capital before its first point, and with its last equity after its last, so that the sum moves by results alone.
 */
export const summed = (curves: readonly Curve[]): readonly EquityPoint[] => {
  const changes = curves
    .flatMap(({ points }, curve) => ordered(points).map((point) => ({ ...point, curve })))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const present = curves.map(({ starting_capital }) => starting_capital);
  const sums = new Map<string, number>();
  for (const { at, equity, curve } of changes) {
    present[curve] = equity;
    sums.set(
      new Date(at).toISOString(),
      present.reduce((sum, one) => sum + one, 0),
    );
  }
  return [...sums].map(([at, equity]) => ({ at, equity }));
};

/** Times of a deployment, as the clock of the service and the clock of its market have them. */
interface Times {
  readonly deployed_at: string;
  readonly started_at: string | null;
}

const TWO_DAYS_MS = 2 * 86_400_000;

/** Tells whether a deployment runs on a clock of its own, such as that of the demo market. */
export const hasOwnClock = ({ deployed_at, started_at }: Times): boolean =>
  started_at !== null && Math.abs(Date.parse(deployed_at) - Date.parse(started_at)) > TWO_DAYS_MS;
