import * as z from 'zod';
import type { BacktestReport } from '../engine/backtest/report.ts';
import { returnCurve } from '../metrics/return-curve.ts';
import { SUFFICIENT_DAYS } from './sufficient.ts';

const DAY_MS = 86_400_000;

const figure = z.number().nullable();

/** Figures of a record, or of a backtest under the same terms. */
export const recordFiguresSchema = z.object({
  total_return_pct: figure,
  cagr_pct: figure,
  volatility_pct: figure,
  max_drawdown_pct: figure,
  sharpe_ratio: figure,
  win_rate_pct: figure,
  trades_count: z.int(),
});

export type RecordFigures = z.output<typeof recordFiguresSchema>;

export const NO_FIGURES: RecordFigures = {
  total_return_pct: null,
  cagr_pct: null,
  volatility_pct: null,
  max_drawdown_pct: null,
  sharpe_ratio: null,
  win_rate_pct: null,
  trades_count: 0,
};

/** Returns the figures of a report. */
export const figuresIn = ({ statistics }: Pick<BacktestReport, 'statistics'>): RecordFigures =>
  statistics
    ? {
        total_return_pct: statistics.total_return_pct,
        cagr_pct: statistics.cagr_pct,
        volatility_pct: statistics.volatility_pct,
        max_drawdown_pct: statistics.max_drawdown_equity_pct,
        sharpe_ratio: statistics.sharpe_ratio,
        win_rate_pct: statistics.win_rate_pct,
        trades_count: statistics.trades_count,
      }
    : NO_FIGURES;

/** Returns whether a record is long enough for annual figures. Times are in milliseconds since the epoch. */
export const isSufficient = (since: number, until: number): boolean =>
  until - since >= SUFFICIENT_DAYS * DAY_MS;

/** Returns figures without the annual ones, unless the record is long enough. */
export const shownFigures = (figures: RecordFigures, isEnough: boolean): RecordFigures =>
  isEnough ? figures : { ...figures, cagr_pct: null, volatility_pct: null, sharpe_ratio: null };

/** Returns the curve that cards show: returns since the start in percent. */
export const returnsOf = ({ equity }: Pick<BacktestReport, 'equity'>): number[] =>
  returnCurve(equity.map((point) => String(point.equity)));
