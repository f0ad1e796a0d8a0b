import type * as z from 'zod';
import type { Item } from './attributes.ts';
import type { Store } from './store.ts';

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
