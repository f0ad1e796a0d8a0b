import type { Notification } from '../data/deployments/notification.ts';
import { messagesOf, recipientKeys } from '../data/deployments/notification-messages.ts';
import { notificationList } from '../data/deployments/notifications.ts';
import { editKeys, ListEdit } from '../data/numbered-list/list-edit.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import type { Items } from '../data/table/items.ts';
import type { Key, Write } from '../data/table/writes.ts';
import { CHANNELS } from '../domain/deployments/signal-frequency.ts';
import { integerId, textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';

/** Notification to a user that concerns no single deployment. */
export type UserNotice = Pick<Notification, 'kind' | 'severity' | 'title' | 'body' | 'data'>;

/** Returns the keys to read before a user can be notified. */
export const noticeKeys = (userId: string): Key[] => [
  ...recipientKeys(userId),
  ...editKeys(notificationList(userId)),
];

/**
 * Returns the changes that notify a user by all channels that the user wants: the entry in the list, and the messages.
 *
 * @param items read at {@link noticeKeys}.
 * @param channels by which it may leave; all without it.
 */
export const noticeOf = (
  { random }: Pick<Runtime, 'random'>,
  userId: string,
  notice: UserNotice,
  {
    items,
    now,
    channels = CHANNELS,
  }: { readonly items: Items; readonly now: Date; readonly channels?: Parameters<typeof messagesOf>[1] },
): { readonly edit: ListEdit; readonly writes: Write[] } => {
  const notification: Notification = {
    ...notice,
    deployment_type: 'live',
    notification_id: integerId(now, random),
    created_at: now.toISOString(),
  };
  const edit = new ListEdit(notificationList(userId), items);
  edit.append({ entity: 'notification', ...notification });
  const messages = messagesOf(notification, channels, { userId, items, now });
  return { edit, writes: messages.map((message) => outboxWrite(textId(random), message, now)) };
};
