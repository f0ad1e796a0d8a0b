import { unsubscribeTokenOf } from '../../auth/unsubscribe-tokens.ts';
import { MailHeldError, sendMail } from '../../channels/mail.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { type Budget, budgetOf, isSpent, spend } from '../../data/table/budgets.ts';
import { itemWith } from '../../data/table/items.ts';
import { keys } from '../../data/table/keys.ts';
import { asCredentials, type Credentials } from '../../data/users/credentials.ts';
import { asUser } from '../../data/users/users.ts';
import {
  groupsOf,
  isEndable,
  PREFERENCE_GROUPS,
  type PreferenceGroup,
} from '../../domain/deployments/notification-preferences.ts';
import { namesOf } from '../../lifecycle/end-mail.ts';
import type { Runtime } from '../../runtime.ts';
import { DeliveryRefusedError } from '../failures.ts';
import { heldForQuota, requireRoom } from '../mail-room.ts';

/** Returns the link that stops the mails of a group. */
const linkOf = ({ settings }: Runtime, token: string, group: string): string =>
  `${settings.HUB_PUBLIC_URL}/unsubscribe?${new URLSearchParams({ token, group })}`;

const footerOf = (link: string): string =>
  `\n\n-- \nTo stop mails of this kind: ${link}\nThe settings of the app have all kinds.`;

/** Returns the budget of mails that no limit of a deployment counts: a user could use up the quota of all with them. */
const budgetFor = async (
  { keyRing, clock }: Runtime,
  userId: string,
  group: PreferenceGroup,
): Promise<Budget | undefined> =>
  group === 'security' || group === 'risk'
    ? budgetOf(await keyRing(), 'mail_user', [userId, group], clock())
    : undefined;

/** @throws DeliveryRefusedError for an address to which mail is stopped. */
const requireMailable = ({ mail_stopped }: Credentials): void => {
  if (mail_stopped) {
    throw new DeliveryRefusedError(`mail to the address is stopped after a ${mail_stopped.reason}`);
  }
};

/** @throws RetryLaterError while SES takes no mail, or only the part of the quota for codes is left. */
const sendInRoom = async (runtime: Runtime, mail: Parameters<typeof sendMail>[1]): Promise<void> => {
  await requireRoom(runtime);
  await sendMail(runtime, mail).catch((error: unknown) => {
    throw error instanceof MailHeldError ? heldForQuota(error.message) : error;
  });
};

/**
 * Sends the mail with the link that stops mails. Somebody named the address, so the mail is needed for a proof.
 *
 * @throws RetryLaterError, DeliveryRefusedError as {@link sendNotificationMail}
 */
export const sendUnsubscribeMail = async (
  runtime: Runtime,
  deliveryId: string,
  { to }: MessageOf<'unsubscribe_mail'>,
): Promise<void> => {
  const [item] = await runtime.store.getMany([keys.credentials(to)]);
  const credentials = asCredentials(item);
  requireMailable(credentials);
  const token = await unsubscribeTokenOf(runtime, { email: to, group: 'all' }, credentials);
  // The account is gone.
  if (token === undefined) return;
  const unsubscribeUrl = linkOf(runtime, token, 'all');
  const text = [
    'Somebody asked for an end of our mails to this address.',
    '',
    `To stop mails about ${namesOf(groupsOf('all'))}: ${unsubscribeUrl}`,
    '',
    'If it was not you, ignore this mail: nothing changes without the link. Warnings of limits and security still come.',
  ].join('\n');
  await sendInRoom(runtime, { to, deliveryId, subject: 'Stop our mails', text, unsubscribeUrl });
};

/**
 * Sends the mail of a notification. Skips one that its owner has switched off since, one of a deleted account, and one beyond
 * the most of a day, which is in the app. All but security news have the link that stops mails of their kind.
 *
 * @throws RetryLaterError while SES takes no mail, or only the part of the quota for codes is left.
 * @throws DeliveryRefusedError for an address to which mail is stopped.
 */
export const sendNotificationMail = async (
  runtime: Runtime,
  deliveryId: string,
  { to, title, body, user_id: userId, group: named }: MessageOf<'notification_mail'>,
): Promise<void> => {
  // A group of a newer version cannot be switched off here.
  const group = PREFERENCE_GROUPS.find((one) => one === named);
  const key = keys.credentials(to);
  const userKey = userId === undefined ? undefined : keys.user(userId);
  const budget =
    userId === undefined || group === undefined ? undefined : await budgetFor(runtime, userId, group);
  const wanted = [key, ...(userKey ? [userKey] : []), ...(budget ? [budget.key] : [])];
  const items = await runtime.store.getMany(wanted);
  const credentials = asCredentials(itemWith(items, key));
  requireMailable(credentials);
  let unsubscribeUrl: string | undefined;
  if (userKey && group) {
    const user = asUser(itemWith(items, userKey));
    if (!user || user.notification_preferences?.groups[group]?.email === false) return;
    const token = isEndable(group)
      ? await unsubscribeTokenOf(runtime, { email: to, group }, credentials)
      : undefined;
    if (token !== undefined) unsubscribeUrl = linkOf(runtime, token, group);
  }
  if (budget && isSpent(itemWith(items, budget.key), budget)) {
    runtime.log.warn('a mail is left out: its user has had the most of a day', { group });
    return;
  }
  const text = unsubscribeUrl === undefined ? body : `${body}${footerOf(unsubscribeUrl)}`;
  await sendInRoom(runtime, { to, deliveryId, subject: title, text, unsubscribeUrl });
  if (budget) await spend(runtime.store, budget);
};
