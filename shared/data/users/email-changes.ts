import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { type Credentials, freeEmail, NEVER_S } from './credentials.ts';
import { endedSince, type Factors } from './factors.ts';
import { type EmailChange, type Holder, PROGRAMS, STAYS, type User, whileHeld } from './users.ts';

/** Time for which the former address can undo a change, and nobody else gets it. */
const UNDO_MS = 72 * 3_600_000;

/** Returns the last time at which the change of an e-mail can be undone; undefined if none can be. */
export const undoableUntil = ({ email_change: change }: User, now: Date): string | undefined =>
  change && change.undone_at === undefined && change.until > now.toISOString() ? change.until : undefined;

/** Describes a change of the e-mail of a user that happens now. */
export const newEmailChange = (user: User, changeId: string, now: Date): EmailChange => ({
  change_id: changeId,
  from: user.email,
  changed_at: now.toISOString(),
  until: new Date(now.getTime() + UNDO_MS).toISOString(),
});

/** Returns the write that gives an e-mail to a user. Its condition fails if somebody has it, or it is reserved. */
const claimWrite = (
  email: string,
  { user_id }: User,
  { password_hash, password_version }: Credentials,
  now: Date,
): Write => ({
  put: {
    ...keys.credentials(email),
    entity: 'credentials',
    user_id,
    password_hash,
    password_version,
    mail_restored_at: now.getTime(),
    expires_at_s: NEVER_S,
  },
  if: freeEmail(now),
});

/** Condition that the e-mail is that of the user, with the password as read. */
const asRead = ({ user_id, password_version }: User) => ({
  condition: 'user_id = :user AND password_version = :version',
  values: { ':user': user_id, ':version': password_version },
});

interface Move {
  readonly user: User;
  /** Of the present e-mail. */
  readonly credentials: Credentials;
  readonly to: string;
  /** Session that asks. */
  readonly holder: Holder;
  readonly now: Date;
}

interface MoveWrites {
  /** Refused if somebody else has the e-mail. */
  readonly claim: Write;
  readonly others: readonly Write[];
}

/**
 * Returns the writes that replace the e-mail of a user by another one that the user has proven. The former one is reserved,
 * so that a change can be undone.
 */
export const changeEmailWrites = (
  { user, credentials, to, holder, now }: Move,
  change: EmailChange,
): MoveWrites => {
  const held = whileHeld(holder);
  const untilS = Math.ceil(Date.parse(change.until) / 1000);
  return {
    claim: claimWrite(to, user, credentials, now),
    others: [
      {
        key: keys.credentials(user.email),
        update:
          'SET reserved = :reserved, expires_at_s = :expiry REMOVE user_id, password_hash, password_version, unsubscribe_links, mail_stopped, mail_restored_at, attempts, attempts_from',
        condition: asRead(user).condition,
        values: {
          ...asRead(user).values,
          ':reserved': { user_id: user.user_id, until: untilS },
          ':expiry': untilS,
        },
      },
      {
        key: keys.user(user.user_id),
        update: 'SET email = :to, email_verified = :yes, email_change = :change',
        ...held,
        condition: `${held.condition} AND email = :from AND attribute_exists(proven_at) AND (attribute_not_exists(email_change) OR attribute_exists(email_change.undone_at) OR email_change.#until <= :now)`,
        names: { ...held.names, '#until': 'until' },
        values: {
          ...held.values,
          ':to': to,
          ':yes': true,
          ':change': change,
          ':from': user.email,
          ':now': now.toISOString(),
        },
      },
    ],
  };
};

/** Returns the writes that replace an e-mail that nobody has ever proven. Somebody else may have it at once. */
export const correctEmailWrites = ({ user, credentials, to, holder, now }: Move): MoveWrites => {
  const held = whileHeld(holder);
  return {
    claim: claimWrite(to, user, credentials, now),
    others: [
      { delete: keys.credentials(user.email), if: asRead(user) },
      {
        key: keys.user(user.user_id),
        update: 'SET email = :to',
        ...held,
        condition: `${held.condition} AND email = :from AND attribute_not_exists(proven_at)`,
        values: { ...held.values, ':to': to, ':from': user.email },
      },
    ],
  };
};

/**
 * Returns the writes that give a user the former e-mail back, and end all that can sign in: sessions, the platform token, API
 * keys, the password, identities that were linked since the change, and second factors that were added since 72 hours before
 * it. It counts as a recovery. Their conditions fail if it was undone, or if something was added meanwhile.
 */
export const undoEmailWrites = (
  user: User,
  change: EmailChange,
  factors: Factors | undefined,
  now: Date,
): Write[] => {
  // A thief may add a factor before the change.
  const suspectFrom = new Date(Date.parse(change.changed_at) - UNDO_MS).toISOString();
  const kept = factors && endedSince(factors, suspectFrom);
  const linked = Object.entries(user.identities).filter(([, at]) => at >= change.changed_at);
  return [
    {
      key: keys.credentials(change.from),
      update:
        'SET user_id = :user, password_version = :next, mail_restored_at = :now, expires_at_s = :never REMOVE reserved, attempts, attempts_from',
      condition: 'reserved.user_id = :user',
      values: {
        ':user': user.user_id,
        ':next': user.password_version + 1,
        ':now': now.getTime(),
        ':never': NEVER_S,
      },
    },
    {
      delete: keys.credentials(user.email),
      if: { condition: 'user_id = :user', values: { ':user': user.user_id } },
    },
    ...(kept?.writes ?? []),
    ...linked.map(([pk]) => ({ delete: { ...keys.identity('', ''), pk } })),
    {
      key: keys.user(user.user_id),
      update: [
        'SET email = :from, email_verified = :yes, sessions = :none, password_version = :next, email_change.undone_at = :at, recovered_at = :at',
        ...(kept?.counts ? [', factors = :factors'] : []),
        ` REMOVE ${[PROGRAMS, ...(kept?.counts ? [] : ['factors']), ...linked.map((_, index) => `identities.#i${index}`)].join(', ')}`,
      ].join(''),
      condition: `${STAYS} AND email_change.change_id = :change AND attribute_not_exists(email_change.undone_at) AND password_version = :version AND identities = :identities`,
      ...(linked.length > 0 && {
        names: Object.fromEntries(linked.map(([pk], index) => [`#i${index}`, pk])),
      }),
      values: {
        ':from': change.from,
        ':yes': true,
        ':none': {},
        ':at': now.toISOString(),
        ':change': change.change_id,
        ':version': user.password_version,
        ':next': user.password_version + 1,
        ':identities': user.identities,
        ...(kept?.counts && { ':factors': kept.counts }),
      },
    },
  ];
};
