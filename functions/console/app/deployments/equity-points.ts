import type { GetDeploymentPerformanceOutput } from '../../../../infra/client/package/src/index.ts';
import type { EquityPoint } from '../charts/models/lines.ts';
import { isDayOrLonger } from '../format/times.ts';

type Performance = Pick<GetDeploymentPerformanceOutput, 'equity_curve' | 'starting_capital'> & {
  readonly metrics: Pick<
    GetDeploymentPerformanceOutput['metrics'],
    'period_start' | 'period_end' | 'total_return_pct'
  >;
};

/** Trade that left nothing open. */
interface ClosedTrade {
  readonly closed_at: string;
  readonly net_pnl: number;
}

const DAY_MS = 86_400_000;

/** Returns the end of a day, or the end of the figures if that is earlier: a trading day may end before midnight UTC. */
const endOf = (day: string, last: string): string =>
  new Date(Math.min(Date.parse(day) + DAY_MS, Date.parse(last))).toISOString();

/** Returns the equity at the newest bar or now; undefined if an open position has no price. */
export const newestEquity = ({ equity_curve, metrics }: Performance): EquityPoint | undefined => {
  const last = equity_curve.at(-1);
  if (!last || metrics.total_return_pct === null) return undefined;
  return { at: metrics.period_end, equity: last.equity };
};

/** Returns the equity at the close of trades, the oldest first: nothing was open then. */
const afterTrades = (capital: number, trades: readonly ClosedTrade[]): EquityPoint[] => {
  let equity = capital;
  return trades.map(({ closed_at: at, net_pnl }) => {
    equity += net_pnl;
    return { at, equity };
  });
};

/** Points of equity between the days that the service keeps. */
export interface Between {
  /** All trades, the oldest first; empty if several can be open at a time. */
  readonly trades: readonly ClosedTrade[];
  /** Newest equity of earlier answers. */
  readonly earlier: readonly EquityPoint[];
}

/**
 * Returns the equity of a deployment over time. The service keeps it by day, which is each bar for bars of a day or
 * longer. For shorter ones the line goes from the time of the start over the closes of trades, the ends of days and the
 * newest equity of earlier answers to that of this answer.
 */
export const equityPoints = (
  performance: Performance,
  timeframe: string,
  { trades, earlier }: Between,
): readonly EquityPoint[] => {
  const { equity_curve, metrics, starting_capital } = performance;
  if (isDayOrLonger(timeframe)) return equity_curve.map(({ day, ...point }) => ({ at: day, ...point }));
  const { period_start: start, period_end: end } = metrics;
  const newest = newestEquity(performance);
  const ended = newest ? equity_curve.slice(0, -1) : equity_curve;
  const days = ended.map(({ day, equity }, index): EquityPoint => {
    // The curve begins with the capital, on the day before the start.
    return { at: index === 0 ? start : endOf(day, end), equity };
  });
  return [...afterTrades(starting_capital, trades), ...days, ...earlier, ...(newest ? [newest] : [])];
};
