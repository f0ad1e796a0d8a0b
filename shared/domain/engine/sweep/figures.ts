import * as z from 'zod';
import type { BacktestStatistics } from '../backtest/statistics.ts';

const figure = z.number().nullable();

/** Figures of a combination over one of the two samples, as stored and answered. */
export const figuresSchema = z
  .object({
    total_return_pct: figure,
    cagr_pct: figure,
    sharpe_ratio: figure,
    sortino_ratio: figure,
    calmar_ratio: figure,
    max_drawdown_equity_pct: figure,
    win_rate_pct: figure,
    profit_factor: figure,
    expectancy_pct: figure,
    sqn: figure,
    exposure_pct: figure,
    trades_count: z.number().meta({ type: 'integer' }),
    final_equity: z.number(),
  })
  .meta({ id: 'SweepFigures', 'x-extension': true });

export type SweepFigures = z.output<typeof figuresSchema>;

/** Returns the figures of a backtest that a sweep compares; null if it had no bars. */
export const figuresOf = (statistics: BacktestStatistics | null): SweepFigures | null =>
  statistics && {
    total_return_pct: statistics.total_return_pct,
    cagr_pct: statistics.cagr_pct,
    sharpe_ratio: statistics.sharpe_ratio,
    sortino_ratio: statistics.sortino_ratio,
    calmar_ratio: statistics.calmar_ratio,
    max_drawdown_equity_pct: statistics.max_drawdown_equity_pct,
    win_rate_pct: statistics.win_rate_pct,
    profit_factor: statistics.profit_factor,
    expectancy_pct: statistics.expectancy_pct,
    sqn: statistics.sqn,
    exposure_pct: statistics.exposure_pct,
    trades_count: statistics.trades_count,
    final_equity: statistics.final_equity,
  };

/** Figures by which combinations can be ranked. Less is better only of drawdowns. */
export const RANK_FIGURES = [
  'sharpe_ratio',
  'sortino_ratio',
  'calmar_ratio',
  'total_return_pct',
  'cagr_pct',
  'profit_factor',
  'win_rate_pct',
  'expectancy_pct',
  'sqn',
  'max_drawdown_equity_pct',
] as const satisfies readonly (keyof SweepFigures)[];

export type RankFigure = (typeof RANK_FIGURES)[number];

/** Returns the figure by which a combination is ranked; null without closed trades, which rank last. */
export const rankFigure = (figures: SweepFigures | null, rankBy: RankFigure): number | null =>
  figures && figures.trades_count > 0 ? figures[rankBy] : null;

/** Compares two figures: negative if the left one is better. Missing ones come last. */
export const compareFigures = (left: number | null, right: number | null, rankBy: RankFigure): number => {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return rankBy === 'max_drawdown_equity_pct' ? left - right : right - left;
};
