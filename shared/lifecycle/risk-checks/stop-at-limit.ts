import { unpackLedger } from '../../data/books/packed-ledger.ts';
import { isHubRun, type TradingDeployment } from '../../data/deployments/deployments.ts';
import { canMove } from '../../domain/deployments/deployment-states.ts';
import { trip } from '../../domain/risk/check-book.ts';
import type { Exceeded } from '../../domain/risk/check-entry.ts';
import { exceededText, reachedText } from '../../domain/risk/limit-texts.ts';
import type { MergedLimits } from '../../domain/risk/limits.ts';
import { startRisk } from '../../domain/risk/state.ts';
import type { Usage } from '../../domain/risk/usage.ts';
import { decideCommand } from '../deployment-commands.ts';
import type { Effect } from '../effect.ts';
import { trippedText } from '../risk-texts.ts';

/** Limit that stops a deployment, in words. */
export interface Breach extends Pick<Usage, 'used' | 'allowed'> {
  readonly limit: string;
  readonly reason: string;
}

/** Returns the limit that stops a deployment. */
export const breachOf = (
  exceeded: Exceeded | undefined,
  tripped: Usage | undefined,
  currency: string,
): Breach | undefined => {
  if (exceeded) {
    const { limit, used = '0', allowed = '0' } = exceeded;
    return { limit, used, allowed, reason: exceededText(exceeded, currency) };
  }
  return tripped && { ...tripped, reason: reachedText(tripped, currency) };
};

/**
 * Returns the command by which a limit stops a deployment. The hub manages stops and exits of its own deployments: a pause
 * lets them go on, a halt would not. An engine outside is halted.
 */
export const stopOf = (
  deployment: TradingDeployment,
  { action }: MergedLimits,
): { readonly action: 'pause' | 'halt'; readonly flatten: boolean } => {
  const flatten = action === 'flatten';
  const { status } = deployment;
  const mayPause = isHubRun(deployment) && (status === 'paused' || canMove(status, 'paused'));
  return { action: mayPause && !flatten ? 'pause' : 'halt', flatten };
};

/**
 * Adds to an effect that a limit stops the deployment: the command, the notification and the entry of the audit trail. A
 * deployment that is stopped already only remembers the limit.
 */
export const stoppedBy = (
  effect: Effect,
  deployment: TradingDeployment,
  breach: Breach,
  command: ReturnType<typeof stopOf>,
  { at, now }: { readonly at: number; readonly now: Date },
): Effect => {
  const { reason, limit, used, allowed } = breach;
  const marked = {
    ...deployment,
    risk: trip(
      deployment.risk ?? startRisk(unpackLedger(deployment.ledger), at),
      { limit, used, allowed },
      at,
    ),
  };
  const commanded = decideCommand(marked, { ...command, by: 'risk_limit', reason }, { now, items: [] });
  const stopping = commanded.outcome === 'done' ? commanded.effect : undefined;
  const { status } = stopping?.deployment ?? marked;
  const { flatten } = command;
  return {
    ...effect,
    deployment: stopping?.deployment ?? marked,
    messages: [...(effect.messages ?? []), ...(stopping?.messages ?? [])],
    notifications: [...effect.notifications, trippedText(deployment, breach, { status, flatten })],
    audit: {
      action: 'risk_limit_tripped',
      by: 'risk_limit',
      reason,
      details: { limit, used, allowed, status },
    },
  };
};
