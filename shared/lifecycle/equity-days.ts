import { asHistory, historyKey } from '../data/books/equity-history.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import { findDeployments, livesInBars, type TradingDeployment } from '../data/deployments/deployments.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { figuresSource } from '../data/strategies/figures-source.ts';
import { changeEverywhere } from '../data/strategies/listings.ts';
import { asStrategy, type StrategyPerformance } from '../data/strategies/strategies.ts';
import { keys } from '../data/table/keys.ts';
import { unlessNewer } from '../data/table/newer-record.ts';
import { isReplayedBar } from '../domain/deployments/engines.ts';
import { curveNow } from '../domain/ledger/equity-curve.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { metricsOf, shownMetrics } from '../domain/ledger/metrics.ts';
import type { History } from '../domain/metrics/equity-history.ts';
import { returnCurve } from '../domain/metrics/return-curve.ts';
import type { Runtime } from '../runtime.ts';
import { figuresEnd, marketTimeOf } from './figures-end.ts';

const performanceOf = (
  deployment: TradingDeployment,
  ledger: Ledger,
  settled: History,
  now: Date,
): StrategyPerformance => {
  const end = figuresEnd(deployment, ledger, now);
  const metrics = shownMetrics(metricsOf(ledger, end, deployment.currency));
  const { curve } = curveNow(ledger, settled, end);
  return {
    total_return_pct: metrics.total_return_pct,
    cagr_pct: metrics.cagr_pct,
    max_drawdown_pct: metrics.max_drawdown_pct,
    sharpe_ratio: metrics.sharpe_ratio,
    win_rate_pct: metrics.win_rate_pct,
    trades_count: metrics.trades_count,
    mode: deployment.is_simulated ? 'virtual' : deployment.mode,
    as_of: now.toISOString(),
    period_start: metrics.period_start,
    returns_pct: returnCurve(curve.map(([, equity]) => equity)),
    deployment_id: deployment.deployment_id,
  };
};

/** Returns whether performance replaces what is shown: real trading precedes paper trading, then more trades. */
const replaces = (found: StrategyPerformance, shown: StrategyPerformance): boolean => {
  // The same deployment always replaces its older figures: a late event may have removed trades.
  if (found.deployment_id === shown.deployment_id) return (found.as_of ?? '') >= (shown.as_of ?? '');
  if (found.trades_count === 0) return false;
  if (shown.mode === null || found.mode === shown.mode) return found.trades_count >= shown.trades_count;
  return found.mode === 'live';
};

/**
 * Returns whether figures are of a real market and of the present: neither of the demo market, nor of a replay, nor of
 * prices that the owner chose.
 */
const isOfPresent = (deployment: TradingDeployment, ledger: Ledger, now: Date): boolean => {
  if (deployment.is_demo || deployment.own_prices) return false;
  return !livesInBars(deployment) || !isReplayedBar(deployment.timeframe, marketTimeOf(ledger), now);
};

/**
 * Shows a deployment's performance on the strategy's cards, unless another deployment takes precedence. Trades of the demo
 * market, of a replay or at prices of the owner do not show.
 */
export const showPerformance = (
  runtime: Runtime,
  deployment: TradingDeployment,
  ledger: Ledger,
  now: Date,
): Promise<void> => {
  if (!isOfPresent(deployment, ledger, now)) return Promise.resolve();
  return retryOnConflict(async () => {
    const [strategyItem, historyItem] = await runtime.store.getMany(
      [keys.strategy(deployment.strategy_id), historyKey(deployment.deployment_id)],
      { consistent: true },
    );
    const strategy = unlessNewer(() => asStrategy(strategyItem));
    if (!strategy) return;
    // The track record of a published strategy shows, whatever its owner deploys.
    if (figuresSource(strategy) === 'record') return;
    const performance = performanceOf(deployment, ledger, asHistory(historyItem, ledger), now);
    if (!replaces(performance, strategy.performance)) return;
    const change = { update: 'SET performance = :performance', values: { ':performance': performance } };
    await runtime.store.transact(changeEverywhere(strategy, change));
  });
};

/** Updates the performance on the strategy's cards from a deployment, for example after a trade. */
export const refreshPerformance = async (runtime: Runtime, deploymentId: number): Promise<void> => {
  const now = runtime.clock();
  const [deployment] = await findDeployments(runtime.store, [deploymentId]);
  if (deployment?.kind !== 'live') return;
  await showPerformance(runtime, deployment, unpackLedger(deployment.ledger), now);
};
