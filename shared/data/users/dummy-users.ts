import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';

const dummyUserSchema = z.object({ id: z.string(), name: z.string(), email: z.string() });

export type DummyUser = z.output<typeof dummyUserSchema>;

/** The most dummy users kept; a new one replaces the oldest. */
const MAX_KEPT = 100;
/** Extra items to read: parallel additions may exceed the limit, and the next addition deletes the surplus. */
const SURPLUS = 50;

/** Lists the dummy users, newest first. */
export const listDummyUsers = (store: Store, limit = MAX_KEPT): Promise<DummyUser[]> =>
  store.query(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.dummyUser('').pk },
      ScanIndexForward: false,
      Limit: limit,
    },
    dummyUserSchema,
  );

/** Adds a dummy user and deletes all but the 100 newest. */
export const addDummyUser = async (store: Store, user: DummyUser): Promise<void> => {
  const kept = await listDummyUsers(store, MAX_KEPT + SURPLUS);
  await store.transact([
    {
      put: { ...keys.dummyUser(user.id), entity: 'dummy_user', ...user },
      if: { condition: 'attribute_not_exists(pk)' },
    },
    ...kept.slice(MAX_KEPT - 1).map(({ id }) => ({ delete: keys.dummyUser(id) })),
  ]);
};

/** Removes a dummy user. @returns false if it does not exist. */
export const removeDummyUser = async (store: Store, id: string): Promise<boolean> => {
  try {
    await store.delete(keys.dummyUser(id), { condition: 'attribute_exists(pk)' });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
