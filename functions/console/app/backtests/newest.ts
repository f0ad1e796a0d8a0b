import type { BacktestItem, BacktestSummary } from '../../../../infra/client/package/src/index.ts';

/** Backtest that has figures. */
type DoneBacktest = BacktestItem & { readonly summary: BacktestSummary };

const hasFigures = (backtest: BacktestItem): backtest is DoneBacktest =>
  backtest.status === 'done' && backtest.summary !== null;

/** Returns the newest backtest with figures of a list that begins with the newest. */
export const newestDone = (backtests: readonly BacktestItem[]): DoneBacktest | undefined =>
  backtests.find(hasFigures);
