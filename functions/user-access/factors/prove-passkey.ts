import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { type ChallengePurpose, challengeExpiry } from '../../../shared/auth/passkey-challenges.ts';
import {
  PasskeyRefusedError,
  relyingParty,
  userHandle,
  verifyAssertion,
} from '../../../shared/auth/passkeys.ts';
import { originOf } from '../../../shared/callers/origin.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { type Factors, useChallengeWrite, usedPasskeyWrite } from '../../../shared/data/users/factors.ts';
import { securityEventWrite } from '../../../shared/data/users/security-events.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { own } from '../../../shared/domain/unknown-fields.ts';
import { noticeWrite } from './change-factors.ts';
import type { UsedPasskey } from './passkey-response.ts';

/** Answers an unknown passkey, a wrong site, a used challenge and a wrong signature alike. */
export const refusedPasskey = (): HubError =>
  new HubError('passkey_refused', 'The passkey was not accepted. Try again with a new challenge.');

interface Challenged {
  readonly purpose: ChallengePurpose;
  readonly sid?: string;
}

/** Returns the check of a challenge, and after it the write that uses it up. */
export const expectChallenge = async (call: Call, { purpose, sid }: Challenged) => {
  const ring = await call.keyRing();
  const uses: Write[] = [];
  return {
    uses,
    isChallenge: (challenge: string): boolean => {
      const expiry = challengeExpiry(ring, { purpose, sid }, challenge, call.now);
      if (expiry !== undefined) uses.push(useChallengeWrite(challenge, expiry));
      return expiry !== undefined;
    },
  };
};

/** Notifies the owner of a passkey whose counter went back: somebody may have copied it. No-op for a used challenge. */
const noteCopy = async (call: Call, user: User, uses: readonly Write[]): Promise<void> => {
  try {
    await call.store.transact([
      ...uses,
      securityEventWrite(user, { kind: 'passkey_copied', ...originOf(call), now: call.now }),
      noticeWrite(call, user, 'passkey_copied'),
    ]);
  } catch (error) {
    // The same answer of the authenticator, sent again.
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

/**
 * Checks the use of a passkey of a user.
 *
 * @returns the writes that use up the challenge and count the use.
 * @throws HubError passkey_refused
 */
export const provePasskey = async (
  call: Call,
  user: User,
  factors: Factors | undefined,
  response: UsedPasskey,
  challenged: Challenged,
): Promise<readonly Write[]> => {
  const passkey = factors && own(factors.passkeys, response.id);
  const { userHandle: handle } = response.response;
  if (!passkey || (handle !== undefined && handle !== userHandle(user.user_id))) throw refusedPasskey();
  const { uses, isChallenge } = await expectChallenge(call, challenged);
  let counter: number;
  try {
    counter = await verifyAssertion(relyingParty(call.settings), response, passkey, isChallenge);
  } catch (error) {
    if (error instanceof PasskeyRefusedError) throw refusedPasskey();
    throw error;
  }
  // Passkeys that are synchronized between devices do not count.
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
    await noteCopy(call, user, uses);
    throw refusedPasskey();
  }
  return [
    ...uses,
    usedPasskeyWrite(factors, response.id, { before: passkey.counter, counter, now: call.now }),
  ];
};
