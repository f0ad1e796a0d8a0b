import * as z from 'zod';
import { extensionRecord, integer } from '../api/fields.ts';

const figure = z.number().nullable();

/** Figures of a track record, or of a backtest under the same terms. */
export const recordFigures = extensionRecord(
  'RecordFigures',
  z.object({
    total_return_pct: figure,
    cagr_pct: figure,
    volatility_pct: figure,
    max_drawdown_pct: figure,
    sharpe_ratio: figure,
    win_rate_pct: figure,
    trades_count: integer(),
  }),
);
