import type { Call } from '../../../shared/api/call.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { newPasswordWrite } from '../../../shared/data/users/credentials.ts';
import { asFactors, endedFactorsWrites } from '../../../shared/data/users/factors.ts';
import { resetUserWrite } from '../../../shared/data/users/proofs.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { areRevocable } from '../../../shared/domain/factors.ts';
import { textId } from '../../../shared/ids.ts';

/** Returns the writes that end factors which a thief of the mailbox may have added. */
const factorWrites = async ({ store, now }: Call, user: User): Promise<readonly Write[]> => {
  if (!areRevocable(user, now)) return [];
  const [item] = await store.getMany([keys.factors(user.user_id)], { consistent: true });
  const factors = asFactors(item);
  return factors ? endedFactorsWrites(factors) : [];
};

/**
 * Returns the writes of a new password that a mail authorized: it proves the e-mail, ends sessions, the platform token, API keys
 * and push registrations, and the first time what was made before.
 */
export const newPasswordWrites = async (call: Call, user: User, passwordHash: string): Promise<Write[]> => {
  const { now, random } = call;
  return [
    ...(await factorWrites(call, user)),
    newPasswordWrite(user, passwordHash, now),
    resetUserWrite(user, now),
    { delete: keys.pushRegistrations(user.user_id) },
    outboxWrite(
      textId(random),
      {
        kind: 'account_secured',
        user_id: user.user_id,
        by: 'mail',
        ...(user.proven_at === undefined && { made_before: now.toISOString() }),
      },
      now,
    ),
    securityEventWrite(user, { kind: 'password_reset', ...originOf(call), now }),
  ];
};
