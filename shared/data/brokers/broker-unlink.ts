import { own } from '../../domain/own.ts';
import { keys } from '../table/keys.ts';
import { retryOnConflict } from '../table/retry.ts';
import type { Store } from '../table/store.ts';
import { findUser } from '../users/users.ts';
import { releaseAccountWrites } from './broker-accounts.ts';

/** What is no sub-domain among a user's brokers, such as partner C, has a name that begins like this. */
const isSubdomain = (name: string): boolean => !name.startsWith('@');

/**
 * Ends a user's link to a white-label broker and lets go of its account, and with them every session but
 * one and the platform token, all or nothing.
 *
 * @param sid the session that stays.
 * @returns false where the user has no such link.
 * @throws HubError changed_meanwhile
 */
export const unlinkBroker = (
  store: Store,
  { userId, sid, subdomain }: { userId: string; sid: string; subdomain: string },
): Promise<boolean> =>
  retryOnConflict(async () => {
    const user = await findUser(store, userId);
    const link = user && own(user.brokers, subdomain);
    const kept = user && own(user.sessions, sid);
    if (!user || !link || !isSubdomain(subdomain)) return false;
    await store.transact([
      ...releaseAccountWrites(user, subdomain),
      {
        key: keys.user(userId),
        update: 'SET sessions = :kept REMOVE brokers.#broker, platform_token',
        // The link and the session as they were read: what comes in between is read anew.
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
