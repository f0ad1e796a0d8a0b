import * as z from 'zod';
import type { Item } from './attributes.ts';
import { ConditionFailedError, type Store } from './store.ts';
import type { Key } from './writes.ts';

const PUT_OFF_MS = 5 * 60_000;

/** Finds the due items of some partitions of the index, the longest due first. */
export const findDueItems = async <S extends z.ZodType<Item & { due_at?: number | undefined }>>(
  store: Store,
  kinds: readonly string[],
  schema: S,
  { now, limit }: { readonly now: Date; readonly limit: number },
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
    .sort((left, right) => (left.due_at ?? 0) - (right.due_at ?? 0))
    .slice(0, limit);
};

/** Puts off an item that cannot be handled now, so that it does not hold up others; no-op if it is not due any more. */
export const putOffDueItem = async (store: Store, key: Key, kind: string, now: Date): Promise<void> => {
  const later = {
    update: 'SET due_at = :later',
    condition: 'due_kind = :kind AND due_at <= :now',
    values: { ':later': now.getTime() + PUT_OFF_MS, ':kind': kind, ':now': now.getTime() },
  };
  try {
    await store.update(key, later, z.object({}));
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
