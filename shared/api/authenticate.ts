import { verifyAccessToken } from '../auth/access-tokens.ts';
import { verifyPlatformToken } from '../auth/platform-tokens.ts';
import { SessionStore } from '../auth/session-store.ts';
import type { Store } from '../data/table/store.ts';
import { findUser, type User } from '../data/users/users.ts';
import { own } from '../domain/unknown-fields.ts';
import type { Runtime } from '../runtime.ts';
import { type KeyTerms, presentedKey } from './api-key-caller.ts';
import type { Call, HeldKey, PresentedSession } from './call.ts';
import { type CookieRequest, readCookie } from './cookies.ts';
import { HubError } from './errors.ts';
import type { Caller } from './operation.ts';
import { ME, ownStrategyIdOf } from './own-names.ts';
import { unknownUser } from './refusals.ts';
import { admitUser, hasTerms, type UserTerms } from './user-terms.ts';

interface Presented extends Omit<CookieRequest, 'settings'> {
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the bearer token of a request. */
export const bearerOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];

const presentedToken = (request: Presented & CookieRequest): string | undefined => {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const bearer = bearerOf(request.headers);
    if (!bearer) throw new HubError('session_invalid', 'The Authorization header has no bearer token.');
    return bearer;
  }
  return readCookie(request, 'session');
};

/** Refuses a session that has expired or was revoked. */
export const invalidSession = (): HubError =>
  new HubError(
    'session_invalid',
    'The session has expired or was revoked. Sign in again or renew it with /session/relogin.',
  );

/** Identity of a caller. */
export interface Identity {
  readonly session: PresentedSession | undefined;
  /** Access to the table. With a session, it throws once the session is known to be revoked. */
  readonly store: Store;
  /** Returns the API key of the caller; undefined for other callers. Throws an error before the first read. */
  readonly apiKey: () => HeldKey | undefined;
  /** Reads the user, at most once. */
  readonly user: () => Promise<User>;
  /** Checks that the session was not revoked. @throws HubError session_invalid */
  readonly confirm: () => Promise<unknown>;
  /** Checks again, after a wait, that the session has neither expired nor been revoked. @throws HubError session_invalid */
  readonly reconfirm: () => Promise<unknown>;
}

const NO_SESSION = { session: undefined, apiKey: () => undefined, reconfirm: async () => undefined } as const;

/** Returns the identity of a caller with a `user_id` alone, whose user must meet the terms. */
const namedUser = (runtime: Runtime, userId: string, terms: UserTerms, now: Date): Identity => {
  const store = new SessionStore(runtime.store, userId, (user) => {
    if (!user) throw unknownUser();
    return admitUser(user, undefined, terms, now);
  });
  const user = () => store.user();
  return { ...NO_SESSION, store, user, confirm: user };
};

/** Returns the identity of a caller without a session. */
const stranger = ({ store }: Runtime, userId: string | undefined): Identity => {
  let reading: Promise<User | undefined> | undefined;
  return {
    ...NO_SESSION,
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

/** Parameters that name the user of a request. */
interface Named {
  readonly user_id?: string | undefined;
  readonly keygen?: string | undefined;
}

/** Tells whether a request names its user or strategy by the session. */
const namesOwn = (caller: Caller, { user_id: userId, keygen }: Named): boolean =>
  caller === 'deploy_key' ? keygen !== undefined && ownStrategyIdOf(keygen) !== undefined : userId === ME;

/** Terms of a request, those of API keys included: without a scope, no key may make it. */
interface RequestTerms extends KeyTerms {
  readonly now: Date;
  readonly terms?: UserTerms;
}

/**
 * Authenticates the caller of an operation. A session must have a valid signature, not be expired or revoked, and
 * belong to the named user, who is the session's own for `user_id=me`. Operations for `anyone` ignore it, as a browser may send an old cookie with a sign-in.
 * The first read through {@link Identity.store}, or {@link Identity.confirm}, finds out whether the session was
 * revoked. An API key as bearer takes the place of a session where the operation has a scope; the same read checks it.
 *
 * @param request.terms terms that the user must meet, checked with the first read
 * @throws HubError session_invalid, session_required, session_mismatch, cross_site_refused, api_key_invalid,
 *   scope_insufficient; by the first read also network_refused, email_unproven, recovery_wait, step_up_required
 */
export const authenticate = async (
  runtime: Runtime,
  caller: Caller,
  named: Named,
  presented: Presented,
  { now, terms = {}, ...keyTerms }: RequestTerms,
): Promise<Identity> => {
  if (caller === 'anyone' || caller === 'integrator') {
    return stranger(runtime, undefined);
  }
  const token = presentedToken({ ...presented, settings: runtime.settings });
  // For a deploy key, the strategy names the user, not the query.
  const namedUserId = caller === 'deploy_key' ? undefined : named.user_id;
  const isOwn = namesOwn(caller, named);
  if (token === undefined) {
    const isNeeded = caller === 'session' || terms.stepUp === 'always';
    if (isOwn || isNeeded || runtime.settings.HUB_SESSION_POLICY === 'require') {
      throw new HubError('session_required', 'Sign in and send the session as bearer token or cookie.');
    }
    return hasTerms(terms) && namedUserId !== undefined
      ? namedUser(runtime, namedUserId, terms, now)
      : stranger(runtime, namedUserId);
  }
  const most = presented.headers['hub-scopes'];
  const key = presentedKey(bearerOf(presented.headers), { ...keyTerms, most });
  const claims = key?.session ?? (await verifySession(runtime, token, now));
  if (!claims) throw invalidSession();
  if (!isOwn && namedUserId !== undefined && claims.userId !== namedUserId) {
    throw new HubError('session_mismatch', 'The session or API key belongs to another user than user_id.');
  }
  const session = { ...claims, accessToken: token };
  const requireHeld =
    (at: Date) =>
    (user: User | undefined): User => {
      if (key) return admitUser(key.requireHeld(user, at), session, terms, at);
      const held = user && heldBy(user, claims);
      const until = Math.min(claims.expiresAt, held?.expires_at ?? 0);
      if (!user || until * 1000 <= at.getTime()) throw invalidSession();
      return admitUser(user, session, terms, at);
    };
  const store = new SessionStore(runtime.store, claims.userId, requireHeld(now));
  const user = () => store.user();
  const reconfirm = async () => requireHeld(runtime.clock())(await findUser(runtime.store, claims.userId));
  return {
    session,
    apiKey: () => key?.held(),
    store,
    user,
    confirm: key ? async () => key.noteUse(runtime, await user(), now) : user,
    reconfirm,
  };
};

/** Verifies an access token or a platform token. For a platform token, `sid` is the id of the token. */
const verifySession = async (
  runtime: Runtime,
  token: string,
  now: Date,
): Promise<Omit<PresentedSession, 'accessToken'> | undefined> => {
  const ring = await runtime.keyRing();
  const { HUB_PUBLIC_URL: issuer } = runtime.settings;
  const access = await verifyAccessToken(ring, issuer, token, now);
  if (access) return { ...access, kind: 'session', signedIn: true };
  const platform = await verifyPlatformToken(ring, issuer, token, now);
  if (!platform) return undefined;
  const { userId, tokenId, expiresAt, bySession } = platform;
  return { userId, sid: tokenId, expiresAt, kind: 'platform_token', signedIn: bySession };
};

const heldBy = (
  { sessions, platform_token: active }: User,
  { sid, kind }: Pick<PresentedSession, 'sid' | 'kind'>,
): { readonly expires_at: number } | undefined => {
  if (kind === 'session') return own(sessions, sid);
  return active?.token_id === sid ? active : undefined;
};

/** Tells whether a user has a session that has neither expired nor been revoked. */
export const holdsSession = (user: User | undefined, sid: string, at: Date): boolean => {
  const held = own(user?.sessions ?? {}, sid);
  return held !== undefined && held.expires_at * 1000 > at.getTime();
};

/**
 * Authenticates an optional session, for operations of the kind `anyone` that use one.
 *
 * @param options.read reads items of the user, in the same DynamoDB call as the session.
 * @param options.take takes the user of the session.
 * @param options.terms terms that the user must meet.
 * @returns undefined if the request has no session.
 * @throws HubError session_invalid, email_unproven, recovery_wait, step_up_required
 */
export const optionalSession = async (
  call: Call,
  {
    read,
    take,
    terms = {},
  }: {
    read?: (store: Store, userId: string) => Promise<void>;
    take?: (user: User) => void;
    readonly terms?: UserTerms;
  } = {},
): Promise<PresentedSession | undefined> => {
  if (presentedToken(call) === undefined) return undefined;
  const { session, store, user } = await authenticate(call, 'session', {}, call, {
    now: call.now,
    terms,
  });
  if (session) await read?.(store, session.userId);
  const own = await user();
  take?.(own);
  return session;
};

/** Returns the bearer token or the session cookie of a request, not verified. @throws HubError cross_site_refused */
export const sessionToken = (call: Call): string | undefined =>
  bearerOf(call.headers) ?? readCookie(call, 'session');

/**
 * Returns the id of the current session of the user that a token belongs to. A platform token does not count: a program
 * must not change how an account is recovered.
 */
export const sessionOf = async (
  call: Call,
  user: User,
  token: string | undefined,
): Promise<string | undefined> => {
  if (token === undefined) return undefined;
  const claims = await verifyAccessToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, token, call.now);
  return claims?.userId === user.user_id && holdsSession(user, claims.sid, call.now) ? claims.sid : undefined;
};
