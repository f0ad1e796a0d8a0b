import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { type PlatformToken, userSchema } from './users.ts';

/** Makes a platform token the user's only active one. @returns false for an unknown user. */
export const activatePlatformToken = async (
  store: Store,
  userId: string,
  token: PlatformToken,
): Promise<boolean> => {
  try {
    await store.update(
      keys.user(userId),
      {
        update: 'SET platform_token = :token',
        condition: 'attribute_exists(pk)',
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
