import * as z from 'zod';
import { integer } from '../../../shared/api/fields.ts';
import { BACKTEST_STATUSES, type Backtest } from '../../../shared/data/backtests/backtests.ts';
import { CANDLE_OWNERS } from '../../../shared/domain/engine/backtest/setup.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

/** Fields that backtests and sweeps have in common: the strategy, the state and the market. */
export const runStateFields = {
  strategy_id: integer().nullable(),
  status: z.enum(BACKTEST_STATUSES),
  progress: z.number(),
  error: z.string().nullable(),
  symbol: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  candles: z.enum(CANDLE_OWNERS),
  rules_hash: z.string(),
};

type RunState = Pick<
  Backtest,
  'strategy_id' | 'status' | 'progress' | 'error' | 'symbols' | 'timeframe' | 'candles' | 'rules_hash'
>;

/** Presents the common fields of a backtest or sweep. */
export const presentRunState = (run: RunState) => ({
  strategy_id: run.strategy_id ?? null,
  status: run.status === 'removed' ? ('failed' as const) : run.status,
  progress: run.progress,
  error: run.error ?? null,
  symbol: run.symbols.join(','),
  symbols: run.symbols,
  timeframe: run.timeframe,
  candles: run.candles,
  rules_hash: run.rules_hash,
});
