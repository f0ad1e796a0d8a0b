import { auditEdits, auditKeys } from '../data/audit/audit-trail.ts';
import { findRunning } from '../data/books/running-deployments.ts';
import { asDeployment, isHubRun, type TradingDeployment } from '../data/deployments/deployments.ts';
import { ENGINE_COMMANDED, engineEvent } from '../data/engine/events.ts';
import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import type { Message } from '../data/outbox/messages.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Write } from '../data/table/writes.ts';
import { totalsIn, totalsRemoval, totalsWrite } from '../data/users/risk-totals.ts';
import { userLimitsWrite } from '../data/users/user-limits.ts';
import type { User } from '../data/users/users.ts';
import { asUser } from '../data/users/users.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Limits, UserLimits } from '../domain/risk/limits.ts';
import { rearmTotals, startTotals, totalsAt } from '../domain/risk/overall.ts';
import type { OverallLimits, Totals } from '../domain/risk/overall-records.ts';
import { withUnknownOf } from '../domain/unknown-fields.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import { withLimits } from './deployment-limits.ts';
import { overallTrip } from './overall-risk.ts';
import { stopOf, stoppedBy } from './risk-checks/stop-at-limit.ts';

const limitsAudit = (reason = 'risk limits set', details: Readonly<Record<string, unknown>>) =>
  ({ action: 'risk_limits_set', by: 'user', reason, details: { ...details } }) as const;

/** Returns the message by which the accounts of a deployment that the hub runs take up other limits. */
const watchMessages = (deployment: TradingDeployment): Message[] =>
  isHubRun(deployment) ? [engineEvent(ENGINE_COMMANDED, deployment.deployment_id)] : [];

/**
 * Carries the limits of a user, as they are now, to a deployment, and stops it if one over all deployments is reached.
 * No-op for one that knows, or that has ended.
 */
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
      const isKnown = before.limits?.user_rev === (user.limits_rev ?? 0);
      const deployment = isKnown ? before : withLimits(before, user, now);
      const effect = { deployment, notifications: [], messages: isKnown ? [] : watchMessages(before) };
      const trip = overallTrip(deployment, totalsIn(items, userId), now);
      // One that is stopped already, or was re-armed since, stays as it is.
      if (trip && !deployment.risk?.tripped && isTrading(deployment)) {
        const { flatten, ...breach } = trip;
        const command = stopOf(deployment, { action: flatten ? 'flatten' : 'pause' });
        return stoppedBy(effect, deployment, breach, command, { at: now.getTime(), now });
      }
      return deployment === before ? undefined : effect;
    },
    [userKey, keys.riskTotals(userId)],
  );
  await forgetPending(runtime, userId, deploymentId);
};

/** Returns whether a deployment may order. */
const isTrading = ({ mode, status }: TradingDeployment): boolean =>
  mode === 'live' && (status === 'active' || status === 'paused');

/** Lets counts wait no longer for a deployment that has ended before it was counted. */
const forgetPending = (runtime: Runtime, userId: string, deploymentId: number): Promise<void> =>
  retryOnConflict(async () => {
    const { store } = runtime;
    const key = keys.deployment(deploymentId);
    const items = await store.getMany([key, keys.riskTotals(userId)], { consistent: true });
    const totals = totalsIn(items, userId);
    const deployment = asDeployment(itemWith(items, key));
    const isWaiting = totals?.pending?.includes(deploymentId) === true;
    if (!isWaiting || (deployment && !isFinalDeploymentStatus(deployment.status))) return;
    const { pending = [], ...others } = totals;
    const left = pending.filter((id) => id !== deploymentId);
    const after = { ...others, rev: totals.rev + 1, ...(left.length > 0 && { pending: left }) };
    await store.transact([totalsWrite(userId, totals, after)]);
  });

/** Limits that replace the stored ones of their level. */
interface LimitsChange {
  readonly limits: Limits;
  readonly reason?: string | undefined;
  /** Further facts for the audit trail. */
  readonly details?: Readonly<Record<string, unknown>>;
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
  { limits: own, reason, details, check }: LimitsChange,
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
        audit: limitsAudit(reason, { ...details, limits: own }),
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

/** Reads a user with what a change of limits writes, and commits the change with its message. @returns the user afterwards */
const commitLimits = (
  runtime: Runtime,
  userId: string,
  decide: (
    user: User,
    items: Items,
    now: Date,
  ) => Promise<{
    readonly limits: UserLimits;
    readonly shown: unknown;
    readonly reason: string | undefined;
    readonly details: Readonly<Record<string, unknown>> | undefined;
    readonly writes: readonly Write[];
  }>,
): Promise<User | undefined> =>
  retryOnConflict(async () => {
    const { store, clock, random } = runtime;
    const now = clock();
    const read = [keys.user(userId), keys.riskTotals(userId), ...auditKeys(userId)];
    const items = await store.getMany(read, { consistent: true });
    const user = asUser(itemWith(items, keys.user(userId)));
    if (!user) return undefined;
    const { limits, shown, reason, details, writes } = await decide(user, items, now);
    const message: Message = { kind: 'risk_limits', user_id: userId };
    const entry = {
      ...limitsAudit(reason, { ...details, limits: shown }),
      audit_id: integerId(now, random),
      at: now.toISOString(),
    };
    await commit(store, auditEdits(userId, undefined, [entry], items), [
      userLimitsWrite(user, limits),
      ...writes,
      outboxWrite(textId(random), message, now),
    ]);
    return { ...user, limits, limits_rev: (user.limits_rev ?? 0) + 1 };
  });

/**
 * Sets the limits of a user for each deployment in one transaction, with the message that carries them to the running deployments.
 *
 * @returns the user afterwards; undefined for an unknown one.
 * @throws ChangedMeanwhileError
 */
export const setUserLimits = (
  runtime: Runtime,
  userId: string,
  { limits: each, reason, details, check }: LimitsChange,
): Promise<User | undefined> =>
  commitLimits(runtime, userId, async (user) => {
    check?.(user, user.limits?.each ?? {});
    return { limits: changedLimits(user.limits, each), shown: each, reason, details, writes: [] };
  });

/** Change of the limits over all deployments; without any limit they end. */
interface OverallChange {
  readonly all: Omit<OverallLimits, 'since'> | undefined;
  readonly reason?: string | undefined;
  /** Further facts for the audit trail. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Throws if the caller may not replace the limits before, or re-arm those that were reached. */
  readonly check?: (user: User, before: OverallLimits | undefined, isTripped: boolean) => void;
}

/** Returns the write of the counts that other limits need, if any. */
const countsWrite = async (
  { store }: Runtime,
  userId: string,
  {
    before,
    after,
    totals,
  }: {
    readonly before: OverallLimits | undefined;
    readonly after: OverallLimits | undefined;
    readonly totals: Totals | undefined;
  },
  now: Date,
): Promise<Write[]> => {
  if (!after) return totals ? [totalsRemoval(userId)] : [];
  if (before && totals?.since === after.since) {
    const { tripped } = totalsAt(totals, now.getTime());
    return tripped ? [totalsWrite(userId, totals, rearmTotals(totalsAt(totals, now.getTime())))] : [];
  }
  const running = await findRunning(store, userId);
  const pending = running
    .filter(({ mode, status }) => mode === 'live' && !isFinalDeploymentStatus(status))
    .map(({ deployment_id }) => deployment_id);
  const started = { ...startTotals(after.since, now.getTime(), pending), rev: (totals?.rev ?? 0) + 1 };
  return [totalsWrite(userId, totals, started)];
};

/**
 * Sets the limits of a user over all deployments with real orders. Counting begins with the first ones, and again with
 * another currency: no entry leaves until each running deployment is counted. Setting limits that were reached re-arms
 * them: losses count from now on.
 *
 * @returns the user afterwards; undefined for an unknown one.
 * @throws ChangedMeanwhileError
 */
export const setOverallLimits = (
  runtime: Runtime,
  userId: string,
  { all, reason, details, check }: OverallChange,
): Promise<User | undefined> =>
  commitLimits(runtime, userId, async (user, items, now) => {
    const { all: before, ...others } = user.limits ?? {};
    const totals = totalsIn(items, userId);
    const isTripped = totals !== undefined && totalsAt(totals, now.getTime()).tripped !== undefined;
    check?.(user, before, isTripped);
    const isSame = before !== undefined && before.currency === all?.currency;
    const since = isSame ? before.since : (user.limits_rev ?? 0) + 1;
    const after = all && withUnknownOf(before ?? {}, { ...all, since });
    return {
      limits: { ...others, ...(after && { all: after }) },
      shown: { all: all ?? {} },
      reason,
      details,
      writes: await countsWrite(runtime, userId, { before: isSame ? before : undefined, after, totals }, now),
    };
  });
