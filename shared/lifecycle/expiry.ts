import * as z from 'zod';
import { type Deployment, EXPIRY_KIND } from '../data/deployments/deployments.ts';
import type { OnDamaged } from '../data/table/damaged-items.ts';
import { findDueItems } from '../data/table/due-items.ts';
import type { Store } from '../data/table/store.ts';
import type { Runtime } from '../runtime.ts';
import { commandKeys } from './commands/command.ts';
import { holding } from './commands/hold-change.ts';
import { unconfirmedText } from './commands/notifications.ts';
import { changeDeployment } from './deployment-change.ts';
import { endedDeployment, endMessage } from './deployment-end.ts';
import type { Effect, NotificationText } from './effect.ts';
import { expireSignals } from './expire-signals.ts';

const expirySchema = z.object({ deployment_id: z.number() });

/** Lists deployments that have expired, longest overdue first. */
export const findDueExpiries = async (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<number[]> => {
  const due = await findDueItems(store, [EXPIRY_KIND], expirySchema, { now, limit, onDamaged });
  return due.map(({ deployment_id }) => deployment_id);
};

const isPast = (at: string | undefined, now: Date): boolean =>
  at !== undefined && Date.parse(at) <= now.getTime();

const expiredText = ({ strategy_name }: Deployment): NotificationText => ({
  kind: 'deployment_expired',
  severity: 'info',
  title: `${strategy_name} has expired`,
  body: 'The deployment has reached the end of its time.',
  data: {},
});

/** Returns the effect of the end of a deployment that was asked to stop and whose engine did not answer in time. */
const unconfirmedEffect = (before: Deployment, now: Date): Effect | undefined => {
  const { stopping } = before;
  if (!stopping || !isPast(stopping.until, now)) return undefined;
  const { by, reason, flatten, stop_reason } = stopping;
  const deployment = endedDeployment(before, { status: 'stopped', stop_reason }, now);
  return (
    deployment && {
      deployment,
      notifications: [unconfirmedText(before, stopping)],
      messages: [endMessage('Deployment Undeployed', deployment, now)],
      audit: {
        action: 'deployment_stopped',
        by,
        reason,
        details: { flatten, is_confirmed: false },
      },
    }
  );
};

const expiredEffect = (before: Deployment, now: Date): Effect | undefined => {
  if (!isPast(before.expires_at, now)) return undefined;
  const deployment = endedDeployment(before, { status: 'expired', stop_reason: 'expired' }, now);
  return (
    deployment && {
      deployment,
      notifications: [expiredText(before)],
      messages: [endMessage('Deployment Expired', deployment, now)],
    }
  );
};

/**
 * Ends a deployment that has expired, or whose engine did not confirm a stop in time, and orders of signals that have
 * waited too long.
 *
 * @returns false if nothing of it is due.
 */
export const expireDeployment = async (runtime: Runtime, deploymentId: number): Promise<boolean> => {
  const decide: Parameters<typeof changeDeployment>[2] = (before, now, items) => {
    const effect = before && (unconfirmedEffect(before, now) ?? expiredEffect(before, now));
    return effect && holding(before, effect, { type: 'stop', flatten: false }, items);
  };
  const ended = await changeDeployment(runtime, deploymentId, decide, commandKeys(deploymentId));
  const hasExpired = await expireSignals(runtime, deploymentId);
  return ended !== undefined || hasExpired;
};
