import { newApiKey } from '../../shared/auth/api-keys.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { SCOPES, type Scope } from '../../shared/domain/scopes.ts';
import type { Response, TestHub } from './hub.ts';
import { bearer, stepUp } from './people.ts';

interface Owner {
  readonly user_id: string;
  readonly access_token: string;
}

interface MadeKey {
  readonly api_key: string;
  readonly api_key_id: string;
}

/** Makes an API key in a session that is stepped up. */
export const tryKey = async (
  hub: TestHub,
  { user_id, access_token }: Owner,
  scopes: readonly Scope[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Response> => {
  await stepUp(hub, user_id);
  return hub.call('POST /make_api_key', {
    query: { user_id },
    headers: bearer(access_token),
    json: { name: 'My bot', scopes, ...more },
  });
};

/** Makes an API key of a user, which must succeed. */
export const makeKey = async (...wanted: Parameters<typeof tryKey>): Promise<MadeKey> => {
  const { status, text, body } = await tryKey(...wanted);
  if (status !== 200) throw new Error(`no key was made: ${text}`);
  return body;
};

const DAY_S = 24 * 3600;

/** Puts a key of each scope into a user's record, and returns their texts. */
export const placeKeys = async (
  { runtime }: Pick<TestHub, 'runtime'>,
  userId: string,
): Promise<Readonly<Record<Scope, string>>> => {
  const made = (scope: Scope) => ({ scope, ...newApiKey(userId, runtime.random) });
  const created_at = Math.floor(runtime.clock().getTime() / 1000);
  const placed = SCOPES.map(made);
  const api_keys = Object.fromEntries(
    placed.map(({ keyId, hash, scope }) => [
      keyId,
      { name: scope, hash, scopes: [scope], created_at, expires_at: created_at + DAY_S },
    ]),
  );
  await runtime.store.transact([{ key: keys.user(userId), set: { api_keys } }]);
  const textOf = (scope: Scope) => placed.find((one) => one.scope === scope)?.text ?? '';
  return {
    read: textOf('read'),
    research: textOf('research'),
    'trade:paper': textOf('trade:paper'),
    'trade:real': textOf('trade:real'),
    manage: textOf('manage'),
  };
};
