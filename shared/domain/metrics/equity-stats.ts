import * as z from 'zod';
import { add, type Decimal, decimal, decimalText, toText } from '../money.ts';

/** Decimals of a stored daily return. Fixed, so that sums are exact in any order of addition. */
const RETURN_DECIMALS = 15;

/** Running sums over daily equity, sufficient for all its statistics; constant in size. */
export const equityStatsSchema = z.object({
  start: decimalText,
  last: decimalText,
  /** Days closed; `returns`: days with a return, which a day after zero or negative equity does not have. */
  days: z.int(),
  returns: z.int(),
  sum: decimalText,
  sum_of_squares: decimalText,
  /** Σ min(return, 0)². */
  downside: decimalText,
  /** Highest equity at the end of a day, and the deepest fall below such a peak as a fraction of it. */
  peak: decimalText,
  drawdown_ratio: decimalText,
});

export type EquityStats = z.output<typeof equityStatsSchema>;

/** Returns the sums before the first day. */
export const noEquity = (startingCapital: string): EquityStats => ({
  start: startingCapital,
  last: startingCapital,
  days: 0,
  returns: 0,
  sum: '0',
  sum_of_squares: '0',
  downside: '0',
  peak: startingCapital,
  drawdown_ratio: '0',
});

const drawdownAfter = (stats: EquityStats, equity: Decimal): Pick<EquityStats, 'peak' | 'drawdown_ratio'> => {
  const peak = decimal(stats.peak);
  const deepest = decimal(stats.drawdown_ratio);
  if (equity.gte(peak)) return { peak: toText(equity), drawdown_ratio: toText(deepest) };
  const fall = peak.gt(0) ? peak.minus(equity).div(peak) : deepest;
  return { peak: toText(peak), drawdown_ratio: toText(fall.gt(deepest) ? fall : deepest) };
};

/** Adds the equity at the end of a day without a return. */
export const addWithoutReturn = (stats: EquityStats, equity: Decimal): EquityStats => ({
  ...stats,
  last: toText(equity),
  days: stats.days + 1,
  ...drawdownAfter(stats, equity),
});

/** Adds the equity at the end of the next trading day. */
export const addEquity = (stats: EquityStats, equity: Decimal): EquityStats => {
  const closed = addWithoutReturn(stats, equity);
  const last = decimal(stats.last);
  if (last.lte(0)) return closed;
  const change = equity.minus(last).div(last).round(RETURN_DECIMALS);
  const square = change.times(change);
  closed.returns += 1;
  closed.sum = add(stats.sum, change);
  closed.sum_of_squares = add(stats.sum_of_squares, square);
  if (change.lt(0)) closed.downside = add(stats.downside, square);
  return closed;
};

/** Statistics of the daily returns, as fractions; null if undefined. */
export interface ReturnFigures {
  readonly volatility: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  /** Deepest fall of daily equity below its peak. */
  readonly drawdown: number | null;
}

/** Computes risk figures from the mean, the deviation and the downside deviation of returns, annualised. */
export const riskFigures = (
  {
    mean,
    deviation,
    downside,
  }: {
    readonly mean: number;
    readonly deviation: number | null;
    readonly downside: number | null;
  },
  periodsPerYear: number,
): Omit<ReturnFigures, 'drawdown'> => {
  const yearly = Math.sqrt(periodsPerYear);
  const perRisk = (risk: number | null): number | null =>
    risk === null || risk === 0 ? null : (mean / risk) * yearly;
  return {
    volatility: deviation === null ? null : deviation * yearly,
    sharpe: perRisk(deviation),
    sortino: perRisk(downside),
  };
};

/** Computes the statistics of daily returns, annualised by the periods per year. */
export const returnFigures = (stats: EquityStats, periodsPerYear: number): ReturnFigures => {
  const { returns } = stats;
  const sum = decimal(stats.sum);
  // n·Σr² − (Σr)² in decimal is exactly zero if all returns are equal.
  const spread = decimal(stats.sum_of_squares).times(returns).minus(sum.times(sum)).toNumber();
  const deviation = returns < 2 ? null : Math.sqrt(spread / (returns * (returns - 1)));
  const downside = returns === 0 ? null : Math.sqrt(Number(stats.downside) / returns);
  return {
    ...riskFigures({ mean: sum.toNumber() / returns, deviation, downside }, periodsPerYear),
    drawdown: stats.days === 0 ? null : Number(stats.drawdown_ratio),
  };
};

/** Growth of equity, as fractions; null if undefined. */
export interface Growth {
  readonly total_return: number | null;
  /** Compound annual growth rate. */
  readonly cagr: number | null;
}

/** Computes the growth of equity over a number of years. */
export const growthOf = (start: Decimal, equity: Decimal, years: number): Growth => {
  if (start.lte(0)) return { total_return: null, cagr: null };
  // Equity may be negative after a gap. Nobody loses more than all.
  const growth = Math.max(0, equity.div(start).toNumber());
  const cagr = growth ** (1 / years) - 1;
  return {
    total_return: equity.lt(0) ? -1 : equity.minus(start).div(start).toNumber(),
    // The gain of a few days can exceed the range of numbers when extrapolated to a year.
    cagr: Number.isFinite(cagr) ? cagr : null,
  };
};
