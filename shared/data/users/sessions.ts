import { own, withUnknownOf } from '../../domain/unknown-fields.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Update, Write } from '../table/writes.ts';
import {
  asUser,
  type BrokerLink,
  identityWrite,
  type Session,
  STAYS,
  type User,
  unlessLeaving,
  userSchema,
} from './users.ts';

/** The most sessions of a user; a new one replaces the oldest. */
const MAX_SESSIONS = 20;

/** Lifetime of a session without renewal, in seconds. */
export const REFRESH_S = 30 * 24 * 3600;

export interface SessionToOpen {
  readonly sid: string;
  readonly session: Session;
  readonly at: Date;
}

/** Conditions for opening a session, in addition to that the user stays. */
interface Terms {
  /** Requires a link to the broker of this sub-domain. */
  readonly linkedTo?: string | undefined;
  /** Requires that the password is still the one that was checked: a reset ends every session. */
  readonly passwordVersion?: number | undefined;
}

/** A broker account to link to the user. */
interface NewLink {
  readonly subdomain: string;
  readonly link: BrokerLink;
}

/** Returns the sessions to drop to make room for one more: expired ones, then the oldest. */
const surplus = ({ sessions }: User, now: Date): string[] => {
  const nowS = now.getTime() / 1000;
  const byAge = Object.entries(sessions).sort(([, a], [, b]) => b.created_at - a.created_at);
  const alive = byAge.filter(([, { expires_at }]) => expires_at > nowS);
  const kept = new Set(alive.slice(0, MAX_SESSIONS - 1).map(([sid]) => sid));
  return byAge.flatMap(([sid]) => (kept.has(sid) ? [] : [sid]));
};

/** Links to the user that the same write makes. */
interface NewLinks {
  readonly linked?: NewLink;
  /** Partition of an identity. */
  readonly identity?: string;
}

const openingUpdate = (
  { sid, session, at }: SessionToOpen,
  { linkedTo, passwordVersion }: Terms,
): Update => ({
  update: 'SET sessions.#sid = :session, last_login_at = :at',
  condition: [
    STAYS,
    ...(linkedTo === undefined ? [] : ['attribute_exists(brokers.#linked)']),
    ...(passwordVersion === undefined ? [] : ['password_version = :version']),
  ].join(' AND '),
  names: { '#sid': sid, ...(linkedTo !== undefined && { '#linked': linkedTo.toLowerCase() }) },
  values: {
    ':session': session,
    ':at': at.toISOString(),
    ...(passwordVersion !== undefined && { ':version': passwordVersion }),
  },
});

/** Returns the write that opens a session of a user as read and drops surplus sessions. */
const openingWrite = (
  user: User,
  opened: SessionToOpen,
  terms: Terms,
  { linked, identity }: NewLinks = {},
): Write => {
  const change = openingUpdate(opened, terms);
  const held = linked && own(user.brokers, linked.subdomain);
  const dropped = surplus(user, opened.at);
  // A factor that opens a session was not lost.
  const isKept = opened.session.stepped_up_at !== undefined && user.factors?.end_at !== undefined;
  const removed = [
    ...dropped.map((_, index) => `sessions.#s${index}`),
    ...(isKept ? ['factors.end_at'] : []),
  ];
  return {
    key: keys.user(user.user_id),
    ...change,
    update: [
      change.update,
      ...(linked ? [', brokers.#broker = :link'] : []),
      ...(identity === undefined ? [] : [', identities.#identity = :at']),
      // Such an account steps up by its identity alone, which here rests on its mailbox.
      ...(identity !== undefined && user.passwordless ? [', recovered_at = :at'] : []),
      ...(removed.length > 0 ? [` REMOVE ${removed.join(', ')}`] : []),
    ].join(''),
    names: {
      ...change.names,
      ...Object.fromEntries(dropped.map((sid, index) => [`#s${index}`, sid])),
      ...(linked && { '#broker': linked.subdomain }),
      ...(identity !== undefined && { '#identity': identity }),
    },
    values: { ...change.values, ...(linked && { ':link': withUnknownOf(held ?? {}, linked.link) }) },
  };
};

const withSession = (
  user: User,
  { sid, session, at }: SessionToOpen,
  { linked, identity }: NewLinks = {},
): User => ({
  ...user,
  ...(identity !== undefined && { identities: { ...user.identities, [identity]: at.toISOString() } }),
  sessions: { ...user.sessions, [sid]: session },
  ...(linked && { brokers: { ...user.brokers, [linked.subdomain]: linked.link } }),
  last_login_at: at.toISOString(),
});

/**
 * Opens a session. Takes one call, or two if the user has the most sessions allowed.
 *
 * @returns the user afterwards; undefined for an unknown user, or if the user changed meanwhile.
 */
export const openSession = async (
  store: Store,
  userId: string,
  opened: SessionToOpen,
): Promise<User | undefined> => {
  const change = openingUpdate(opened, {});
  try {
    return await store.update(
      keys.user(userId),
      {
        ...change,
        condition: `${change.condition} AND size(sessions) < :max`,
        values: { ...change.values, ':max': MAX_SESSIONS },
      },
      userSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const user = asUser(error.item);
    if (!user || Object.keys(user.sessions).length < MAX_SESSIONS) return undefined;
    try {
      await store.transact([openingWrite(user, opened, {})]);
    } catch (refused) {
      if (refused instanceof TransactionRefusedError) return undefined;
      throw refused;
    }
    return withSession(user, opened);
  }
};

/**
 * Opens a session of a user as read, together with other writes, in one transaction.
 *
 * @returns the user afterwards, or the refused ones of the extra writes; none if the session itself was refused.
 */
export const openSessionWith = async (
  store: Store,
  user: User,
  opened: SessionToOpen,
  { terms = {}, extraWrites, ...links }: { terms?: Terms; extraWrites: readonly Write[] } & NewLinks,
): Promise<{ readonly user: User } | { readonly refused: readonly Write[] }> => {
  try {
    await store.transact([...extraWrites, openingWrite(user, opened, terms, links)]);
    return { user: withSession(user, opened, links) };
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    return { refused: extraWrites.filter((write) => error.has(write)) };
  }
};

/**
 * Links an identity to a user and opens a session, in one transaction; undefined if it was refused. What resets the account
 * meanwhile refuses it, too. For a user without a password it is a recovery.
 */
export const linkIdentity = async (
  store: Store,
  user: User,
  identity: { readonly issuer: string; readonly subject: string },
  opened: SessionToOpen,
  more: readonly Write[],
): Promise<User | undefined> => {
  const extraWrites = [identityWrite(identity, user.user_id), ...more];
  const entered = await openSessionWith(store, user, opened, {
    extraWrites,
    terms: { passwordVersion: user.password_version },
    identity: keys.identity(identity.issuer, identity.subject).pk,
  });
  return 'user' in entered ? entered.user : undefined;
};

interface Rotation {
  /** Generation of the refresh token that the caller presented. */
  readonly generation: number;
  /** Identifier of this rotation. A repeated write after a lost answer recognizes itself by it. */
  readonly by: string;
  readonly expiresAt: number;
  readonly nowS: number;
}

/**
 * Exchanges a refresh token for the next generation. Idempotent per `by`.
 *
 * @returns the user afterwards; `spent` for a token of an earlier generation; `unknown` without such a session.
 */
export const rotateSession = async (
  store: Store,
  userId: string,
  sid: string,
  { generation, by, expiresAt, nowS }: Rotation,
): Promise<User | 'spent' | 'unknown'> => {
  try {
    return await store.update(
      keys.user(userId),
      {
        update:
          'SET sessions.#sid.generation = :next, sessions.#sid.rotated_by = :by, sessions.#sid.expires_at = :expires',
        condition: `sessions.#sid.generation = :presented AND sessions.#sid.expires_at > :now AND ${STAYS}`,
        names: { '#sid': sid },
        values: {
          ':next': generation + 1,
          ':by': by,
          ':expires': expiresAt,
          ':presented': generation,
          ':now': nowS,
        },
      },
      userSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const user = unlessLeaving(asUser(error.item));
    const present = user && own(user.sessions, sid);
    if (!user || !present || present.expires_at <= nowS) return 'unknown';
    if (present.rotated_by === by) return user;
    return present.generation > generation ? 'spent' : 'unknown';
  }
};

/** Changes a user; no-op for an unknown one, or if the condition fails. */
const updateIf = async (store: Store, userId: string, change: Update): Promise<void> => {
  try {
    await store.update(keys.user(userId), change, userSchema);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/** Ends a session of a user; no-op if it has ended already. */
export const endSession = (store: Store, userId: string, sid: string): Promise<void> =>
  updateIf(store, userId, {
    update: 'REMOVE sessions.#sid',
    condition: 'attribute_exists(pk)',
    names: { '#sid': sid },
  });

/** Ends a platform token of a user; no-op if it is not the active one. */
export const endPlatformToken = (store: Store, userId: string, tokenId: string): Promise<void> =>
  updateIf(store, userId, {
    update: 'REMOVE platform_token',
    condition: 'platform_token.token_id = :token',
    values: { ':token': tokenId },
  });

/** Ends sessions of a user, and the platform token if it is among them, in one transaction with other writes. */
export const endSessions = async (
  store: Store,
  { user_id: userId, platform_token: token }: User,
  ended: readonly string[],
  extraWrites: readonly Write[],
): Promise<void> => {
  const sids = ended.filter((sid) => sid !== token?.token_id);
  const removed = sids.map((_, index) => `sessions.#s${index}`);
  const isTokenEnded = token !== undefined && sids.length < ended.length;
  const change: Write = {
    key: keys.user(userId),
    update: `REMOVE ${[...removed, ...(isTokenEnded ? ['platform_token'] : [])].join(', ')}`,
    condition: 'attribute_exists(pk)',
    // Refused if empty.
    ...(sids.length > 0 && { names: Object.fromEntries(sids.map((sid, index) => [`#s${index}`, sid])) }),
  };
  try {
    await store.transact([change, ...extraWrites]);
  } catch (error) {
    // Without the user, there is nothing to end.
    if (!(error instanceof TransactionRefusedError && error.has(change))) throw error;
  }
};
