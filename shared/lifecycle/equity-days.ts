import { asHistory, historyKey } from '../data/books/equity-history.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import { findDeployments, livesInBars, type TradingDeployment } from '../data/deployments/deployments.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { figuresSource } from '../data/strategies/figures-source.ts';
import { changeEverywhere } from '../data/strategies/listings.ts';
import {
  asShare,
  type ReportedShare,
  reportedPerformance,
  shareWrite,
  withShare,
} from '../data/strategies/reported.ts';
import { asStrategy, type Strategy, type StrategyPerformance } from '../data/strategies/strategies.ts';
import { keys } from '../data/table/keys.ts';
import { unlessNewer } from '../data/table/newer-record.ts';
import type { Update, Write } from '../data/table/writes.ts';
import { isReplayedBar } from '../domain/deployments/engines.ts';
import { curveNow } from '../domain/ledger/equity-curve.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { metricsOf, shownMetrics } from '../domain/ledger/metrics.ts';
import { totalsOf } from '../domain/ledger/read-ledger.ts';
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

/** Returns whether figures are of a real market and of the present: neither of the demo market, nor of a replay. */
const isOfPresent = (deployment: TradingDeployment, ledger: Ledger, now: Date): boolean => {
  if (deployment.is_demo) return false;
  return !livesInBars(deployment) || !isReplayedBar(deployment.timeframe, marketTimeOf(ledger), now);
};

/** A deployment with its books, and the strategy that shows them. */
interface Shown {
  readonly deployment: TradingDeployment;
  readonly ledger: Ledger;
  readonly strategy: Strategy;
}

/** Returns the part of a deployment in the reported figures of its strategy. */
const shareOf = ({ deployment, ledger }: Shown): ReportedShare => {
  const { strategy_id, version, currency, starting_capital, mode, is_simulated } = deployment;
  const { total_pnl, trades_count, wins } = totalsOf(ledger);
  return {
    strategy_id,
    version,
    currency,
    capital: starting_capital,
    pnl: total_pnl,
    trades: trades_count,
    wins,
    is_real: mode === 'live' && !is_simulated,
  };
};

/**
 * Returns the writes that add a deployment to the sums of its strategy; undefined if they have it, or it is from before
 * the first publication.
 */
const reportedWrites = (shown: Shown, before: ReportedShare | undefined, now: Date): Write[] | undefined => {
  const { deployment, strategy } = shown;
  const { reported } = strategy;
  if (!reported || Date.parse(deployment.deployed_at) < Date.parse(reported.since)) return undefined;
  const after = shareOf(shown);
  if (before && before.version >= after.version) return undefined;
  const sums = withShare(reported, before, after, now);
  const values = { ':performance': reportedPerformance(sums) };
  const isShown = figuresSource(strategy) === 'reported';
  const card = { update: 'SET performance = :performance', values };
  const own: Update = {
    update: `SET reported = :sums${isShown ? ', performance = :performance' : ''}`,
    condition: 'reported = :reported',
    values: { ...(isShown && values), ':sums': sums, ':reported': reported },
  };
  return [
    shareWrite(deployment.deployment_id, before, after),
    ...(isShown
      ? changeEverywhere(strategy, card, own)
      : [{ key: keys.strategy(strategy.strategy_id), ...own }]),
  ];
};

/**
 * Shows a deployment's performance on the strategy's cards. A published strategy without rules shows the sums over all
 * deployments since its first publication; one that is not published shows its owner one deployment. Trades of the demo
 * market or of a replay do not show.
 */
export const showPerformance = (
  runtime: Runtime,
  deployment: TradingDeployment,
  ledger: Ledger,
  now: Date,
): Promise<void> => {
  if (!isOfPresent(deployment, ledger, now)) return Promise.resolve();
  const { deployment_id } = deployment;
  return retryOnConflict(async () => {
    const [strategyItem, historyItem, shareItem] = await runtime.store.getMany(
      [keys.strategy(deployment.strategy_id), historyKey(deployment_id), keys.reportedShare(deployment_id)],
      { consistent: true },
    );
    const strategy = unlessNewer(() => asStrategy(strategyItem));
    if (!strategy) return;
    const writes = reportedWrites({ deployment, ledger, strategy }, asShare(shareItem), now);
    if (writes) await runtime.store.transact(writes);
    // Others see the track record or the sums, whatever its owner chooses to deploy.
    if (figuresSource(strategy) !== 'own') return;
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
