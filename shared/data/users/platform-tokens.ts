import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { type PlatformToken, STAYS, userSchema } from './users.ts';

/**
 * Makes a platform token the user's only active one.
 *
 * @param sid session that asks. A reset of the password may end it meanwhile, and then must end its token, too.
 * @returns false for an unknown user and one who leaves, or if the session has ended.
 */
export const activatePlatformToken = async (
  store: Store,
  userId: string,
  token: PlatformToken,
  sid: string | undefined,
): Promise<boolean> => {
  try {
    await store.update(
      keys.user(userId),
      {
        update: 'SET platform_token = :token',
        condition: sid === undefined ? STAYS : `${STAYS} AND attribute_exists(sessions.#sid)`,
        ...(sid !== undefined && { names: { '#sid': sid } }),
        values: { ':token': token },
      },
      userSchema,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
