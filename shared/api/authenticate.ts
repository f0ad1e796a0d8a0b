import { verifyAccessToken } from '../auth/access-tokens.ts';
import { verifyPlatformToken } from '../auth/platform-tokens.ts';
import { SessionStore } from '../auth/session-store.ts';
import type { Store } from '../data/table/store.ts';
import { findUser, type User } from '../data/users/users.ts';
import { own } from '../domain/own.ts';
import type { Runtime } from '../runtime.ts';
import type { Call, PresentedSession } from './call.ts';
import { type CookieRequest, readCookie } from './cookies.ts';
import { HubError } from './errors.ts';
import type { Caller } from './operation.ts';
import { unknownUser } from './refusals.ts';

interface Presented extends Omit<CookieRequest, 'settings'> {
  readonly headers: Readonly<Record<string, string>>;
}

/** The bearer credential of a request, or undefined. */
export const bearerOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];

const presentedToken = (request: Presented & CookieRequest): string | undefined => {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const bearer = bearerOf(request.headers);
    if (!bearer) throw new HubError('session_invalid', 'The Authorization header holds no bearer token.');
    return bearer;
  }
  return readCookie(request, 'session');
};

const invalid = (): HubError =>
  new HubError(
    'session_invalid',
    'The session is over or was ended: sign in again or renew it with /session/relogin.',
  );

/** Who calls. */
export interface Identity {
  readonly session: PresentedSession | undefined;
  /** The table as they may see it: with a session, as long as that is held. */
  readonly store: Store;
  /** The user, read at most once. */
  readonly user: () => Promise<User>;
  /** Waits until it is known that the session is held. @throws HubError session_invalid */
  readonly confirm: () => Promise<unknown>;
}

/** Somebody without a session, who may name a user. */
const stranger = ({ store }: Runtime, userId: string | undefined): Identity => {
  let reading: Promise<User | undefined> | undefined;
  return {
    session: undefined,
    store,
    user: async () => {
      if (userId === undefined) throw new Error('an operation without a user asked for its user');
      reading ??= findUser(store, userId);
      const user = await reading;
      if (!user) throw unknownUser();
      return user;
    },
    confirm: async () => undefined,
  };
};

/**
 * Establishes who calls an operation. A session that is presented to an operation of a user must hold
 * (signature, time, and not ended meanwhile) and be that user's. Operations that anyone may call don't
 * look at it: a browser sends an old cookie with every sign-in. That it was not ended meanwhile is found as
 * the table is first read through {@link Identity.store}, or is confirmed.
 *
 * @throws HubError session_invalid, session_required, session_mismatch, cross_site_refused
 */
export const authenticate = async (
  runtime: Runtime,
  caller: Caller,
  namedUserId: string | undefined,
  presented: Presented,
  now: Date,
): Promise<Identity> => {
  if (caller === 'anyone' || caller === 'integrator') {
    return stranger(runtime, undefined);
  }
  const token = presentedToken({ ...presented, settings: runtime.settings });
  if (token === undefined) {
    if (caller === 'session' || runtime.settings.HUB_SESSION_POLICY === 'require') {
      throw new HubError('session_required', 'Sign in and send the session as bearer token or cookie.');
    }
    return stranger(runtime, caller === 'deploy_key' ? undefined : namedUserId);
  }
  const claims = await verifySession(runtime, token, now);
  if (!claims) throw invalid();
  // The owner of a deploy key is named by its strategy, not by the query.
  if (caller !== 'deploy_key' && namedUserId !== undefined && claims.userId !== namedUserId) {
    throw new HubError('session_mismatch', 'The session is not that of the user whom user_id names.');
  }
  const store = new SessionStore(runtime.store, claims.userId, (user) => {
    const held = user && heldBy(user, claims);
    if (!held || held.expires_at * 1000 <= now.getTime()) throw invalid();
    return user;
  });
  const user = () => store.user();
  return { session: { ...claims, accessToken: token }, store, user, confirm: user };
};

/** What a token that signs calls says: an access token, or a platform token, whose id stands for the session's. */
const verifySession = async (
  runtime: Runtime,
  token: string,
  now: Date,
): Promise<Omit<PresentedSession, 'accessToken'> | undefined> => {
  const ring = await runtime.keyRing();
  const { HUB_PUBLIC_URL: issuer } = runtime.settings;
  const access = await verifyAccessToken(ring, issuer, token, now);
  if (access) return { ...access, platform: false, signedIn: true };
  const platform = await verifyPlatformToken(ring, issuer, token, now);
  if (!platform) return undefined;
  const { userId, tokenId, expiresAt, bySession } = platform;
  return { userId, sid: tokenId, expiresAt, platform: true, signedIn: bySession };
};

const heldBy = (
  { sessions, platform_token: active }: User,
  { sid, platform }: { sid: string; platform: boolean },
): { readonly expires_at: number } | undefined => {
  if (!platform) return own(sessions, sid);
  return active?.token_id === sid ? active : undefined;
};

/**
 * The session that comes with a call which anyone may make; undefined where none does. For operations that
 * do look at one.
 *
 * @param readAlong what to read of its user in the same call.
 * @throws HubError session_invalid for one that does not hold.
 */
export const sessionAlong = async (
  call: Call,
  readAlong?: (store: Store, userId: string) => Promise<void>,
): Promise<PresentedSession | undefined> => {
  if (presentedToken(call) === undefined) return undefined;
  const { session, store, confirm } = await authenticate(call, 'session', undefined, call, call.now);
  if (session) await readAlong?.(store, session.userId);
  await confirm();
  return session;
};

/** The token that may be a session's, of a call that anyone may make. @throws HubError cross_site_refused */
export const sessionToken = (call: Call): string | undefined =>
  bearerOf(call.headers) ?? readCookie(call, 'session');

/**
 * Says whether a token is that of a session which this user holds. A platform token is none: a program's token
 * is not to change what the account is recovered by.
 */
export const isSessionOf = async (call: Call, user: User, token: string | undefined): Promise<boolean> => {
  if (token === undefined) return false;
  const claims = await verifyAccessToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, token, call.now);
  if (claims?.userId !== user.user_id) return false;
  const held = own(user.sessions, claims.sid);
  return held !== undefined && held.expires_at * 1000 > call.now.getTime();
};
