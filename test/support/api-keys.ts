import type { Scope } from '../../shared/domain/scopes.ts';
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
