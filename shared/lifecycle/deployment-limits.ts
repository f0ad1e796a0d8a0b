import { unpackLedger } from '../data/books/packed-ledger.ts';
import { livesInBars, type TradingDeployment } from '../data/deployments/deployments.ts';
import type { TradeMode } from '../data/deployments/trading-record.ts';
import type { User } from '../data/users/users.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { storedAmount } from '../domain/risk/amount.ts';
import { equityAmount } from '../domain/risk/equity.ts';
import { type Limits, limitsOf } from '../domain/risk/limits.ts';
import { raisePeak, rearm, startRisk } from '../domain/risk/state.ts';

type Levels = Pick<User, 'plan' | 'limits' | 'limits_rev'>;
type LimitFields = Pick<TradingDeployment, 'limits' | 'risk'>;

/** Returns the risk limits that a new deployment begins with; nothing if no level sets any. */
export const startLimits = (mode: TradeMode, user: Levels, ledger: Ledger): LimitFields => {
  const limits = limitsOf(mode, user, undefined);
  if (!limits) return {};
  return {
    limits,
    risk: raisePeak(startRisk(ledger, ledger.started_at), storedAmount(ledger.starting_capital)),
  };
};

/** Returns the time of a deployment: of its last bar, if it lives in bars. */
export const riskTime = (deployment: TradingDeployment, ledger: Ledger, now: Date): number =>
  livesInBars(deployment) ? Math.max(ledger.started_at, Date.parse(deployment.updated_at)) : now.getTime();

/**
 * Returns a deployment under other limits: of its own, or those of its user as they are now. Losses that a limit is the
 * first to concern count from now on; other counts stay.
 */
export const withLimits = (
  deployment: TradingDeployment,
  user: Levels,
  now: Date,
  own?: Limits,
): TradingDeployment => {
  const { limits: before, risk } = deployment;
  const limits = limitsOf(deployment.mode, user, before, own);
  if (!limits) return deployment;
  const ledger = unpackLedger(deployment.ledger);
  const state = risk ?? startRisk(ledger, riskTime(deployment, ledger, now));
  const isNew = before?.merged.drawdown_pct === undefined && limits.merged.drawdown_pct !== undefined;
  const { peak: _, ...others } = state;
  return { ...deployment, limits, risk: isNew ? raisePeak(others, equityAmount(ledger)) : state };
};

/**
 * Returns a deployment that goes on after a limit stopped it: losses count from its present equity.
 *
 * @param user whose limits, as they are now, are taken over; undefined keeps those of the deployment.
 */
export const rearmed = (
  deployment: TradingDeployment,
  user: User | undefined,
  now: Date,
): TradingDeployment => {
  const refreshed = user && deployment.limits ? withLimits(deployment, user, now) : deployment;
  const { risk } = refreshed;
  if (!risk?.tripped) return refreshed;
  const at = riskTime(deployment, unpackLedger(deployment.ledger), now);
  return { ...refreshed, risk: rearm(risk, at) };
};
