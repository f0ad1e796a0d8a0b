import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { type ApiKey, type Holder, type User, userSchema, whileHeld } from './users.ts';

/** The most API keys of a user that have not expired. */
export const MAX_API_KEYS = 20;

/** Seconds between two notes of the use of a key. */
const USE_S = 3600;

/** Lists the keys of a user that have not expired. */
export const validKeys = ({ api_keys: all = {} }: User, now: Date): [id: string, key: ApiKey][] =>
  Object.entries(all).filter(([, { expires_at }]) => expires_at * 1000 > now.getTime());

/**
 * Returns the write that adds a key to a user as read, and drops expired ones. Its condition fails if the keys changed
 * meanwhile, or if the credential of the request has ended.
 */
export const newKeyWrite = (user: User, keyId: string, key: ApiKey, holder: Holder): Write => {
  const held = whileHeld(holder);
  const before = user.api_keys;
  const at = keys.user(user.user_id);
  if (!before) {
    return {
      key: at,
      update: 'SET api_keys = :keys',
      ...held,
      condition: `${held.condition} AND attribute_not_exists(api_keys)`,
      values: { ...held.values, ':keys': { [keyId]: key } },
    };
  }
  const expired = Object.keys(before).filter((id) => (before[id]?.expires_at ?? 0) <= key.created_at);
  return {
    key: at,
    update: [
      'SET api_keys.#key = :key',
      ...(expired.length > 0
        ? [`REMOVE ${expired.map((_, index) => `api_keys.#e${index}`).join(', ')}`]
        : []),
    ].join(' '),
    condition: `${held.condition} AND size(api_keys) = :count`,
    names: {
      ...held.names,
      '#key': keyId,
      ...Object.fromEntries(expired.map((id, index) => [`#e${index}`, id])),
    },
    values: { ...held.values, ':key': key, ':count': Object.keys(before).length },
  };
};

/** Returns the write that revokes a key of a user. Its condition fails if there is no such key. */
export const revokedKeyWrite = (userId: string, keyId: string): Write => ({
  key: keys.user(userId),
  update: 'REMOVE api_keys.#key',
  condition: 'attribute_exists(api_keys.#key)',
  names: { '#key': keyId },
});

/**
 * Notes that a key is in use, at most once an hour: the record that the request read tells when it was noted last. No-op
 * for a key that was revoked meanwhile, and for all but the first of requests at the same time.
 */
export const noteKeyUse = async (store: Store, user: User, keyId: string, now: Date): Promise<void> => {
  const nowS = Math.floor(now.getTime() / 1000);
  const before = nowS - USE_S;
  if ((user.api_keys?.[keyId]?.used_at ?? 0) > before) return;
  try {
    await store.update(
      keys.user(user.user_id),
      {
        update: 'SET api_keys.#key.used_at = :now',
        condition:
          'attribute_exists(api_keys.#key) AND (attribute_not_exists(api_keys.#key.used_at) OR api_keys.#key.used_at <= :before)',
        names: { '#key': keyId },
        values: { ':now': nowS, ':before': before },
      },
      userSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
