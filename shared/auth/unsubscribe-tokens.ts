import * as z from 'zod';
import { retryOnConflict } from '../data/numbered-list/retry.ts';
import { keys } from '../data/table/keys.ts';
import type { Store } from '../data/table/store.ts';
import type { Key, Update, Write } from '../data/table/writes.ts';
import { type Credentials, credentialsSchema } from '../data/users/credentials.ts';
import type { LinkGroup } from '../domain/deployments/notification-preferences.ts';
import { textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { fingerprint, type KeyRing } from './key-ring.ts';

const TOKEN_BYTES = 24;

/** Returns the key of the user whose mails a token ends, by the fingerprint of the token. */
const tokenKey = (tokenHash: string): Key => ({ pk: `UNSUBSCRIBE#${tokenHash}`, sk: 'UNSUBSCRIBE' });

const ownerSchema = z.object({
  user_id: z.string(),
  /** Group whose mails the token ends. */
  group: z.string(),
});

/** Reads the user whose mails of a group a token ends; undefined for an unknown token, and for one of another group. */
export const findUnsubscriber = async (
  store: Store,
  token: string,
  group: LinkGroup,
): Promise<string | undefined> => {
  const found = await store.get(tokenKey(fingerprint(token)), ownerSchema, { consistent: true });
  return found?.group === group ? found.user_id : undefined;
};

/** Returns the write that records the use of a token. Its condition fails for an unknown token. */
export const usedTokenWrite = (token: string, now: Date): Write => ({
  key: tokenKey(fingerprint(token)),
  update: 'SET used_at = :now',
  condition: 'attribute_exists(pk)',
  values: { ':now': now.toISOString() },
});

const tokenOf = (ring: KeyRing, nonce: string, group: LinkGroup): string =>
  ring.mac('unsubscribe', `${nonce} ${group}`).subarray(0, TOKEN_BYTES).toString('base64url');

type Links = NonNullable<Credentials['unsubscribe_links']>;

interface Change {
  readonly group: LinkGroup;
  readonly nonce: string;
  readonly hash: string;
}

/** Returns the change that notes a token in the credentials. Its condition fails if another one was made since `before`. */
const linkUpdate = (before: Links | undefined, { group, nonce, hash }: Change): Update => {
  if (!before) {
    const after = { nonce, token_hashes: { [group]: hash } };
    return {
      update: 'SET unsubscribe_links = :after',
      condition: 'user_id = :user AND attribute_not_exists(unsubscribe_links)',
      values: { ':after': after },
    };
  }
  const was = before.token_hashes[group];
  const path = 'unsubscribe_links.token_hashes.#group';
  return {
    update: `SET ${path} = :hash`,
    condition: `user_id = :user AND unsubscribe_links.nonce = :nonce AND ${was === undefined ? `attribute_not_exists(${path})` : `${path} = :was`}`,
    names: { '#group': group },
    values: {
      ':hash': hash,
      ':nonce': nonce,
      ...(was !== undefined && { ':was': was }),
    },
  };
};

/**
 * Returns the token that ends mails of a group to an address, and makes it at the first mail. It is derived from a nonce
 * of the address, so the table does not hold it. Its hash stays after a rotation of the keys, so links of old mails stay
 * valid.
 *
 * @param found credentials of the address.
 * @returns undefined for an address without a user.
 */
export const unsubscribeTokenOf = async (
  { store, random, keyRing }: Pick<Runtime, 'store' | 'random' | 'keyRing'>,
  { email, group }: { readonly email: string; readonly group: LinkGroup },
  found: Credentials,
): Promise<string | undefined> => {
  const ring = await keyRing();
  let credentials: Credentials | undefined = found;
  return retryOnConflict(async () => {
    const current =
      credentials ?? (await store.get(keys.credentials(email), credentialsSchema, { consistent: true }));
    credentials = undefined;
    if (current?.user_id === undefined) return undefined;
    const { user_id: userId, unsubscribe_links: before } = current;
    const nonce = before?.nonce ?? textId(random);
    const token = tokenOf(ring, nonce, group);
    const hash = fingerprint(token);
    if (before?.token_hashes[group] === hash) return token;
    const { values, ...update } = linkUpdate(before, { group, nonce, hash });
    await store.transact([
      { key: keys.credentials(email), ...update, values: { ...values, ':user': userId } },
      { put: { ...tokenKey(hash), entity: 'unsubscribe_token', user_id: userId, group } },
    ]);
    return token;
  });
};
