import { auditEdits, auditKeys } from '../data/audit/audit-trail.ts';
import { isHubRun, type TradingDeployment } from '../data/deployments/deployments.ts';
import { ENGINE_COMMANDED, engineEvent } from '../data/engine/events.ts';
import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import type { Message } from '../data/outbox/messages.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { userLimitsWrite } from '../data/users/user-limits.ts';
import type { User } from '../data/users/users.ts';
import { asUser } from '../data/users/users.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Limits, UserLimits } from '../domain/risk/limits.ts';
import { withUnknownOf } from '../domain/unknown-fields.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import { withLimits } from './deployment-limits.ts';

const limitsAudit = (reason = 'risk limits set', details: Readonly<Record<string, unknown>>) =>
  ({ action: 'risk_limits_set', by: 'user', reason, details: { ...details } }) as const;

/** Returns the message by which the accounts of a deployment that the hub runs take up other limits. */
const watchMessages = (deployment: TradingDeployment): Message[] =>
  isHubRun(deployment) ? [engineEvent(ENGINE_COMMANDED, deployment.deployment_id)] : [];

/** Carries the limits of a user, as they are now, to a deployment. No-op for one that has them, or that has ended. */
export const carryUserLimits = async (
  runtime: Runtime,
  deploymentId: number,
  userId: string,
): Promise<void> => {
  const userKey = keys.user(userId);
  await changeDeployment(
    runtime,
    deploymentId,
    (before, now, items) => {
      const user = asUser(itemWith(items, userKey));
      if (!user || before?.kind !== 'live' || before.user_id !== userId) return undefined;
      if (isFinalDeploymentStatus(before.status)) return undefined;
      if (before.limits?.user_rev === (user.limits_rev ?? 0)) return undefined;
      const deployment = withLimits(before, user, now);
      return deployment === before
        ? undefined
        : { deployment, notifications: [], messages: watchMessages(before) };
    },
    [userKey],
  );
};

/** Limits that replace the stored ones of their level. */
interface LimitsChange {
  readonly limits: Limits;
  readonly reason?: string | undefined;
  /** Throws if the caller may not replace the limits before. */
  readonly check?: (user: User, before: Limits) => void;
}

/** Result of setting the limits of a deployment. */
interface LimitsSet {
  readonly user: User;
  readonly deployment: TradingDeployment;
  /** False for a deployment that has ended. */
  readonly changed: boolean;
}

/**
 * Sets the own limits of a trading deployment in one transaction.
 *
 * @returns undefined for a deployment that the user does not have.
 * @throws ChangedMeanwhileError
 */
export const setDeploymentLimits = async (
  runtime: Runtime,
  deploymentId: number,
  userId: string,
  { limits: own, reason, check }: LimitsChange,
): Promise<LimitsSet | undefined> => {
  const userKey = keys.user(userId);
  let found: LimitsSet | undefined;
  await changeDeployment(
    runtime,
    deploymentId,
    (before, now, items) => {
      found = undefined;
      const user = asUser(itemWith(items, userKey));
      if (!user || before?.kind !== 'live' || before.user_id !== userId) return undefined;
      found = { user, deployment: before, changed: false };
      if (isFinalDeploymentStatus(before.status)) return undefined;
      if (before.mode === 'live') check?.(user, before.limits?.own ?? {});
      const deployment = withLimits(before, user, now, own);
      found = { user, deployment, changed: true };
      return {
        deployment,
        notifications: [],
        messages: watchMessages(before),
        audit: limitsAudit(reason, { limits: own }),
      };
    },
    [userKey],
  );
  return found;
};

const changedLimits = (before: UserLimits = {}, each: Limits): UserLimits => {
  const { each: _, ...others } = before;
  return {
    ...others,
    ...(Object.keys(each).length > 0 && { each: withUnknownOf(before.each ?? {}, each) }),
  };
};

/**
 * Sets the limits of a user for each deployment in one transaction, with the message that carries them to the running deployments.
 *
 * @returns the user afterwards; undefined for an unknown one.
 * @throws ChangedMeanwhileError
 */
export const setUserLimits = (
  runtime: Runtime,
  userId: string,
  { limits: each, reason, check }: LimitsChange,
): Promise<User | undefined> =>
  retryOnConflict(async () => {
    const { store, clock, random } = runtime;
    const now = clock();
    const items = await store.getMany([keys.user(userId), ...auditKeys(userId)], { consistent: true });
    const user = asUser(itemWith(items, keys.user(userId)));
    if (!user) return undefined;
    check?.(user, user.limits?.each ?? {});
    const limits = changedLimits(user.limits, each);
    const message: Message = { kind: 'risk_limits', user_id: userId };
    const entry = {
      ...limitsAudit(reason, { limits: each }),
      audit_id: integerId(now, random),
      at: now.toISOString(),
    };
    await commit(store, auditEdits(userId, undefined, [entry], items), [
      userLimitsWrite(user, limits),
      outboxWrite(textId(random), message, now),
    ]);
    return { ...user, limits, limits_rev: (user.limits_rev ?? 0) + 1 };
  });
