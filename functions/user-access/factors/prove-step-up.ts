import type { Call } from '../../../shared/api/call.ts';
import { verifyPassword } from '../../../shared/auth/passwords.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { findOwners, type User } from '../../../shared/data/users/users.ts';
import { proveCode } from '../common/prove-code.ts';
import { refusedToken, verifyProviderToken } from '../common/provider-token.ts';
import { wrongCode } from '../common/send-code.ts';
import { refusePassword } from '../common/sign-in.ts';
import { attemptSignIn } from '../common/sign-in-budgets.ts';
import { STEP_UP } from './send-step-up-code.ts';

/** Age of an ID token, in milliseconds, up to which its user just signed in. */
const FRESH_MS = 5 * 60_000;

/** Checks a mailed code. @returns the write that uses it up. @throws HubError code_invalid */
export const proveMailedCode = async (call: Call, user: User, code: string): Promise<Write> => {
  const { userId, use } = await proveCode(call, user.email, STEP_UP, code.replace(/\s/g, ''));
  if (userId !== user.user_id) throw wrongCode();
  return use;
};

/** Checks the password of a user. @returns the writes that count it. @throws HubError credentials_invalid, too_many_attempts */
export const provePassword = async (call: Call, user: User, password: string): Promise<readonly Write[]> => {
  const attempt = await attemptSignIn(call, user.email);
  const isRight = await verifyPassword(password, attempt.credentials.password_hash, call);
  return isRight ? attempt.right(undefined) : refusePassword(call, attempt);
};

/** Checks that an identity of the user just signed in at its provider. @throws HubError id_token_invalid, provider_unknown, upstream_failed */
export const proveIdentity = async (
  call: Call,
  { user_id: userId }: User,
  sent: { readonly provider: string; readonly id_token: string; readonly nonce?: string | undefined },
): Promise<void> => {
  const { provider, claims } = await verifyProviderToken(call, sent);
  if (claims.iat * 1000 < call.now.getTime() - FRESH_MS) {
    throw refusedToken('The ID token is too old. Sign in at the provider again.');
  }
  const identity = { issuer: provider.issuer, subject: claims.sub };
  const { byIdentity } = await findOwners(call.store, identity, undefined);
  if (byIdentity !== userId) throw refusedToken('The ID token is of another account.');
};
