import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

/** Time for which a removed job is known as such, in seconds. */
const KEEP_REMOVED_S = 30 * 86_400;

/** Finds due items of some kinds, longest overdue first. */
export const findDue = async <S extends z.ZodType<Item & { due_at: number }>>(
  store: Store,
  kinds: readonly string[],
  schema: S,
  now: Date,
  limit: number,
): Promise<z.output<S>[]> => {
  const found = await Promise.all(
    kinds.map((kind) =>
      store.query(
        {
          IndexName: 'due',
          KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
          ExpressionAttributeValues: { ':kind': kind, ':now': now.getTime() },
          Limit: limit,
        },
        schema,
      ),
    ),
  );
  return found
    .flat()
    .sort((left, right) => left.due_at - right.due_at)
    .slice(0, limit);
};

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** Removes the items of a removed job. Its own item stays for a month, so that removing it again is known. */
export const removeItems = async (store: Store, own: Key, now: Date): Promise<void> => {
  const found = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': own.pk },
    ProjectionExpression: 'pk, sk',
    ConsistentRead: true,
  });
  const others = found.map((item) => keySchema.parse(item)).filter(({ sk }) => sk !== own.sk);
  await store.batchWrite(others.map((key) => ({ delete: key })));
  await store.update(
    own,
    {
      update: 'SET expires_at_s = :expiry REMOVE due_kind, due_at',
      values: { ':expiry': Math.floor(now.getTime() / 1000) + KEEP_REMOVED_S },
    },
    z.object({}),
  );
};
