import { growthOf, riskFigures } from '../../metrics/equity-stats.ts';
import { bounded, percent, ratio, tradeFigures } from '../../metrics/figures.ts';
import { decimal } from '../../money.ts';
import type { Curve } from './curve/state.ts';
import { type Tally, tradeStatsOf } from './tally.ts';

const YEAR_MS = 365 * 86_400_000;
const SHORTEST_YEARS = 1 / 365;

/** Facts that statistics need in addition to the sums. */
export interface StatisticsFacts {
  readonly currency: string;
  readonly periodsPerYear: number;
  readonly exposedBars: number;
  /** Bars of all symbols together. */
  readonly bars: number;
  /** Growth of buying before the first evaluated bar and holding; null if no bar was evaluated. */
  readonly buyAndHold: number | null;
  /** Bars that left a fill open: those decided against the trader, and those that smaller bars decided. */
  readonly ambiguousBars: number;
  readonly resolvedBars: number;
}

/** Part of the values below which their deviation is that of rounding: equal values. */
const ROUNDING = 1e-12;

/** Returns the sample deviation; zero if values differ by rounding only. @param scale size of the values. */
const deviationOf = (squares: number, count: number, scale: number): number => {
  const deviation = Math.sqrt(squares / (count - 1));
  return deviation <= ROUNDING * scale ? 0 : deviation;
};

const riskOf = (curve: Curve, periodsPerYear: number) => {
  const { returns, mean, squares, downside } = curve;
  return riskFigures(
    {
      mean,
      // Returns are parts of equity, so that even tiny ones are differences of values near 1.
      deviation: returns < 2 ? null : deviationOf(squares, returns, 1),
      downside: returns === 0 ? null : Math.sqrt(downside / returns),
    },
    periodsPerYear,
  );
};

const growthFigures = (curve: Curve) => {
  const years = Math.max(SHORTEST_YEARS, (curve.lastAt - curve.firstAt) / YEAR_MS);
  return growthOf(decimal(curve.start), decimal(curve.equity), years);
};

/** √n · mean / standard deviation of the results. */
const qualityNumber = ({ count, mean, squares }: Tally): number | null =>
  count < 2 ? null : ratio(Math.sqrt(count) * mean, deviationOf(squares, count, Math.abs(mean)));

/** Part of the capital that maximises growth: wins − (1 − wins) · mean loss / mean win. */
const kelly = ({ count, wins, losses, won, lost }: Tally): number | null => {
  if (wins === 0 || losses === 0) return null;
  const rate = wins / count;
  return rate - (1 - rate) * (-lost / losses / (won / wins));
};

const returnFigures = (tally: Tally) => {
  const { count, best, worst, returns, growth } = tally;
  if (count === 0) {
    return { best_trade_pct: null, worst_trade_pct: null, avg_trade_pct: null, expectancy_pct: null };
  }
  return {
    best_trade_pct: percent(best),
    worst_trade_pct: percent(worst),
    avg_trade_pct: worst <= -1 ? null : percent(Math.expm1(growth / count)),
    expectancy_pct: percent(returns / count),
  };
};

/**
 * Computes the statistics of a backtest: those of deployments, and figures per bar and per trade. Null if undefined.
 * Amounts of trades are rounded to the currency's minor unit.
 */
export const statisticsOf = (curve: Curve, tally: Tally, facts: StatisticsFacts) => {
  const risk = riskOf(curve, facts.periodsPerYear);
  const growth = growthFigures(curve);
  const stats = tradeStatsOf(tally);
  const figures = tradeFigures(stats, facts.currency);
  const { count } = stats;
  return {
    total_return_pct: percent(growth.total_return),
    cagr_pct: percent(growth.cagr),
    volatility_pct: percent(risk.volatility),
    sharpe_ratio: risk.sharpe === null ? null : bounded(risk.sharpe),
    sortino_ratio: risk.sortino === null ? null : bounded(risk.sortino),
    calmar_ratio: ratio(growth.cagr, curve.maxDepth),
    max_drawdown_pct: count > 0 ? percent(Number(stats.drawdown_ratio)) : null,
    max_drawdown_abs: count > 0 ? Number(stats.drawdown) : null,
    max_drawdown_equity_pct: percent(curve.maxDepth),
    avg_drawdown_pct: curve.drawdowns === 0 ? null : percent(curve.depths / curve.drawdowns),
    max_drawdown_s: curve.drawdowns === 0 ? null : curve.longestMs / 1000,
    final_equity: curve.equity,
    equity_peak: curve.peak,
    buy_and_hold_pct: percent(facts.buyAndHold),
    exposure_pct: facts.bars === 0 ? null : percent(facts.exposedBars / facts.bars),
    ...figures,
    ...returnFigures(tally),
    sqn: qualityNumber(tally),
    kelly: kelly(tally),
    fees: tally.fees,
    ambiguous_bars: facts.ambiguousBars,
    resolved_bars: facts.resolvedBars,
    period_start: new Date(curve.firstAt).toISOString(),
    period_end: new Date(curve.lastAt).toISOString(),
  };
};

export type BacktestStatistics = ReturnType<typeof statisticsOf>;
