import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { findCode } from '../../../shared/data/users/one-time-codes.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { isProven } from '../../../shared/domain/proven.ts';

/**
 * Vouches for a person without a mailbox: proves the e-mail, confirms the brokers of the registration, and takes the mail of
 * the registration out of the outbox. No-op for a proven user.
 */
export const vouchFor = async (store: Store, userId: string, now: Date): Promise<void> => {
  const user = await findUser(store, userId);
  if (!user || isProven(user)) return;
  const { code } = await findCode(store, user.email, 'email_proof');
  const brokers = Object.entries(user.brokers).map(([domain, { pending: _, ...link }]) => [domain, link]);
  await store.transact([
    {
      key: keys.user(userId),
      set: {
        email_verified: true,
        proven_at: now.toISOString(),
        brokers: Object.fromEntries(brokers),
      },
    },
    ...(code ? [{ delete: keys.outbox(code.nonce) }] : []),
  ]);
};
