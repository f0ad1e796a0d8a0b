import { areRevocable } from '../../domain/factors.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { PROGRAMS, STAYS, type User } from './users.ts';

/** Condition that the account is as read: proven before, or not. A link of a mail counts only until the first proof. */
const asRead = ({ proven_at }: User): string =>
  `${STAYS} AND ${proven_at === undefined ? 'attribute_not_exists(proven_at)' : 'attribute_exists(proven_at)'}`;

/**
 * Returns the write after a password reset: proves the e-mail, and ends all sessions, the platform token and API keys. The first
 * proof also ends what was made before it, and the phone number. Any other one is a recovery of the account, which ends
 * factors that a thief of the mailbox may have added. Its condition fails if factors were added or ended meanwhile.
 */
export const resetUserWrite = (user: User, now: Date): Write => {
  const at = now.toISOString();
  const ends = 'sessions = :none, password_version = password_version + :one';
  const values = { ':yes': true, ':none': {}, ':one': 1 };
  const [update, more] =
    user.proven_at === undefined
      ? [
          `SET email_verified = :yes, ${ends}, proven_at = :at, made_since = :at, ph_verified = :no REMOVE ${PROGRAMS}, passwordless, factors, ph_number`,
          { ':at': at, ':no': false },
        ]
      : [
          `SET email_verified = :yes, ${ends}, recovered_at = :at REMOVE ${PROGRAMS}, passwordless${areRevocable(user, now) ? ', factors' : ''}`,
          { ':at': at },
        ];
  const has = user.factors === undefined ? 'attribute_not_exists' : 'attribute_exists';
  const condition = `${asRead(user)} AND ${has}(factors)`;
  return { key: keys.user(user.user_id), update, condition, values: { ...values, ...more } };
};

/**
 * Returns the write of a proof by somebody who knows the password. Nothing ends by it.
 */
export const provenWrite = (user: User, now: Date): Write => ({
  key: keys.user(user.user_id),
  update: 'SET email_verified = :yes, proven_at = if_not_exists(proven_at, :at)',
  condition: `${asRead(user)} AND password_version = :version`,
  values: { ':yes': true, ':at': now.toISOString(), ':version': user.password_version },
});

/**
 * Returns the write of a proof by one session. The first proof ends the other sessions, the platform token, API keys, and what was made
 * before the session began. Its condition fails if the sessions changed since they were read.
 */
export const provenSessionWrite = (user: User, sid: string, now: Date): Write => {
  if (user.proven_at !== undefined) return provenWrite(user, now);
  const began = user.sessions[sid]?.created_at ?? 0;
  const others = Object.keys(user.sessions).filter((other) => other !== sid);
  return {
    key: keys.user(user.user_id),
    update: `SET email_verified = :yes, proven_at = :at, made_since = :since REMOVE ${[PROGRAMS, ...others.map((_, index) => `sessions.#s${index}`)].join(', ')}`,
    condition: `${asRead(user)} AND attribute_exists(sessions.#own) AND size(sessions) = :count`,
    names: { '#own': sid, ...Object.fromEntries(others.map((other, index) => [`#s${index}`, other])) },
    values: {
      ':yes': true,
      ':at': now.toISOString(),
      ':since': new Date(began * 1000).toISOString(),
      ':count': others.length + 1,
    },
  };
};
