import * as z from 'zod';
import { growthOf, returnFigures } from '../metrics/equity-stats.ts';
import { bounded, percent, ratio, tradeFigures } from '../metrics/figures.ts';
import { settledTrades } from '../metrics/trade-stats.ts';
import { decimal, shownFigure, toMoney } from '../money.ts';
import type { Account } from './account.ts';
import { equityNow } from './days.ts';
import { daysOf, type Ledger } from './ledger-state.ts';

/** Increases when a definition below changes, so that figures of different meaning are not compared. */
const METRICS_VERSION = 2;

const figure = z.number().nullable();

/** Statistics of a deployment; null if undefined. Amounts are rounded to the currency's minor unit. */
export const metricsSchema = z.object({
  total_return_pct: figure,
  cagr_pct: figure,
  volatility_pct: figure,
  sharpe_ratio: figure,
  sortino_ratio: figure,
  max_drawdown_pct: figure,
  max_drawdown_abs: figure,
  max_drawdown_equity_pct: figure,
  calmar_ratio: figure,
  win_rate_pct: figure,
  trades_count: z.int(),
  wins: z.int(),
  losses: z.int(),
  breakeven: z.int(),
  profit_factor: figure,
  avg_win: figure,
  avg_loss: figure,
  payoff_ratio: figure,
  expectancy: figure,
  expectancy_ratio: figure,
  largest_win: figure,
  largest_loss: figure,
  max_consecutive_wins: z.int(),
  max_consecutive_losses: z.int(),
  avg_duration_s: figure,
  exposure_pct: figure,
  recovery_factor: figure,
  period_start: z.iso.datetime(),
  period_end: z.iso.datetime(),
  sample_sufficient: z.boolean(),
  metrics_version: z.int(),
});

export type Metrics = z.output<typeof metricsSchema>;

const exposure = (account: Account, from: number, to: number): number | null => {
  if (to <= from) return null;
  const open = account.exposed_since === null ? 0 : Math.max(0, to - account.exposed_since);
  return Math.min(1, (account.exposed_ms + open) / (to - from));
};

const YEAR_MS = 365 * 86_400_000;
/** Shortest period, in years, from which growth is extrapolated: one day. */
const SHORTEST_YEARS = 1 / 365;

/**
 * Computes the statistics of a deployment. Returns are those of daily equity, including open positions and the current
 * day. Wins, `max_drawdown_pct` and similar figures are those of closed trades, net of fees and swap. Figures that an
 * open position without a price leaves unknown are null.
 *
 * @param at end of the period: now, or when the deployment stopped.
 */
export const metricsOf = (ledger: Ledger, at: string, currency: string): Metrics => {
  const { head, started_at } = ledger;
  const stats = settledTrades(head.trades);
  const now = equityNow(ledger, Date.parse(at));
  const returns = returnFigures(now.stats, daysOf(ledger).perYear);
  const years = Math.max(SHORTEST_YEARS, (Date.parse(at) - started_at) / YEAR_MS);
  const growth = now.equity && growthOf(decimal(ledger.starting_capital), now.equity, years);
  const hasTrades = stats.count > 0;
  return {
    total_return_pct: percent(growth?.total_return ?? null),
    cagr_pct: percent(growth?.cagr ?? null),
    volatility_pct: percent(returns.volatility),
    sharpe_ratio: returns.sharpe === null ? null : bounded(returns.sharpe),
    sortino_ratio: returns.sortino === null ? null : bounded(returns.sortino),
    max_drawdown_pct: hasTrades ? percent(Number(stats.drawdown_ratio)) : null,
    max_drawdown_abs: hasTrades ? toMoney(stats.drawdown, currency) : null,
    max_drawdown_equity_pct: percent(returns.drawdown),
    calmar_ratio: ratio(growth?.cagr ?? null, returns.drawdown),
    ...tradeFigures(stats, currency),
    exposure_pct: percent(exposure(head, started_at, Date.parse(at))),
    period_start: new Date(started_at).toISOString(),
    period_end: at,
    metrics_version: METRICS_VERSION,
  };
};

const AMOUNTS: ReadonlySet<string> = new Set([
  'max_drawdown_abs',
  'avg_win',
  'avg_loss',
  'expectancy',
  'largest_win',
  'largest_loss',
]);

/** Rounds figures for the wire: amounts are rounded already, other figures get six decimals. */
export const shownMetrics = (metrics: Metrics): Metrics =>
  metricsSchema.parse(
    Object.fromEntries(
      Object.entries(metrics).map(([name, value]) => [
        name,
        typeof value === 'number' && !AMOUNTS.has(name) ? shownFigure(value) : value,
      ]),
    ),
  );
