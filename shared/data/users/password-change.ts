import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import { PROGRAMS, STAYS, type User } from './users.ts';

interface Change {
  /** Session that changes the password, which stays. */
  readonly sid: string;
  /** True to end all else that is signed in. Otherwise brokers that may sign the user in still may. */
  readonly endsOthers: boolean;
}

/** Returns the write to a user whose password its owner changes. Its condition fails if the sessions changed meanwhile. */
export const changedUserWrite = (user: User, { sid, endsOthers }: Change): Write => {
  const { password_version: version } = user;
  const others = endsOthers ? Object.keys(user.sessions).filter((other) => other !== sid) : [];
  const carried = endsOthers
    ? []
    : Object.entries(user.brokers).flatMap(([domain, link]) =>
        link.sign_in_version === version ? [domain] : [],
      );
  const removed = [...(endsOthers ? [PROGRAMS] : []), ...others.map((_, index) => `sessions.#s${index}`)];
  return {
    key: keys.user(user.user_id),
    update: [
      `SET ${['password_version = :next', ...carried.map((_, index) => `brokers.#b${index}.sign_in_version = :next`)].join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
    ].join(' '),
    condition: [
      STAYS,
      'password_version = :version AND attribute_exists(sessions.#own)',
      ...(endsOthers ? ['size(sessions) = :count'] : []),
    ].join(' AND '),
    names: {
      '#own': sid,
      ...Object.fromEntries(others.map((other, index) => [`#s${index}`, other])),
      ...Object.fromEntries(carried.map((domain, index) => [`#b${index}`, domain])),
    },
    values: {
      ':version': version,
      ':next': version + 1,
      ...(endsOthers && { ':count': others.length + 1 }),
    },
  };
};
