import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { type ApiKey, type AssistantGrant, STAYS, userSchema } from './users.ts';

const DAY_S = 24 * 3600;

/** Seconds for which a code can be exchanged. */
const CODE_S = 60;
/** Lifetime of an access token of an assistant, in seconds. */
export const TOKEN_S = 3600;
/** Seconds without a renewal after which a grant ends. */
const IDLE_S = 30 * DAY_S;
/** Seconds after which a grant ends, however often it is renewed. */
const GRANT_S = 90 * DAY_S;

interface NewGrant extends Pick<AssistantGrant, 'client' | 'host' | 'resource' | 'code'> {
  readonly name: string;
  readonly scopes: ApiKey['scopes'];
  readonly nowS: number;
}

/** Makes the record of a grant whose code has not been exchanged. It ends with the code. */
export const newGrant = ({ name, scopes, nowS, client, host, resource, code }: NewGrant): ApiKey => ({
  name,
  hash: '',
  scopes,
  created_at: nowS,
  expires_at: nowS + CODE_S,
  assistant: {
    client,
    ...(host !== undefined && { host }),
    resource,
    code,
    generation: 0,
    token_expires_at: 0,
    until: nowS + GRANT_S,
  },
});

/** A new access token of a grant. */
interface Renewal {
  /** Generation that the caller presented; 0 for a code. */
  readonly from: number;
  readonly hash: string;
  readonly nowS: number;
}

/**
 * Gives a grant its next access token, once per generation.
 *
 * @returns false if the grant has ended, or if another request was first.
 */
export const renewGrant = async (
  store: Store,
  { userId, keyId, until }: { readonly userId: string; readonly keyId: string; readonly until: number },
  { from, hash, nowS }: Renewal,
): Promise<boolean> => {
  const expires = Math.min(nowS + IDLE_S, until);
  try {
    await store.update(
      keys.user(userId),
      {
        update:
          'SET api_keys.#key.#hash = :hash, api_keys.#key.expires_at = :expires, api_keys.#key.assistant.generation = :next, api_keys.#key.assistant.token_expires_at = :token',
        condition: `${STAYS} AND api_keys.#key.assistant.generation = :from AND api_keys.#key.expires_at > :now`,
        names: { '#key': keyId, '#hash': 'hash' },
        values: {
          ':hash': hash,
          ':expires': expires,
          ':next': from + 1,
          ':token': Math.min(nowS + TOKEN_S, expires),
          ':from': from,
          ':now': nowS,
        },
      },
      userSchema,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
