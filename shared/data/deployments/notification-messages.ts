import type { Channel } from '../../domain/deployments/signal-frequency.ts';
import { isProven } from '../../domain/proven.ts';
import type { Message, PushText } from '../outbox/messages.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Key } from '../table/writes.ts';
import { hasPushDevices } from '../users/push-registrations.ts';
import { asUser } from '../users/users.ts';
import type { Notification } from './notification.ts';
import { groupOf, wantedChannels } from './notification-groups.ts';

/** Kinds that need not wake a device: starts and planned ends. */
const CAN_WAIT = new Set<Notification['kind']>([
  'deployment_started',
  'deployment_expired',
  'cycle_completed',
]);

/** Builds the push content of a notification: enough for an app to open it, without an identifier of the user. */
const pushTextOf = (notification: Notification): PushText => {
  const { notification_id, kind, deployment_id, deployment_type, symbol, title, body, created_at } =
    notification;
  return {
    title,
    body,
    data: {
      notification_id: String(notification_id),
      kind,
      deployment_type,
      ...(deployment_id !== undefined && { deployment_id: String(deployment_id) }),
      ...(symbol !== undefined && { symbol }),
      created_at,
    },
    urgent: !CAN_WAIT.has(kind),
  };
};

/** Returns the keys of a notification's recipient: the user and the push devices. */
export const recipientKeys = (userId: string): [Key, Key] => [
  keys.user(userId),
  keys.pushRegistrations(userId),
];

/**
 * Builds the messages that carry a notification over the chosen channels. Skips a channel that the owner does not want
 * for this kind, one without a verified destination, and text messages in the free plan.
 *
 * @param recipient the owner, with the items read at {@link recipientKeys}.
 */
export const messagesOf = (
  notification: Notification,
  channels: readonly Channel[],
  { userId, items, now }: { readonly userId: string; readonly items: Items; readonly now: Date },
): Message[] => {
  const user = asUser(itemWith(items, keys.user(userId)));
  if (!user) return [];
  const { title, body } = notification;
  const wanted = wantedChannels(user.notification_preferences, notification.kind, channels, now);
  return wanted.flatMap((channel): Message[] => {
    if (channel === 'email' && isProven(user))
      return [
        {
          kind: 'notification_mail',
          to: user.email,
          title,
          body,
          user_id: userId,
          group: groupOf(notification.kind),
        },
      ];
    if (channel === 'sms' && user.ph_number !== undefined && user.ph_verified && user.plan !== 'free') {
      return [{ kind: 'notification_sms', to: user.ph_number, title, body }];
    }
    if (channel === 'push' && hasPushDevices(itemWith(items, keys.pushRegistrations(userId)))) {
      return [{ kind: 'notification_push', user_id: userId, note: pushTextOf(notification) }];
    }
    return [];
  });
};
