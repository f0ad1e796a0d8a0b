import { invalidSession } from '../api/authenticate.ts';
import type { Call } from '../api/call.ts';
import { HubError } from '../api/errors.ts';
import { commit } from '../data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { budgetOf, isSpent, spendWrite } from '../data/table/budgets.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { MAX_API_KEYS, newKeyWrite, validKeys } from '../data/users/api-keys.ts';
import { type SecurityEventKind, securityEventWrite } from '../data/users/security-events.ts';
import { type ApiKey, asUser } from '../data/users/users.ts';
import { own } from '../domain/unknown-fields.ts';
import { noticeKeys, noticeOf, type UserNotice } from '../lifecycle/user-notices.ts';
import { originOf } from './origin.ts';

interface NewKey {
  /** User and session that ask for it. */
  readonly userId: string;
  readonly sid: string;
  readonly keyId: string;
  readonly key: ApiKey;
  readonly notice: UserNotice;
  readonly event: SecurityEventKind;
}

/**
 * Adds an API key, or the grant of an assistant, to a user, who is notified by all channels.
 *
 * @throws HubError session_invalid, quota_reached
 */
export const addApiKey = async (
  call: Call,
  { userId, sid, keyId, key, notice, event }: NewKey,
): Promise<void> => {
  const { now, store } = call;
  const budget = budgetOf(await call.keyRing(), 'api_keys_user', [userId], now);
  await retryOnConflict(async () => {
    // The keys of a notice have the user among them.
    const items = await store.getMany([budget.key, ...noticeKeys(userId)], { consistent: true });
    const user = asUser(itemWith(items, keys.user(userId)));
    if (!user || !own(user.sessions, sid)) throw invalidSession();
    if (validKeys(user, now).length >= MAX_API_KEYS) {
      throw new HubError(
        'quota_reached',
        `There are ${MAX_API_KEYS} API keys and assistants already. Revoke one first.`,
      );
    }
    if (isSpent(itemWith(items, budget.key), budget)) {
      throw new HubError(
        'quota_reached',
        `At most ${budget.max} API keys are made, and assistants connected, in a day (UTC).`,
      );
    }
    const { edit, writes } = noticeOf(call, userId, notice, { items, now });
    await commit(
      store,
      [edit],
      [
        newKeyWrite(user, keyId, key, { sid, kind: 'session' }),
        spendWrite(budget),
        securityEventWrite(user, { kind: event, ...originOf(call), now }),
        ...writes,
      ],
    );
  });
};
