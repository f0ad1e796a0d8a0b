import type { Deployment, TradingDeployment } from '../../data/deployments/deployments.ts';
import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import { judge, nearOrders } from '../../domain/risk/check-book.ts';
import { dayStart, equityAmount, equityOf, type Marks } from '../../domain/risk/equity.ts';
import { limitsLoss, type MergedLimits } from '../../domain/risk/limits.ts';
import { nearLosses } from '../../domain/risk/losses.ts';
import {
  moveTo,
  type RiskState,
  raisePeak,
  riskDayOf,
  startDay,
  startRisk,
  withBaseline,
} from '../../domain/risk/state.ts';
import type { Usage } from '../../domain/risk/usage.ts';

/** Computes the state, and the use of the limits that are nearly reached, after a change of the books. */
export const usagesOf = (
  limits: MergedLimits,
  before: RiskState,
  ledger: Ledger,
  at: number,
  marks?: Marks,
): { readonly state: RiskState; readonly usages: Usage[] } => {
  const moved = moveTo(before, at);
  const orders = nearOrders(limits, moved, at);
  if (!limitsLoss(limits)) return { state: moved, usages: orders };
  const value = { at, equity: equityAmount(ledger, marks), day_start: dayStart(ledger, at) };
  const based = withBaseline(moved, value.equity);
  const usages = [...nearLosses(limits, based, value), ...orders];
  return {
    state: limits.drawdown_pct === undefined ? based : raisePeak(based, value.equity),
    usages,
  };
};

/**
 * Begins the day of a bar for a deployment that the hub runs: at the equity before the bar, which the ledger knows only
 * once the day before is closed.
 *
 * @param ledger before the bar.
 * @param marks prices before the bar.
 */
export const withDay = <D extends Deployment>(deployment: D, ledger: Ledger, at: number, marks: Marks): D => {
  if (deployment.kind !== 'live' || !deployment.limits || !deployment.risk) return deployment;
  const risk = startDay(deployment.risk, at, () => equityOf(ledger, marks));
  return risk === deployment.risk ? deployment : { ...deployment, risk };
};

/** Returns whether a close concerns the owner: a loss limit is reached, or most of one is used. */
export const concernsLimits = (
  { limits, risk }: Pick<TradingDeployment, 'limits' | 'risk'>,
  ledger: Ledger,
  at: number,
  marks: Marks,
): boolean => {
  if (!limits || !limitsLoss(limits.merged)) return false;
  // The equity before the first bar of a day is noted.
  if (risk && riskDayOf(risk, at) > risk.day) return true;
  const { state, usages } = usagesOf(limits.merged, risk ?? startRisk(ledger, at), ledger, at, marks);
  if (state.baseline !== risk?.baseline) return true;
  const { warnings, tripped } = judge(state, usages);
  return tripped !== undefined || warnings.length > 0;
};
