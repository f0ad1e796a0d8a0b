import type { Operation } from '../../shared/api/operation.ts';
import { chartRules } from './chart-rules.ts';
import { exportTrackRecord } from './export-track-record.ts';
import { getAuthorRecords } from './get-author-records.ts';
import { getBacktest } from './get-backtest.ts';
import { getBacktestTrades } from './get-backtest-trades.ts';
import { getBacktests } from './get-backtests.ts';
import { getParity } from './get-parity.ts';
import { getSweep } from './get-sweep.ts';
import { getSweeps } from './get-sweeps.ts';
import { getTrackRecord } from './get-track-record.ts';
import { getOwnCandles } from './own-candles/get-own-candles.ts';
import { importOwnCandles } from './own-candles/import-own-candles.ts';
import { removeOwnCandles } from './own-candles/remove-own-candles.ts';
import { removeBacktest } from './remove-backtest.ts';
import { removeSweep } from './remove-sweep.ts';
import { runBacktest } from './run-backtest.ts';
import { sweepStrategy } from './sweep-strategy.ts';
import { updateBacktest } from './update-backtest.ts';

/** Backtests of rules over stored candles, and sweeps over their parameters. */
export const backtestsOperations: readonly Operation[] = [
  runBacktest,
  chartRules,
  getBacktest,
  getBacktestTrades,
  getBacktests,
  updateBacktest,
  removeBacktest,
  getParity,
  sweepStrategy,
  getSweep,
  getSweeps,
  removeSweep,
  importOwnCandles,
  getOwnCandles,
  removeOwnCandles,
  getTrackRecord,
  exportTrackRecord,
  getAuthorRecords,
];
