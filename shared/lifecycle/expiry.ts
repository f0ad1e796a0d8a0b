import * as z from 'zod';
import { EXPIRY_KIND } from '../data/deployments/deployments.ts';
import { marketClockIn } from '../data/engine/market-clock.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { ConditionFailedError, type Store } from '../data/table/store.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import { endedDeployment, endMessage } from './deployment-end.ts';

/** Lists deployments that have expired, longest overdue first. */
export const findDueExpiries = async (store: Store, now: Date, limit: number): Promise<number[]> => {
  const due = await store.query(
    {
      IndexName: 'due',
      KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
      ExpressionAttributeValues: { ':kind': EXPIRY_KIND, ':now': now.getTime() },
      Limit: limit,
    },
    z.object({ deployment_id: z.number() }),
  );
  return due.map(({ deployment_id }) => deployment_id);
};

const PUT_OFF_MS = 5 * 60_000;

/** Postpones a deployment that cannot be ended now, so that it does not block others; no-op if it has ended. */
export const putOffExpiry = async (store: Store, deploymentId: number, now: Date): Promise<void> => {
  const later = {
    update: 'SET due_at = :later',
    condition: 'due_kind = :kind',
    values: { ':later': now.getTime() + PUT_OFF_MS, ':kind': EXPIRY_KIND },
  };
  try {
    await store.update(keys.deployment(deploymentId), later, z.object({}));
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/** Ends a deployment that has expired. @returns false if it has ended already or does not expire. */
export const expireDeployment = async (runtime: Runtime, deploymentId: number): Promise<boolean> => {
  const setupKey = keys.deploymentSetup(deploymentId);
  const decide: Parameters<typeof changeDeployment>[2] = (before, now, items) => {
    if (before?.expires_at === undefined || Date.parse(before.expires_at) > now.getTime()) return undefined;
    const deployment = endedDeployment(before, { status: 'expired', stop_reason: 'expired' }, now);
    if (!deployment) return undefined;
    return {
      deployment,
      notifications: [
        {
          kind: 'deployment_expired',
          severity: 'info',
          title: `${before.strategy_name} has expired`,
          body: 'The deployment has reached the end of its time.',
          data: {},
        },
      ],
      messages: [endMessage('Deployment Expired', deployment, now)],
      clock: marketClockIn(itemWith(items, setupKey)),
    };
  };
  const ended = await changeDeployment(runtime, deploymentId, decide, [setupKey]);
  return ended !== undefined;
};
