import * as z from 'zod';
import { DamagedItemError, type OnDamaged } from './damaged-items.ts';
import { unlessNewer } from './newer-record.ts';
import { type ItemSchema, parseItem } from './parse-item.ts';
import { ConditionFailedError, type Store } from './store.ts';
import { TABLE } from './table.ts';
import type { Key } from './writes.ts';

const PUT_OFF_MS = 5 * 60_000;

/** Names a damaged item by kind and time, which find it on the index. Its key may hold a user id, which is a credential. */
const placeOf = (kind: string, putOffUntil: number): string =>
  `a due item of the kind ${kind} cannot be read, and is put off to ${putOffUntil}`;

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

interface Due {
  /** Items that are due until then. */
  readonly now: Date;
  readonly limit: number;
  /** Puts off an item that cannot be read and passes it by. Without it, such an item is an error. */
  readonly onDamaged?: OnDamaged | undefined;
}

const dueItem = z.object({ due_kind: z.string(), due_at: z.number() });
const keySchema = z.object({ [TABLE.partitionKey]: z.string(), [TABLE.sortKey]: z.string() });

/**
 * Finds the due items of some partitions of the index, the longest due first. Omits items that only a newer version can
 * read.
 *
 * @throws ZodError for an item that cannot be read, without `onDamaged`.
 */
export const findDueItems = async <S extends ItemSchema>(
  store: Store,
  kinds: readonly string[],
  schema: S,
  { now, limit, onDamaged }: Due,
): Promise<z.output<S>[]> => {
  const found = await Promise.all(
    kinds.map((kind) =>
      store.queryItems({
        IndexName: 'due',
        KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
        ExpressionAttributeValues: { ':kind': kind, ':now': now.getTime() },
        Limit: limit,
      }),
    ),
  );
  const due = found
    .flat()
    .map((item) => ({ item, at: dueItem.parse(item) }))
    .sort((left, right) => left.at.due_at - right.at.due_at)
    .slice(0, limit);
  const read: z.output<S>[] = [];
  for (const { item, at } of due) {
    try {
      const parsed = unlessNewer(() => parseItem(schema, item));
      if (parsed !== undefined) read.push(parsed);
    } catch (error) {
      if (!onDamaged || !(error instanceof z.ZodError)) throw error;
      await putOffDueItem(store, keySchema.parse(item), at.due_kind, now);
      onDamaged(new DamagedItemError(placeOf(at.due_kind, now.getTime() + PUT_OFF_MS), error, item));
    }
  }
  return read;
};
