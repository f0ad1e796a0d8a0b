import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { asCredentials } from '../data/users/credentials.ts';
import { isNewStop, type MailStop, stoppedMailWrite } from '../data/users/mail-stops.ts';
import { asUser, unverifiedEmailWrite } from '../data/users/users.ts';
import { CHANNELS } from '../domain/deployments/signal-frequency.ts';
import type { Runtime } from '../runtime.ts';
import { noticeKeys, noticeOf, type UserNotice } from './user-notices.ts';

const BECAUSE: Readonly<Record<MailStop['reason'], string>> = {
  bounce: 'Your mail service refused a mail to your address for good.',
  complaint: 'A mail to your address was reported as spam.',
};

/** Returns the notice to the owner. It does not name the address, as the list of notifications needs no session. */
const noticeText = (reason: MailStop['reason']): UserNotice => ({
  kind: 'mail_stopped',
  severity: 'warning',
  title: 'No more mail goes to your address',
  body: `${BECAUSE[reason]} To get mail again, ask for a code on a device where you are signed in, and set a new password with it.`,
  data: { reason },
});

/** Channels that still reach the owner. */
const OTHER_CHANNELS = CHANNELS.filter((channel) => channel !== 'email');

/** Report on a mail. */
interface Feedback {
  readonly reason: MailStop['reason'];
  /** Time at which the mail was sent. */
  readonly sentAt: Date;
}

/**
 * Stops mail to the address of a user and notifies the user. No-op for an unknown or stopped address, and for a report on a
 * mail from before the owner verified the address again.
 *
 * @returns whether mail was stopped.
 */
export const stopMail = (runtime: Runtime, email: string, { reason, sentAt }: Feedback): Promise<boolean> =>
  retryOnConflict(async () => {
    const { store, clock } = runtime;
    const now = clock();
    const key = keys.credentials(email);
    const credentials = asCredentials(itemWith(await store.getMany([key], { consistent: true }), key));
    const { user_id: userId } = credentials;
    if (userId === undefined || !isNewStop(credentials, sentAt)) return false;
    const items = await store.getMany(noticeKeys(userId), { consistent: true });
    if (!asUser(itemWith(items, keys.user(userId)))) return false;
    const notice = noticeOf(runtime, userId, noticeText(reason), { items, now, channels: OTHER_CHANNELS });
    const stop = stoppedMailWrite({ email, user_id: userId }, { reason, at: now.getTime() }, sentAt);
    await commit(store, [notice.edit], [stop, unverifiedEmailWrite(userId), ...notice.writes]);
    return true;
  });
