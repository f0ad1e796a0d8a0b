import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { type Holder, type PlatformToken, userSchema, whileHeld } from './users.ts';

/**
 * Makes a platform token the user's only active one.
 *
 * @param holder asks for it.
 * @returns false for an unknown user and one who leaves, or if the session has ended.
 */
export const activatePlatformToken = async (
  store: Store,
  userId: string,
  token: PlatformToken,
  holder: Holder | undefined,
): Promise<boolean> => {
  const held = whileHeld(holder);
  try {
    await store.update(
      keys.user(userId),
      {
        update: 'SET platform_token = :token',
        ...held,
        values: { ...held.values, ':token': token },
      },
      userSchema,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
