import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../shared/auth/passwords.ts';
import {
  AttemptsExhausted,
  type Credentials,
  forgetAttemptsWrite,
  takeAttempt,
} from '../../shared/data/credentials.ts';
import { addSession, endSessionsWrite } from '../../shared/data/users.ts';
import type { UserCustomOut } from './records.ts';
import { newSession, presentSession, surplusSessions, wrongCredentials } from './session.ts';

export interface Attempt {
  readonly credentials: Credentials;
  readonly forget: boolean;
}

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
  if (!right || userId === undefined || hash === undefined) throw wrongCredentials();

  const opened = newSession(call);
  const user = await addSession(call.store, userId, { ...opened, linkedTo });
  if (!user) throw wrongCredentials();

  if (forget) {
    const rehashed = isOutdated(hash) ? await hashPassword(password, call.random) : undefined;
    const surplus = surplusSessions(user, call.now);
    await call.store.transact([
      forgetAttemptsWrite(email, rehashed),
      ...(surplus.length > 0 ? [endSessionsWrite(userId, surplus)] : []),
    ]);
  }
  return presentSession(call, user, { sid: opened.sid, secret: opened.secret, isNewUser: false });
};
