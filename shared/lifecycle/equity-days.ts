import { endedDeploymentWrite } from '../data/books/active-deployments.ts';
import { asHistory, historyKey, historyWrite } from '../data/books/equity-history.ts';
import { unpackLedger } from '../data/books/packed-ledger.ts';
import { isExposed, summaryOf } from '../data/books/summary.ts';
import { findDeployments, type TradingDeployment } from '../data/deployments/deployments.ts';
import { changeEverywhere } from '../data/strategies/listings.ts';
import { findStrategies, type StrategyPerformance } from '../data/strategies/strategies.ts';
import { retryOnConflict } from '../data/table/retry.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { closeDays } from '../domain/ledger/days.ts';
import { dueRollovers } from '../domain/ledger/ledger-rollovers.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { metricsOf, shownMetrics } from '../domain/metrics/metrics.ts';
import { type Day, dayOf } from '../domain/periods.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import { withLedger } from './order-change.ts';

/** When a deployment had stopped and the last entry was made in its books; undefined where something is open. */
const endOf = (deployment: TradingDeployment, ledger: Ledger): number | undefined =>
  isFinalDeploymentStatus(deployment.status) &&
  deployment.stopped_at !== undefined &&
  !isExposed(summaryOf(deployment, ledger))
    ? Math.max(Date.parse(deployment.stopped_at), ledger.head.at)
    : undefined;

/**
 * Whether nothing can happen to the books any more: it has ended, is flat, its last day is closed, and no
 * rollover is left to charge for.
 */
const isSettled = (deployment: TradingDeployment, ledger: Ledger, through: Day): boolean => {
  const end = endOf(deployment, ledger);
  if (end === undefined || dayOf(end) > through) return false;
  return ledger.rollovers === undefined || dueRollovers(ledger, dayOf(end)).length === 0;
};

/** When the figures of a deployment end: now, or when it had stopped and was flat. */
export const figuresEnd = (deployment: TradingDeployment, ledger: Ledger, now: Date): string =>
  new Date(endOf(deployment, ledger) ?? now).toISOString();

const performanceOf = (deployment: TradingDeployment, ledger: Ledger, now: Date): StrategyPerformance => {
  const metrics = shownMetrics(metricsOf(ledger, figuresEnd(deployment, ledger, now), deployment.currency));
  return {
    total_return_pct: metrics.total_return_pct,
    cagr_pct: metrics.cagr_pct,
    max_drawdown_pct: metrics.max_drawdown_pct,
    sharpe_ratio: metrics.sharpe_ratio,
    win_rate_pct: metrics.win_rate_pct,
    trades_count: metrics.trades_count,
    mode: deployment.mode,
    as_of: now.toISOString(),
    deployment_id: deployment.deployment_id,
  };
};

/** Real trading tells more than trading on paper, and more trades tell more than fewer. */
const tellsMore = (found: StrategyPerformance, shown: StrategyPerformance): boolean => {
  // A late event may have taken trades back.
  if (found.deployment_id === shown.deployment_id) return (found.as_of ?? '') >= (shown.as_of ?? '');
  if (found.trades_count === 0) return false;
  if (shown.mode === null || found.mode === shown.mode) return found.trades_count >= shown.trades_count;
  return found.mode === 'live';
};

/** Shows what a deployment has come to on the strategy's cards, where no other one tells more. */
const showPerformance = (
  runtime: Runtime,
  deployment: TradingDeployment,
  ledger: Ledger,
  now: Date,
): Promise<void> =>
  retryOnConflict(async () => {
    const performance = performanceOf(deployment, ledger, now);
    const [strategy] = await findStrategies(runtime.store, [deployment.strategy_id]);
    if (!strategy || !tellsMore(performance, strategy.performance)) return;
    const change = { update: 'SET performance = :performance', values: { ':performance': performance } };
    await runtime.store.transact(changeEverywhere(strategy, change));
  });

/** Shows what a deployment has come to by now on the strategy's cards, such as after a trade. */
export const refreshPerformance = async (runtime: Runtime, deploymentId: number): Promise<void> => {
  const now = runtime.clock();
  const [deployment] = await findDeployments(runtime.store, [deploymentId]);
  if (deployment?.kind !== 'live') return;
  await showPerformance(runtime, deployment, unpackLedger(deployment.ledger), now);
};

/**
 * Closes the days of a deployment up to `through`, and shows on the strategy's cards what it has come to.
 * Repeating it changes nothing.
 */
export const closeEquityDays = async (
  runtime: Runtime,
  deploymentId: number,
  through: Day,
): Promise<void> => {
  let done = false;
  let closed: { readonly deployment: TradingDeployment; readonly ledger: Ledger } | undefined;
  while (!done) {
    done = true;
    await changeDeployment(
      runtime,
      deploymentId,
      (deployment, _now, [item]) => {
        if (deployment?.kind !== 'live') return undefined;
        const before = unpackLedger(deployment.ledger);
        const known = asHistory(item, before);
        const days = closeDays(before, known, through);
        done = days.done;
        const { ledger, history } = days;
        const settled = isSettled(deployment, ledger, through);
        if (ledger === before && !settled) return undefined;
        closed = { deployment, ledger };
        return {
          deployment: withLedger(deployment, ledger),
          ledger,
          told: [],
          writes: [
            // Read in a batch that is no snapshot: what is not changed is not written over.
            ...(history === known ? [] : [historyWrite(deploymentId, history)]),
            ...(settled ? [endedDeploymentWrite(deploymentId)] : []),
          ],
        };
      },
      [historyKey(deploymentId)],
    );
  }
  if (closed) await showPerformance(runtime, closed.deployment, closed.ledger, runtime.clock());
};
