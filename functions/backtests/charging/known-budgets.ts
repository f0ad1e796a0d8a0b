import type { Call } from '../../../shared/api/call.ts';
import { unknownUser } from '../../../shared/api/refusals.ts';
import { ownWorkKey, workBudgetsOf } from '../../../shared/data/backtests/work-budget.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { asUser } from '../../../shared/data/users/users.ts';
import type { KnownBudgets } from './with-work.ts';

/** Returns the keys to read before a computation of a user is charged. */
export const budgetKeys = async ({ keyRing, now }: Call, userId: string): Promise<Key[]> => [
  keys.user(userId),
  ownWorkKey(await keyRing(), userId, now),
];

/** Returns the budgets of a user. @param items read at {@link budgetKeys}. @throws HubError user_unknown */
export const knownBudgets = async (call: Call, userId: string, items: Items): Promise<KnownBudgets> => {
  const ring = await call.keyRing();
  const user = asUser(itemWith(items, keys.user(userId)));
  if (!user) throw unknownUser();
  return {
    budgets: workBudgetsOf(ring, {
      user,
      network: call.wideNetwork,
      keyId: call.apiKey()?.keyId,
      now: call.now,
    }),
    workItem: itemWith(items, ownWorkKey(ring, userId, call.now)),
  };
};
