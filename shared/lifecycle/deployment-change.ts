import type { BookMemory, Recalled } from '../data/books/book-memory.ts';
import { type ListEntries, listEntriesMessages } from '../data/books/list-entries.ts';
import type { StoredOrder } from '../data/books/orders.ts';
import {
  asDeployment,
  changedDeploymentWrite,
  type Deployment,
  freeDeploySlot,
} from '../data/deployments/deployments.ts';
import { messagesOf, recipientKeys } from '../data/deployments/notification-messages.ts';
import {
  marksIn,
  type Notification,
  notificationList,
  oneMoreUnread,
} from '../data/deployments/notifications.ts';
import {
  endStage,
  isStaging,
  MAX_UNSTAGED,
  type Stageable,
  stage,
  stageWrite,
} from '../data/deployments/staged-change.ts';
import { commit, editKeys, ListEdit } from '../data/numbered-list/list-edit.ts';
import { type Message, outboxWrite } from '../data/outbox/outbox.ts';
import { keys } from '../data/table/keys.ts';
import { isContention, retryOnConflict } from '../data/table/retry.ts';
import type { Key, Store, Write } from '../data/table/store.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Channel } from '../domain/deployments/signals.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { endingKeys, tradingWrites } from './trading-change.ts';

/** What a change tells the owner; identifiers and times are added where it is written. */
export type NotificationText = Pick<Notification, 'kind' | 'severity' | 'symbol' | 'title' | 'body' | 'data'>;

/** What something makes of a deployment. */
export interface Effect {
  readonly deployment: Deployment;
  readonly told: readonly NotificationText[];
  /** Further messages that leave with it. */
  readonly messages?: readonly Message[];
  /** The ledger of a live deployment, where it was unpacked. */
  readonly ledger?: Ledger;
  /** The order of a live deployment that it changed, as it is stored then. */
  readonly order?: StoredOrder;
  /** What else changes in the transaction, under the guard of the deployment's version. */
  readonly writes?: readonly Write[];
  /** Changes of other orders and of trades: too many for the transaction are staged. */
  readonly stageable?: readonly Stageable[];
  /** What it adds to the lists of the owner. */
  readonly entries?: Partial<Pick<ListEntries, 'new_order' | 'slipped_order' | 'trades'>>;
}

type Item = Readonly<Record<string, unknown>>;
type Items = readonly (Item | undefined)[];

/** The members of a transaction. */
interface Change {
  readonly deployment: Deployment;
  readonly edits: readonly ListEdit[];
  readonly writes: readonly Write[];
  readonly messages: readonly Message[];
}

/** Scanners tell of their matches on every device that their owner has registered. */
const channelsOf = (deployment: Deployment): readonly Channel[] =>
  deployment.kind === 'scanner' ? ['push'] : deployment.channels;

const notificationOf = (
  { clock, random }: Runtime,
  { deployment_id, kind, strategy_id }: Deployment,
  told: NotificationText,
): Notification => ({
  ...told,
  notification_id: integerId(clock(), random),
  deployment_id,
  deployment_type: kind,
  strategy_id,
  created_at: clock().toISOString(),
});

/** What tells is read for: the owner's list of notifications, and where else they want to be told. */
const toldChange = async (runtime: Runtime, before: Deployment, effect: Effect): Promise<Change> => {
  const list = notificationList(before.user_id);
  const items = await runtime.store.getMany([...recipientKeys(before.user_id), ...editKeys(list)], {
    consistent: true,
  });
  const marks = marksIn(items.find((found) => found?.pk === list.pk));
  const edit = new ListEdit(list, items);
  const messages: Message[] = [];
  let { deployment } = effect;
  for (const told of effect.told) {
    const notification = notificationOf(runtime, before, told);
    edit.append({ entity: 'notification', ...notification });
    deployment = { ...deployment, unread: oneMoreUnread(deployment.unread, marks) };
    messages.push(...messagesOf(channelsOf(before), items, notification));
  }
  return { deployment, edits: [edit], writes: [], messages };
};

const isTooLarge = ({ stageable = [] }: Effect): boolean => stageable.length > MAX_UNSTAGED;

const readToEnd = (store: Store, before: Deployment, ended: boolean): Promise<Items> | Items =>
  ended && before.kind === 'live' ? store.getMany(endingKeys(before), { consistent: true }) : [];

/** A live deployment and what its owner's lists show of it; what it tells goes to the lists by the outbox. */
const tradingChange = async (
  runtime: Runtime,
  before: Extract<Deployment, { kind: 'live' }>,
  after: Extract<Deployment, { kind: 'live' }>,
  effect: Effect,
  ended: boolean,
): Promise<Change> => {
  const items = await readToEnd(runtime.store, before, ended);
  const { deployment, edits, writes, totals } = tradingWrites(before, after, effect.ledger, items);
  const entries: ListEntries = {
    user_id: before.user_id,
    deployment_id: before.deployment_id,
    mode: before.mode,
    trades: [],
    ...effect.entries,
    ...(isTooLarge(effect) && { staged: true }),
    totals,
    notifications: effect.told.map((told) => notificationOf(runtime, before, told)),
    channels: before.channels,
  };
  return { deployment, edits, writes, messages: listEntriesMessages(entries) };
};

const changeOf = async (
  runtime: Runtime,
  before: Deployment,
  effect: Effect,
  ended: boolean,
): Promise<Change> => {
  const { deployment, told } = effect;
  if (before.kind === 'live' && deployment.kind === 'live') {
    const after = { ...deployment, updated_at: runtime.clock().toISOString() };
    return tradingChange(runtime, before, after, effect, ended);
  }
  if (told.length > 0) return toldChange(runtime, before, effect);
  return { deployment, edits: [], writes: [], messages: [] };
};

/**
 * Changes a deployment by what is decided over the deployment as it is: the deployment, what its owner's
 * lists show of it, the notifications, the messages that carry them and the owner's count of deployments
 * change in one transaction.
 *
 * @param decide answers with undefined where nothing changes. What it throws ends the change.
 * @param beside what is read with the deployment, for `decide`.
 * @param memory saves the read where it knows the deployment. `decide` is then given what is recalled in place
 * of what is read beside. It must be so made that what changes nothing there changes nothing of anything later
 * either, as it is for events: their effect does not depend on the order in which they come. What fails is
 * decided anew over what is read.
 * @returns the deployment as it is then; undefined where nothing changed.
 */
export const changeDeployment = async (
  runtime: Runtime,
  deploymentId: number,
  decide: (
    deployment: Deployment | undefined,
    now: Date,
    beside: Items,
    recalled: Recalled | undefined,
  ) => Effect | undefined | Promise<Effect | undefined>,
  beside: readonly Key[] = [],
  memory?: BookMemory,
): Promise<Deployment | undefined> => {
  const { store, clock, random } = runtime;
  const write = async (before: Deployment, effect: Effect, now: Date): Promise<Deployment> => {
    const ended =
      isFinalDeploymentStatus(effect.deployment.status) && !isFinalDeploymentStatus(before.status);
    const { deployment, edits, writes, messages } = await changeOf(runtime, before, effect, ended);
    const { stageable = [] } = effect;
    const staged = isTooLarge(effect) ? textId(random) : undefined;
    if (staged !== undefined) await stage(store, before, staged, stageable);
    const after: Deployment =
      staged !== undefined && deployment.kind === 'live'
        ? { ...deployment, stage_id: staged, staging: true }
        : deployment;
    await commit(store, edits, [
      changedDeploymentWrite(before, after),
      ...(ended ? [freeDeploySlot(before.user_id)] : []),
      ...writes,
      ...(effect.writes ?? []),
      ...(staged === undefined ? stageable : [stageWrite(deploymentId, staged, stageable)]),
      ...[...(effect.messages ?? []), ...messages].map((message) =>
        outboxWrite(textId(random), message, now),
      ),
    ]);
    if (staged !== undefined) {
      memory?.forget(deploymentId);
      await endStage(store, deploymentId);
      return deployment;
    }
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
      // Whatever it is, it is decided anew over what is read.
      if (isContention(error)) memory.bypass(deploymentId);
      else memory.forget(deploymentId);
    }
  }
  return retryOnConflict(async () => {
    const now = clock();
    const read = () => store.getMany([keys.deployment(deploymentId), ...beside], { consistent: true });
    let [item, ...others] = await read();
    if (isStaging(item)) {
      await endStage(store, deploymentId);
      [item, ...others] = await read();
    }
    const before = asDeployment(item);
    const effect = await decide(before, now, others, undefined);
    return before && effect && write(before, effect, now);
  });
};
