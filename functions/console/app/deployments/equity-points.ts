import type { GetDeploymentPerformanceOutput } from '../../../../infra/client/package/src/index.ts';
import type { EquityPoint } from '../charts/models/lines.ts';
import { isDayOrLonger } from '../format/times.ts';

type Performance = Pick<GetDeploymentPerformanceOutput, 'equity_curve'> & {
  readonly metrics: Pick<GetDeploymentPerformanceOutput['metrics'], 'period_start' | 'period_end'>;
};

const DAY_MS = 86_400_000;

const dayOf = (time: string): string => time.slice(0, 10);

const endOf = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString();

/** Returns the equity at the newest bar or now; undefined if an open position has no price. */
export const newestEquity = ({ equity_curve, metrics }: Performance): EquityPoint | undefined => {
  const last = equity_curve.at(-1);
  if (last?.day !== dayOf(metrics.period_end)) return undefined;
  return { at: metrics.period_end, equity: last.equity, drawdown_pct: last.drawdown_pct };
};

/**
 * Returns the equity of a deployment over time. The service keeps it by day, which is each bar for bars of a day or
 * longer. For shorter ones the line goes from the time of the start over the ends of days, and over the newest equity of
 * earlier answers, to that of this answer.
 */
export const equityPoints = (
  performance: Performance,
  timeframe: string,
  earlier: readonly EquityPoint[],
): readonly EquityPoint[] => {
  const { equity_curve, metrics } = performance;
  if (isDayOrLonger(timeframe)) return equity_curve.map(({ day, ...point }) => ({ at: day, ...point }));
  const { period_start: start } = metrics;
  const newest = newestEquity(performance);
  const ended = newest ? equity_curve.slice(0, -1) : equity_curve;
  const days = ended.map(({ day, ...point }): EquityPoint => {
    // The curve begins with the capital, on the day before the start.
    return { at: day < dayOf(start) ? start : endOf(day), ...point };
  });
  return [...days, ...earlier, ...(newest ? [newest] : [])];
};
