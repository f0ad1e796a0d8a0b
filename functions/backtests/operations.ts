import type { Operation } from '../../shared/api/operation.ts';
import { getBacktest } from './get-backtest.ts';
import { getBacktestTrades } from './get-backtest-trades.ts';
import { getBacktests } from './get-backtests.ts';
import { removeBacktest } from './remove-backtest.ts';
import { runBacktest } from './run-backtest.ts';

/** Backtests of rules over stored candles. */
export const backtestsOperations: readonly Operation[] = [
  runBacktest,
  getBacktest,
  getBacktestTrades,
  getBacktests,
  removeBacktest,
];
