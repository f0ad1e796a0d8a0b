import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../shared/auth/passwords.ts';
import {
  AttemptsExhausted,
  type Credentials,
  forgetAttemptsWrite,
  takeAttempt,
} from '../../shared/data/credentials.ts';
import { openSession } from '../../shared/data/sessions.ts';
import type { UserCustomOut } from './records.ts';
import { newSession, presentSession, wrongCredentials } from './session.ts';

export interface Attempt {
  readonly credentials: Credentials;
  readonly forget: boolean;
}

/** What can be the domain of a broker: nobody is linked to anything else. */
const DOMAIN = /^[^\s]{1,253}$/;

/** Takes one of the attempts at an e-mail. @throws HubError too_many_attempts */
export const attemptSignIn = async (call: Call, email: string): Promise<Attempt> => {
  try {
    return await takeAttempt(call.store, email, call.now);
  } catch (error) {
    if (!(error instanceof AttemptsExhausted)) throw error;
    throw new HubError(
      'too_many_attempts',
      'Too many attempts to sign in with this e-mail. Try again later.',
      {
        retryAfterS: (error.until - call.now.getTime()) / 1000,
      },
    );
  }
};

/**
 * Ends an attempt: opens a session when the password is right.
 *
 * @param linkedTo only for users who are linked to the broker of this sub-domain.
 * @throws HubError credentials_invalid
 */
export const finishSignIn = async (
  call: Call,
  { credentials, forget }: Attempt,
  { email, password, linkedTo }: { email: string; password: string; linkedTo?: string },
): Promise<UserCustomOut> => {
  const { user_id: userId, password_hash: hash } = credentials;
  const right = await verifyPassword(password, hash);
  if (linkedTo !== undefined && !DOMAIN.test(linkedTo)) throw wrongCredentials();
  if (!right || userId === undefined || hash === undefined) throw wrongCredentials();

  const rehashed = isOutdated(hash)
    ? { from: hash, to: await hashPassword(password, call.random) }
    : undefined;
  const forgetting = forget ? [forgetAttemptsWrite(email, rehashed)] : [];
  const opened = newSession(call);
  const terms = { linkedTo, passwordVersion: credentials.password_version };
  const entered = await openSession(call.store, userId, opened, terms, forgetting);
  if (!entered) throw wrongCredentials();
  if (!entered.written && forgetting.length > 0) await call.store.transact(forgetting);
  return presentSession(call, entered.user, { sid: opened.sid, generation: 0, isNewUser: false });
};
