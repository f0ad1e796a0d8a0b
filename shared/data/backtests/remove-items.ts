import * as z from 'zod';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

/** Time for which a removed job is known as such, in seconds. */
const KEEP_REMOVED_S = 30 * 86_400;

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
