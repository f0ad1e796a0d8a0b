import { own } from '../../domain/unknown-fields.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { isWhiteLabel, STAYS, type User, userSchema } from '../users/users.ts';

/** Confirms the link of a user to a white-label broker. @returns false if there is none, also if it ended meanwhile */
export const confirmLink = async (
  store: Store,
  user: User,
  subdomain: string,
  now: Date,
): Promise<boolean> => {
  const link = own(user.brokers, subdomain);
  if (!link || !isWhiteLabel(subdomain)) return false;
  try {
    await store.update(
      keys.user(user.user_id),
      {
        update: 'SET brokers.#broker.confirmed_at = :now REMOVE brokers.#broker.pending',
        condition: `${STAYS} AND brokers.#broker.connected_at = :since`,
        names: { '#broker': subdomain },
        values: { ':now': now.toISOString(), ':since': link.connected_at },
      },
      userSchema,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
