import * as z from 'zod';
import { add, type Decimal, decimal, decimalText, toText } from './money.ts';

/** Daily returns are kept to this many decimals, so their sums are exact in whatever order they are added. */
const RETURN_DECIMALS = 15;

/** What is kept of daily equity, enough for every statistic of it: its size does not grow. */
export const equityStatsSchema = z.object({
  start: decimalText,
  last: decimalText,
  /** Days closed, and those of them that have a return: after a day without equity there is none. */
  days: z.int(),
  returns: z.int(),
  sum: decimalText,
  sum_of_squares: decimalText,
  /** Σ min(return, 0)². */
  downside: decimalText,
});

export type EquityStats = z.output<typeof equityStatsSchema>;

export const noEquity = (startingCapital: string): EquityStats => ({
  start: startingCapital,
  last: startingCapital,
  days: 0,
  returns: 0,
  sum: '0',
  sum_of_squares: '0',
  downside: '0',
});

/** Adds the equity at the end of the next trading day. */
export const addEquity = (stats: EquityStats, equity: Decimal): EquityStats => {
  const closed = { ...stats, last: toText(equity), days: stats.days + 1 };
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

/** Statistics of the daily returns; null where they are undefined. */
export interface ReturnFigures {
  readonly total_return: number | null;
  readonly cagr: number | null;
  readonly volatility: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
}

const moments = (stats: EquityStats, periodsPerYear: number) => {
  const { returns } = stats;
  const yearly = Math.sqrt(periodsPerYear);
  const sum = decimal(stats.sum);
  // n·Σr² − (Σr)² in decimal: exactly zero for returns that are all the same.
  const spread = decimal(stats.sum_of_squares).times(returns).minus(sum.times(sum)).toNumber();
  const deviation = returns < 2 ? null : Math.sqrt(spread / (returns * (returns - 1)));
  const downside = returns === 0 ? null : Math.sqrt(Number(stats.downside) / returns);
  const perRisk = (risk: number | null): number | null =>
    risk === null || risk === 0 ? null : (sum.toNumber() / returns / risk) * yearly;
  return {
    volatility: deviation === null ? null : deviation * yearly,
    sharpe: perRisk(deviation),
    sortino: perRisk(downside),
  };
};

/** Figures as fractions, not percent. */
export const returnFigures = (stats: EquityStats, periodsPerYear: number): ReturnFigures => {
  const start = decimal(stats.start);
  if (stats.days === 0 || start.lte(0)) {
    return { total_return: null, cagr: null, ...moments(stats, periodsPerYear) };
  }
  const growth = decimal(stats.last).div(start).toNumber();
  const cagr = growth ** (periodsPerYear / stats.days) - 1;
  return {
    total_return: decimal(stats.last).minus(start).div(start).toNumber(),
    // A few days' gain can grow beyond all numbers in a year.
    cagr: Number.isFinite(cagr) ? cagr : null,
    ...moments(stats, periodsPerYear),
  };
};
