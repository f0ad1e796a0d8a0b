import { auditEdits, auditKeys } from '../data/audit/audit-trail.ts';
import { endedWatcherWrite } from '../data/books/active-deployments.ts';
import type { BookMemory, Recalled } from '../data/books/book-memory.ts';
import { type ListEntries, listEntriesMessages } from '../data/books/list-entries.ts';
import {
  asDeployment,
  changedDeploymentWrite,
  type Deployment,
  freeDeploySlot,
  livesInBars,
} from '../data/deployments/deployments.ts';
import type { Notification } from '../data/deployments/notification.ts';
import { messagesOf, recipientKeys } from '../data/deployments/notification-messages.ts';
import { marksIn, notificationList, oneMoreUnread } from '../data/deployments/notifications.ts';
import {
  endStage,
  isStaging,
  MAX_UNSTAGED,
  releasedIfRefused,
  stage,
  stageWrite,
} from '../data/deployments/staged-change.ts';
import { marketTimeIn } from '../data/engine/market-clock.ts';
import { commit, editKeys, ListEdit } from '../data/numbered-list/list-edit.ts';
import { headKey } from '../data/numbered-list/numbered-list.ts';
import { isContention, retryOnConflict } from '../data/numbered-list/retry.ts';
import type { Message } from '../data/outbox/messages.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import { type Items, itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Key, Write } from '../data/table/writes.ts';
import { totalsIn } from '../data/users/risk-totals.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { shownFields } from '../domain/digits.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { draftsOfChange } from './change-drafts.ts';
import type { Effect, NotificationText } from './effect.ts';
import { byChannels, leavingOf } from './notification-channels.ts';
import { concernsTotals, countOverall } from './overall-risk.ts';
import { recordChanges } from './record-changes.ts';
import { endingKeys, tradingWrites } from './trading-change.ts';

/** The members of a transaction. */
interface Change {
  readonly deployment: Deployment;
  readonly edits: readonly ListEdit[];
  readonly writes: readonly Write[];
  readonly messages: readonly Message[];
}

const notificationOf = (
  { clock, random }: Runtime,
  { deployment_id, kind, strategy_id }: Deployment,
  text: NotificationText,
  at: Date = clock(),
): Notification => ({
  ...text,
  data: shownFields(text.data),
  notification_id: integerId(clock(), random),
  deployment_id,
  deployment_type: kind,
  strategy_id,
  created_at: at.toISOString(),
});

const auditKeysOf = (
  { user_id, deployment_id }: Deployment,
  { audit, isAuditedElsewhere = false }: Effect,
): Key[] => (audit ? auditKeys(isAuditedElsewhere ? undefined : user_id, deployment_id) : []);

/** Returns the edits that record a change in the audit trail. @param items read at its keys. */
const auditOf = (
  { clock, random }: Runtime,
  { user_id, deployment_id, kind, strategy_id }: Deployment,
  { audit, isAuditedElsewhere = false }: Effect,
  items: Items,
): ListEdit[] => {
  if (!audit) return [];
  const now = clock();
  const entry = {
    details: {},
    ...audit,
    audit_id: integerId(now, random),
    at: now.toISOString(),
    deployment_id,
    deployment_type: kind,
    strategy_id,
  };
  return auditEdits(isAuditedElsewhere ? undefined : user_id, deployment_id, [entry], items);
};

/** Builds a change with notifications. Reads the owner's notification list and delivery channels. */
const notifyingChange = async (runtime: Runtime, before: Deployment, effect: Effect): Promise<Change> => {
  const list = notificationList(before.user_id);
  const items = await runtime.store.getMany(
    [...recipientKeys(before.user_id), ...editKeys(list), ...auditKeysOf(before, effect)],
    { consistent: true },
  );
  const marks = marksIn(itemWith(items, headKey(list)));
  const edit = new ListEdit(list, items);
  const now = runtime.clock();
  const { channelsFor, sent } = leavingOf(before, effect, now);
  const messages: Message[] = [];
  let deployment: Deployment = { ...effect.deployment, ...(sent && { sent }) };
  for (const text of effect.notifications) {
    const notification = notificationOf(runtime, before, text, effect.at);
    edit.append({ entity: 'notification', ...notification });
    deployment = { ...deployment, unread: oneMoreUnread(deployment.unread, marks) };
    const recipient = { userId: before.user_id, items, now };
    messages.push(...messagesOf(notification, channelsFor(text.kind), recipient));
  }
  return { deployment, edits: [edit, ...auditOf(runtime, before, effect, items)], writes: [], messages };
};

const isTooLarge = ({ stageable = [] }: Effect): boolean => stageable.length > MAX_UNSTAGED;

/** Returns whether a change ends a deployment. */
const ends = (before: Deployment, { deployment }: Effect): boolean =>
  isFinalDeploymentStatus(deployment.status) && !isFinalDeploymentStatus(before.status);

/** Returns whether a change reads the counts of the user over all deployments. */
const needsTotals = (
  before: Extract<Deployment, { kind: 'live' }>,
  { deployment, totals }: Effect,
): boolean => totals === undefined && deployment.kind === 'live' && concernsTotals(before, deployment);

/** Returns the keys that a change needs in addition to the deployment: mostly none. */
const extraKeys = (before: Extract<Deployment, { kind: 'live' }>, effect: Effect): readonly Key[] => [
  ...(ends(before, effect) ? endingKeys(before) : []),
  ...(effect.clock ?? []),
  ...auditKeysOf(before, effect),
  ...(needsTotals(before, effect) ? [keys.riskTotals(before.user_id)] : []),
];

/** Returns the time of a change. Without a bar, a deployment that the hub runs keeps the time of its last one. */
const timeOfChange = (
  runtime: Runtime,
  before: Extract<Deployment, { kind: 'live' }>,
  { at, clock = [] }: Effect,
  items: Items,
): string => {
  if (at) return at.toISOString();
  if (!livesInBars(before)) return runtime.clock().toISOString();
  const known = Date.parse(before.updated_at);
  return new Date(Math.max(known, marketTimeIn(items, clock) ?? known)).toISOString();
};

/** Builds the change of a trading deployment. Its notifications reach the owner's lists by the outbox. */
const tradingChange = async (
  runtime: Runtime,
  before: Extract<Deployment, { kind: 'live' }>,
  changed: Extract<Deployment, { kind: 'live' }>,
  effect: Effect,
): Promise<Change> => {
  const wanted = extraKeys(before, effect);
  const items = wanted.length === 0 ? [] : await runtime.store.getMany(wanted, { consistent: true });
  const { channelsFor, sent } = leavingOf(before, effect, runtime.clock());
  const { user_id, deployment_id, mode } = before;
  const counted = concernsTotals(before, changed)
    ? countOverall(before, changed, effect.ledger, {
        totals: effect.totals ?? totalsIn(items, user_id),
        marks: effect.overallMarks,
        now: runtime.clock(),
      })
    : undefined;
  const made = counted?.deployment ?? changed;
  const after: typeof changed =
    made === before
      ? before
      : {
          ...made,
          updated_at: timeOfChange(runtime, before, effect, items),
          ...(sent && { sent }),
        };
  const { deployment, edits, writes, totals } =
    before === after
      ? { deployment: after, edits: [], writes: [], totals: undefined }
      : tradingWrites(before, after, effect.ledger, items);
  const [first, ...others] = byChannels(
    [...effect.notifications, ...(counted?.notifications ?? [])].map((text) =>
      notificationOf(runtime, before, text, effect.at),
    ),
    channelsFor,
  );
  const entries: ListEntries = {
    user_id,
    deployment_id,
    mode,
    trades: [],
    ...effect.entries,
    ...(isTooLarge(effect) && { staged: true }),
    totals,
    notifications: first?.notifications ?? [],
    channels: first?.channels ?? [],
  };
  const further = others.map((part): ListEntries => ({ user_id, deployment_id, mode, trades: [], ...part }));
  return {
    deployment,
    edits: [...edits, ...auditOf(runtime, before, effect, items)],
    writes: [...writes, ...(counted?.writes ?? []), ...(effect.clockWrites?.(items) ?? [])],
    messages: [...[entries, ...further].flatMap(listEntriesMessages), ...(counted?.messages ?? [])],
  };
};

const changeOf = async (runtime: Runtime, before: Deployment, effect: Effect): Promise<Change> => {
  const { deployment, notifications, audit } = effect;
  if (before.kind === 'live' && deployment.kind === 'live') {
    return tradingChange(runtime, before, deployment, effect);
  }
  if (notifications.length > 0 || audit) return notifyingChange(runtime, before, effect);
  return { deployment, edits: [], writes: [], messages: [] };
};

/** Counts and records the change events of a change. No-op if nobody listened before it; the version guards that. */
const recordListened = (
  runtime: Runtime,
  before: Deployment,
  after: Deployment,
  effect: Effect,
  now: Date,
): { readonly deployment: Deployment; readonly writes: readonly Write[] } => {
  if (!before.listened) return { deployment: after, writes: [] };
  const drafts = draftsOfChange(before, after, effect);
  return recordChanges(runtime, { deployment: after, listened: before.listened }, drafts, now);
};

/**
 * Changes a deployment. Reads it, lets `decide` determine the effect, and writes everything in one transaction: the
 * deployment, its entries in the owner's lists, notifications, messages and the owner's count of deployments. Reads
 * and decides again if something changed meanwhile.
 *
 * @param decide returns undefined if nothing changes. An error that it throws ends the change. It may run several
 *   times, so it must have no side effects.
 * @param extraReads keys to read with the deployment; `decide` gets the items.
 * @param memory cache that saves the read. If it knows the deployment, `decide` gets no extra items but the cached
 *   state (`recalled`). If that attempt fails, `decide` runs again on what is read. Pass a cache only if `decide` does
 *   not depend on event order: it must be safe that a cached state is decided on after others have changed it.
 * @returns the deployment afterwards; undefined if nothing changed.
 * @throws ChangedMeanwhileError
 * @example
 * // Pauses a deployment, with a notification to its owner.
 * await changeDeployment(runtime, id, (before, now) => {
 *   const state = before && moveDeployment(before, { status: 'paused', status_at: now.getTime(), stop_reason: null });
 *   return state && { deployment: { ...before, ...state }, notifications: [pausedText(before)] };
 * });
 */
export const changeDeployment = async (
  runtime: Runtime,
  deploymentId: number,
  decide: (
    deployment: Deployment | undefined,
    now: Date,
    items: Items,
    recalled: Recalled | undefined,
  ) => Effect | undefined | Promise<Effect | undefined>,
  extraReads: readonly Key[] = [],
  memory?: BookMemory,
): Promise<Deployment | undefined> => {
  const { store, clock, random } = runtime;
  const write = async (before: Deployment, effect: Effect, now: Date): Promise<Deployment> => {
    const ended = ends(before, effect);
    const { deployment: changed, edits, writes, messages } = await changeOf(runtime, before, effect);
    const { deployment, writes: changeWrites } = recordListened(runtime, before, changed, effect, now);
    const { stageable = [] } = effect;
    const staged = isTooLarge(effect) ? textId(random) : undefined;
    const after: Deployment =
      staged !== undefined && deployment.kind === 'live'
        ? { ...deployment, stage_id: staged, staging: true }
        : deployment;
    const writeAll = () =>
      commit(store, edits, [
        changedDeploymentWrite(before, after),
        ...(ended ? [freeDeploySlot(before.user_id)] : []),
        ...(ended && before.kind !== 'live' ? [endedWatcherWrite(deploymentId)] : []),
        ...writes,
        ...changeWrites,
        ...(effect.writes ?? []),
        ...(staged === undefined ? stageable : [stageWrite(deploymentId, staged, stageable)]),
        ...[...(effect.messages ?? []), ...messages].map((message) =>
          outboxWrite(textId(random), message, now),
        ),
      ]);
    if (staged !== undefined) {
      await releasedIfRefused(store, deploymentId, staged, async () => {
        await stage(store, before, staged, stageable);
        await writeAll();
      });
      memory?.forget(deploymentId);
      await endStage(store, deploymentId);
      return deployment;
    }
    await writeAll();
    const { ledger, order } = effect;
    if (deployment.kind === 'live' && ledger) {
      memory?.keep({ ...deployment, version: before.version + 1 }, ledger, order);
    }
    return deployment;
  };

  const recalled = memory?.recall(deploymentId);
  if (memory && recalled) {
    const now = clock();
    try {
      const effect = await decide(recalled.deployment, now, [], recalled);
      return effect && (await write(recalled.deployment, effect, now));
    } catch (error) {
      // Any failure on the cached state is decided again on what is read.
      if (isContention(error)) memory.bypass(deploymentId);
      else memory.forget(deploymentId);
    }
  }
  return retryOnConflict(async () => {
    const now = clock();
    const key = keys.deployment(deploymentId);
    const read = () => store.getMany([key, ...extraReads], { consistent: true });
    let items = await read();
    if (isStaging(itemWith(items, key))) {
      await endStage(store, deploymentId);
      items = await read();
    }
    const before = asDeployment(itemWith(items, key));
    const effect = await decide(before, now, items, undefined);
    return before && effect && write(before, effect, now);
  });
};
