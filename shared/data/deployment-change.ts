import { isFinalDeploymentStatus } from '../domain/deployment-states.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { asDeployment, changedDeploymentWrite, type Deployment, freeDeploySlot } from './deployments.ts';
import { keys } from './keys.ts';
import { marksIn, type Notification, notificationList, oneMoreUnread } from './notifications.ts';
import { commit, editKeys, ListEdit } from './numbered-list-edit.ts';
import { type Message, outboxWrite } from './outbox.ts';
import { untilUnrefused } from './retry.ts';
import { asUser, type User } from './users.ts';

/** What a change tells the owner; identifiers and times are added where it is written. */
export type Told = Pick<Notification, 'kind' | 'severity' | 'symbol' | 'title' | 'body' | 'data'>;

/** What something makes of a deployment. */
export interface Effect {
  readonly deployment: Deployment;
  readonly told: readonly Told[];
  /** Further messages that leave with it. */
  readonly messages?: readonly Message[];
}

/** Where a notification goes beside the list, by the channels that the deployment chose. */
const messagesOf = (deployment: Deployment, user: User, { title, body }: Told): Message[] => {
  if (deployment.kind !== 'notification') return [];
  return deployment.channels.flatMap((channel): Message[] => {
    if (channel === 'email') return [{ kind: 'notification_mail', to: user.email, title, body }];
    if (channel === 'sms' && user.ph_number !== undefined && user.ph_verified) {
      return [{ kind: 'notification_sms', to: user.ph_number, title, body }];
    }
    return [];
  });
};

/**
 * Changes a deployment by what is decided over the deployment as it is: the deployment, the notifications
 * in its owner's list, the messages that carry them and the owner's count of deployments change in one
 * transaction.
 *
 * @param decide answers with undefined where nothing changes. What it throws ends the change.
 * @returns whether anything changed.
 */
export const changeDeployment = (
  runtime: Runtime,
  deploymentId: number,
  decide: (deployment: Deployment | undefined, now: Date) => Effect | undefined,
): Promise<boolean> =>
  untilUnrefused(async () => {
    const { store, clock, random } = runtime;
    const now = clock();
    const [item] = await store.getMany([keys.deployment(deploymentId)], { consistent: true });
    const before = asDeployment(item);
    const effect = decide(before, now);
    if (!before || !effect) return false;
    const list = notificationList(before.user_id);
    const items = await store.getMany([keys.user(before.user_id), ...editKeys(list)], { consistent: true });
    const user = asUser(items[0]);
    const marks = marksIn(items.find((found) => found?.pk === list.pk));
    const edit = new ListEdit(list, items);
    const messages: Message[] = [...(effect.messages ?? [])];
    let { deployment } = effect;
    for (const told of effect.told) {
      const notification: Notification = {
        ...told,
        notification_id: integerId(now, random),
        deployment_id: before.deployment_id,
        deployment_type: before.kind,
        strategy_id: before.strategy_id,
        created_at: now.toISOString(),
      };
      edit.append({ entity: 'notification', ...notification });
      deployment = { ...deployment, unread: oneMoreUnread(deployment.unread, marks) };
      if (user) messages.push(...messagesOf(before, user, told));
    }
    const ended = isFinalDeploymentStatus(deployment.status) && !isFinalDeploymentStatus(before.status);
    await commit(
      store,
      [edit],
      [
        changedDeploymentWrite(before, deployment),
        ...(ended ? [freeDeploySlot(before.user_id)] : []),
        ...messages.map((message) => outboxWrite(textId(random), message, now)),
      ],
    );
    return true;
  });
