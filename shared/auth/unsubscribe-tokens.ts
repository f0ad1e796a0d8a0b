import * as z from 'zod';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { keys } from '../data/table/keys.ts';
import type { Store } from '../data/table/store.ts';
import type { Key, Write } from '../data/table/writes.ts';
import { type Credentials, credentialsSchema } from '../data/users/credentials.ts';
import { textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { fingerprint, type KeyRing } from './key-ring.ts';

const TOKEN_BYTES = 24;

/** Returns the key of the user whose mails a token ends, by the fingerprint of the token. */
const tokenKey = (tokenHash: string): Key => ({ pk: `UNSUBSCRIBE#${tokenHash}`, sk: 'UNSUBSCRIBE' });

const ownerSchema = z.object({ user_id: z.string() });

/** Reads the user whose mails a token ends; undefined for an unknown token. */
export const findUnsubscriber = async (store: Store, token: string): Promise<string | undefined> =>
  (await store.get(tokenKey(fingerprint(token)), ownerSchema, { consistent: true }))?.user_id;

/** Returns the write that records the use of a token. Its condition fails for an unknown token. */
export const usedTokenWrite = (token: string, now: Date): Write => ({
  key: tokenKey(fingerprint(token)),
  update: 'SET used_at = :now',
  condition: 'attribute_exists(pk)',
  values: { ':now': now.toISOString() },
});

const tokenOf = (ring: KeyRing, nonce: string): string =>
  ring.mac('unsubscribe', nonce).subarray(0, TOKEN_BYTES).toString('base64url');

/** Returns the writes of a token of a user. Their condition fails if another one was made since the credentials were read. */
const tokenWrites = (
  email: string,
  userId: string,
  before: Credentials['unsubscribe'],
  after: NonNullable<Credentials['unsubscribe']>,
): Write[] => [
  {
    key: keys.credentials(email),
    update: 'SET unsubscribe = :after',
    condition: `user_id = :user AND ${before ? 'unsubscribe.token_hash = :before' : 'attribute_not_exists(unsubscribe)'}`,
    values: { ':after': after, ':user': userId, ...(before && { ':before': before.token_hash }) },
  },
  { put: { ...tokenKey(after.token_hash), entity: 'unsubscribe_token', user_id: userId } },
];

/**
 * Returns the token that ends mails to an address, and makes it at the first mail. It is derived from a nonce of the
 * address, so the table does not hold it. Its hash stays after a rotation of the keys, so links of old mails stay valid.
 *
 * @param found credentials of the address.
 * @returns undefined for an address without a user.
 */
export const unsubscribeTokenOf = async (
  { store, random, keyRing }: Pick<Runtime, 'store' | 'random' | 'keyRing'>,
  email: string,
  found: Credentials,
): Promise<string | undefined> => {
  const ring = await keyRing();
  let credentials: Credentials | undefined = found;
  return retryOnConflict(async () => {
    credentials ??= await store.get(keys.credentials(email), credentialsSchema, { consistent: true });
    const { user_id: userId, unsubscribe: before } = credentials ?? {};
    credentials = undefined;
    if (userId === undefined) return undefined;
    const nonce = before?.nonce ?? textId(random);
    const token = tokenOf(ring, nonce);
    const token_hash = fingerprint(token);
    if (before?.token_hash !== token_hash) {
      await store.transact(tokenWrites(email, userId, before, { nonce, token_hash }));
    }
    return token;
  });
};
