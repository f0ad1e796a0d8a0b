import { own } from '../../domain/unknown-fields.ts';
import { retryOnConflict } from '../numbered-list/retry.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { findUser, isWhiteLabel } from '../users/users.ts';
import { releaseAccountWrites } from './broker-accounts.ts';

/**
 * Ends a user's link to a white-label broker, releases the account, and ends the platform token and every session
 * but one, in one transaction.
 *
 * @param sid the session that stays.
 * @returns false if the user has no such link.
 * @throws ChangedMeanwhileError
 */
export const unlinkBroker = (
  store: Store,
  { userId, sid, subdomain }: { userId: string; sid: string; subdomain: string },
): Promise<boolean> =>
  retryOnConflict(async () => {
    const user = await findUser(store, userId);
    const link = user && own(user.brokers, subdomain);
    const kept = user && own(user.sessions, sid);
    if (!user || !link || !isWhiteLabel(subdomain)) return false;
    await store.transact([
      ...releaseAccountWrites(user, subdomain),
      {
        key: keys.user(userId),
        update: 'SET sessions = :kept REMOVE brokers.#broker, platform_token',
        // Link and session must be as read; otherwise the next attempt reads them again.
        condition: [
          'brokers.#broker.connected_at = :since',
          kept ? 'sessions.#sid.generation = :generation' : 'attribute_not_exists(sessions.#sid)',
        ].join(' AND '),
        names: { '#broker': subdomain, '#sid': sid },
        values: {
          ':kept': kept ? { [sid]: kept } : {},
          ':since': link.connected_at,
          ...(kept && { ':generation': kept.generation }),
        },
      },
    ]);
    return true;
  });
