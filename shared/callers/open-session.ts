import type { Call, PresentedSession } from '../api/call.ts';
import { dropCookie, writeCookie } from '../api/cookies.ts';
import { HubError } from '../api/errors.ts';
import { requireOwnSession } from '../api/own-session.ts';
import { signAccessToken } from '../auth/access-tokens.ts';
import { signRefreshToken } from '../auth/refresh-tokens.ts';
import { REFRESH_S, type SessionToOpen } from '../data/users/sessions.ts';
import type { User } from '../data/users/users.ts';
import type { UserCustomOut } from '../records/user.ts';
import { presentUser } from '../records/user.ts';
import { rememberDevice } from './known-device.ts';
import { originOf } from './origin.ts';

const ACCESS_S = 15 * 60;

/** Makes a session that begins now. One that is not renewable ends with its access token. One of a factor is stepped up. */
export const newSession = (call: Call, { renewable = true, steppedUp = false } = {}): SessionToOpen => {
  const { now, random } = call;
  const nowS = Math.floor(now.getTime() / 1000);
  return {
    sid: random(12).toString('base64url'),
    session: {
      generation: 0,
      created_at: nowS,
      expires_at: nowS + (renewable ? REFRESH_S : ACCESS_S),
      ...(steppedUp && { stepped_up_at: nowS }),
      ...originOf(call),
    },
    at: now,
  };
};

interface Presented {
  readonly sid: string;
  readonly generation: number;
  readonly isNewUser: boolean;
  readonly renewable?: boolean;
}

/**
 * Answers with an opened or renewed session: the record, and both tokens as cookies. Marks the device as
 * known, unless the session cannot be renewed.
 */
export const presentSession = async (
  call: Call,
  user: User,
  { sid, generation, isNewUser, renewable = true }: Presented,
): Promise<UserCustomOut> => {
  const expiresAt = Math.floor(call.now.getTime() / 1000) + ACCESS_S;
  const claims = { userId: user.user_id, sid, generation, expiresAt };
  const ring = await call.keyRing();
  const access = await signAccessToken(ring, call.settings.HUB_PUBLIC_URL, claims, call.now);
  const refresh = renewable ? signRefreshToken(ring, { userId: user.user_id, sid, generation }) : null;
  writeCookie(call, 'session', access, ACCESS_S);
  writeCookie(call, 'refresh', refresh ?? '', refresh ? REFRESH_S : 0);
  call.tieTo({ userId: user.user_id, sid });
  if (renewable) await rememberDevice(call, { email: user.email, passwordVersion: user.password_version });
  return {
    ...presentUser(user),
    is_new_user: isNewUser,
    access_token: access,
    token_type: 'bearer',
    expires_in: ACCESS_S,
    refresh_token: refresh,
    login_time: call.now.toISOString(),
  };
};

/** Clears both cookies of an ended session. */
export const dropCookies = (call: Call): void => {
  dropCookie(call, 'session');
  dropCookie(call, 'refresh');
};

/**
 * Answers a wrong e-mail, a wrong password and a user of another broker alike, so that the answer reveals
 * nothing.
 */
export const wrongCredentials = (): HubError =>
  new HubError('credentials_invalid', 'The e-mail or the password is wrong.');

/** Returns the session of a call that requires one. */
export const heldSession = ({ session }: Call): PresentedSession => {
  if (!session) throw new Error('an operation that needs a session was reached without one');
  return session;
};

/**
 * Returns the session of a call that `user_id` alone must not reach.
 *
 * @param forbidden the refused action, such as `shows no sessions`
 * @throws HubError session_required, platform_token_insufficient
 */
export const ownSession = (call: Call, forbidden: string): PresentedSession => {
  requireOwnSession(call, 'Sessions require the session of the user. Sign in.', forbidden);
  return heldSession(call);
};
