import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { Backtest } from '../../../shared/data/backtests/backtests.ts';
import { presentRunState, runStateFields } from './run-state.ts';

/** Fields that a backtest has in lists, too. */
export const backtestIdentityFields = {
  backtest_id: integer(),
  backtest_name: z.string().nullable(),
  ...runStateFields,
  created_at: timestamp(),
  finished_at: timestamp().nullable(),
};

const summaryOut = extensionRecord(
  'BacktestSummary',
  z.object({
    total_return_pct: z.number().nullable(),
    max_drawdown_equity_pct: z.number().nullable(),
    sharpe_ratio: z.number().nullable(),
    win_rate_pct: z.number().nullable(),
    trades_count: integer(),
    final_equity: z.number(),
  }),
);

/** Backtest as lists show it. */
export const backtestItemOut = extensionRecord(
  'BacktestItem',
  z.object({ ...backtestIdentityFields, summary: summaryOut.nullable() }),
);

/** Presents the fields that a backtest has in lists, too. */
export const presentBacktestIdentity = (
  backtest: Backtest,
): Omit<z.output<typeof backtestItemOut>, 'summary'> => ({
  backtest_id: backtest.backtest_id,
  backtest_name: backtest.backtest_name ?? null,
  ...presentRunState(backtest),
  created_at: backtest.created_at,
  finished_at: backtest.finished_at ?? null,
});

/** Presents a backtest in a list. */
export const presentBacktestItem = (backtest: Backtest): z.output<typeof backtestItemOut> => ({
  ...presentBacktestIdentity(backtest),
  summary: backtest.summary,
});
