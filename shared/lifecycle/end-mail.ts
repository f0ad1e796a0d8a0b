import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { TransactionRefusedError } from '../data/table/store.ts';
import type { Write } from '../data/table/writes.ts';
import { preferencesWrite } from '../data/users/notification-preferences.ts';
import { asUser, NO_USER, type User } from '../data/users/users.ts';
import type {
  EndableGroup,
  NotificationPreferences,
} from '../domain/deployments/notification-preferences.ts';
import type { Channel } from '../domain/deployments/signal-frequency.ts';
import type { Runtime } from '../runtime.ts';
import { noticeKeys, noticeOf } from './user-notices.ts';

interface Ending {
  /** Reads the user; undefined for an unknown one. */
  readonly find: () => Promise<string | undefined>;
  readonly groups: readonly EndableGroup[];
  /** Write of the claim that the user asks. Refused for an unknown user. */
  readonly claim: Write;
  /** Notice to the owner, and the channels by which it leaves. It is always listed in the app. */
  readonly notice: { readonly body: string; readonly channels: readonly Channel[] };
}

const GROUP_NAMES: Readonly<Record<EndableGroup, string>> = {
  signals: 'signals',
  fills: 'fills',
  orders: 'orders',
  status: 'the state of deployments',
  risk: 'risk warnings',
};

/** Names groups of notifications, for people. */
export const namesOf = (groups: readonly EndableGroup[]): string =>
  new Intl.ListFormat('en').format(groups.map((group) => GROUP_NAMES[group]));

const withoutMail = (
  { notification_preferences: before }: User,
  groups: readonly EndableGroup[],
): NotificationPreferences => {
  const changed = groups.map((group) => [group, { ...before?.groups[group], email: false }] as const);
  return { rev: 0, ...before, groups: { ...before?.groups, ...Object.fromEntries(changed) } };
};

/** Writes without a change of preferences, so that a request that changes nothing takes as many calls as one that does. */
const settle = async ({ store }: Pick<Runtime, 'store'>, claim: Write): Promise<void> => {
  try {
    await store.transact([claim]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/**
 * Switches the mails of groups off in the preferences of a user, and tells the user in the app. No-op for an unknown user,
 * and for groups that are off. Takes three calls in any case.
 */
export const endMail = (
  runtime: Pick<Runtime, 'store' | 'clock' | 'random'>,
  { find, groups, claim, notice: { body, channels } }: Ending,
): Promise<void> =>
  retryOnConflict(async () => {
    const { store, clock } = runtime;
    const userId = (await find()) ?? NO_USER;
    const items = await store.getMany(noticeKeys(userId), { consistent: true });
    const user = asUser(itemWith(items, keys.user(userId)));
    const ended = groups.filter((group) => user?.notification_preferences?.groups[group]?.email !== false);
    if (!user || ended.length === 0) return settle(runtime, claim);
    const title = `Mail about ${namesOf(ended)} is switched off`;
    const news = { kind: 'mail_ended', severity: 'info', title, body, data: { groups: ended } } as const;
    const notice = noticeOf(runtime, userId, news, { items, now: clock(), channels });
    const changed = preferencesWrite(user, withoutMail(user, ended));
    await commit(store, [notice.edit], [changed, claim, ...notice.writes]);
  });
