import { unpackLedger } from '../../data/books/packed-ledger.ts';
import type { TradingDeployment } from '../../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { judge } from '../../domain/risk/check-book.ts';
import { countOrder, settleEntry, startRisk } from '../../domain/risk/state.ts';
import type { Effect } from '../effect.ts';
import { warningText } from '../risk-texts.ts';
import { usagesOf } from './judge-losses.ts';
import { judgeOrder, type Reported } from './judge-order.ts';
import { breachOf, stopOf, stoppedBy } from './stop-at-limit.ts';

/**
 * Checks a report of an engine or a broker, or the close of a bar of a deployment with real orders, against the risk
 * limits. A limit that is exceeded stops the deployment in the same transaction, and tells the engine. Costs nothing
 * without limits.
 */
export const checkReport = (effect: Effect, reported: Reported, now: Date): Effect => {
  const { deployment, ledger, order } = effect;
  if (deployment.kind !== 'live' || !deployment.limits || !ledger) return effect;
  if (isFinalDeploymentStatus(deployment.status)) return effect;
  const { merged: limits } = deployment.limits;
  const { at, marks } = reported;
  const first = deployment.risk ?? startRisk(ledger, at);
  const judged = order
    ? judgeOrder(limits, first, order, ledger, reported)
    : { state: first, exceeded: undefined };
  const { state: counted, usages } = usagesOf(limits, judged.state, ledger, at, marks);
  const { state, warnings, tripped } = judge(counted, usages);
  const breach = first.tripped ? undefined : breachOf(judged.exceeded, tripped, deployment.currency);
  const under = state === deployment.risk ? deployment : { ...deployment, risk: state };
  if (breach) {
    return stoppedBy(effect, under, breach, stopOf(under, limits), { at, now });
  }
  if (under === deployment && warnings.length === 0) return effect;
  return {
    ...effect,
    deployment: under,
    notifications: [...effect.notifications, ...warnings.map((usage) => warningText(deployment, usage))],
  };
};

/** Report of an account of the hub's engine. */
interface AccountOrder {
  readonly client_order_id: string;
  readonly at: number;
  readonly isEntry: boolean;
  readonly isNew: boolean;
  readonly isFinal: boolean;
}

/** Counts a report of an account of the hub's engine. An entry counts when it is placed. */
export const countReport = (deployment: TradingDeployment, order: AccountOrder): TradingDeployment => {
  if (!deployment.limits) return deployment;
  const before = deployment.risk ?? startRisk(unpackLedger(deployment.ledger), order.at);
  if (order.isEntry) {
    const state = order.isFinal ? settleEntry(before, order.client_order_id) : before;
    return state === deployment.risk ? deployment : { ...deployment, risk: state };
  }
  return order.isNew ? { ...deployment, risk: countOrder(before, order.at) } : deployment;
};
