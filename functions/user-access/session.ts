import type { Call, PresentedSession } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { signAccessToken } from '../../shared/auth/access-tokens.ts';
import { SESSION_COOKIE } from '../../shared/auth/authenticate.ts';
import { fingerprint } from '../../shared/auth/key-ring.ts';
import { formatRefreshToken } from '../../shared/auth/refresh-tokens.ts';
import type { Session, User } from '../../shared/data/users.ts';
import { presentUser } from './present-user.ts';
import type { UserCustomOut } from './records.ts';

const ACCESS_S = 15 * 60;
const REFRESH_S = 30 * 24 * 3600;
/** Sessions that a user may have at once; the oldest gives way. */
const MAX_SESSIONS = 20;

export const REFRESH_COOKIE = 'refresh_token';
const REFRESH_PATH = '/session/relogin';

/** A session about to be written, with the secret that only its owner will know. */
export interface NewSession {
  readonly sid: string;
  readonly secret: string;
  readonly session: Session;
  readonly at: Date;
}

/** Makes a session that begins now. */
export const newSession = ({ now, random }: Call): NewSession => {
  const secret = random(32).toString('base64url');
  const nowS = Math.floor(now.getTime() / 1000);
  return {
    sid: random(12).toString('base64url'),
    secret,
    session: { refresh: fingerprint(secret), created_at: nowS, expires_at: nowS + REFRESH_S },
    at: now,
  };
};

/** The next secret of a session and until when it holds. */
export const nextSecret = ({ now, random }: Call): { secret: string; expiresAt: number } => ({
  secret: random(32).toString('base64url'),
  expiresAt: Math.floor(now.getTime() / 1000) + REFRESH_S,
});

/** Sessions that are over, and the oldest of those beyond the limit: to be dropped when one is added. */
export const surplusSessions = (user: User, now: Date): string[] => {
  const nowS = now.getTime() / 1000;
  const byAge = Object.entries(user.sessions).sort(([, a], [, b]) => b.created_at - a.created_at);
  const alive = byAge.filter(([, { expires_at }]) => expires_at > nowS);
  const kept = new Set(alive.slice(0, MAX_SESSIONS).map(([sid]) => sid));
  return byAge.flatMap(([sid]) => (kept.has(sid) ? [] : [sid]));
};

const cookie = (name: string, value: string, maxAge: number, path: string): string =>
  `${name}=${value}; Max-Age=${maxAge}; Path=${path}; HttpOnly; Secure; SameSite=Lax`;

/** Answers with a session that was just opened or renewed: the record, and both tokens as cookies. */
export const presentSession = async (
  call: Call,
  user: User,
  { sid, secret, isNewUser }: { sid: string; secret: string; isNewUser: boolean },
): Promise<UserCustomOut> => {
  const expiresAt = Math.floor(call.now.getTime() / 1000) + ACCESS_S;
  const claims = { userId: user.user_id, sid, expiresAt };
  const access = await signAccessToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, claims, call.now);
  const refresh = formatRefreshToken({ userId: user.user_id, sid, secret });
  call.setCookie(cookie(SESSION_COOKIE, access, ACCESS_S, '/'));
  call.setCookie(cookie(REFRESH_COOKIE, refresh, REFRESH_S, REFRESH_PATH));
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

/** Takes both cookies back from a client whose session is over. */
export const dropCookies = (call: Call): void => {
  call.setCookie(cookie(SESSION_COOKIE, '', 0, '/'));
  call.setCookie(cookie(REFRESH_COOKIE, '', 0, REFRESH_PATH));
};

/** The one answer to a wrong e-mail, a wrong password, and a user of another broker. */
export const wrongCredentials = (): HubError =>
  new HubError('credentials_invalid', 'The e-mail or the password is wrong.');

/** The session of a call that cannot be made without one. */
export const heldSession = ({ session }: Call): PresentedSession => {
  if (!session) throw new Error('an operation that needs a session was reached without one');
  return session;
};
