import type { UserLimits } from '../../domain/risk/limit-records.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/writes.ts';
import type { User } from './users.ts';

/** Returns the write of the risk limits of a user. Its condition fails if they changed since the user was read. */
export const userLimitsWrite = (
  { user_id, limits_rev: rev }: Pick<User, 'user_id' | 'limits_rev'>,
  limits: UserLimits,
): Write => ({
  key: keys.user(user_id),
  set: { limits, limits_rev: (rev ?? 0) + 1 },
  if:
    rev === undefined
      ? { condition: 'attribute_exists(pk) AND attribute_not_exists(limits_rev)' }
      : { condition: 'limits_rev = :rev', values: { ':rev': rev } },
});
