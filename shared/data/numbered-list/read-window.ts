import type * as z from 'zod';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import type { ItemSchema } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Head, Order } from './list-head.ts';
import { entryKey, type NumberedList } from './numbered-list.ts';

interface WindowRequest {
  readonly head: Head;
  readonly order: Order;
  /** Most entries to read. */
  readonly limit: number;
  /** `next` of the window before; undefined for the first one. */
  readonly cursor?: number | undefined;
  /** Bounds of the sequence numbers, ends included. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/**
 * Reads entries of a list to look through, in one call of at most `limit` entries and 1 MB. Filters cannot use the counts of
 * the head, so a filtered list is looked through window by window, each at the same cost. Damaged entries, and those that only a newer version can read, are omitted.
 *
 * @returns the entries; the sequence number at which the next window begins, undefined at the end of the list; and
 *   `isWhole`, false if entries were omitted.
 *
 * @example
 * const { entries, next } = await readWindow(store, list, { head, order: 'newest', limit: 100, cursor }, schema);
 */
export const readWindow = async <S extends ItemSchema>(
  store: Store,
  list: NumberedList,
  { head, order, limit, cursor, low = 0, high = head.next - 1 }: WindowRequest,
  schema: S,
  onDamaged: OnDamaged,
): Promise<{ entries: z.output<S>[]; next: number | undefined; isWhole: boolean }> => {
  const isNewest = order === 'newest';
  const first = isNewest ? low : Math.max(low, cursor ?? low);
  const last = isNewest ? Math.min(high, cursor ?? high) : high;
  if (first > last) return { entries: [], next: undefined, isWhole: true };
  const { items, next } = await store.queryOnce({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': list.pk,
      ':first': entryKey(list, first).sk,
      ':last': entryKey(list, last).sk,
    },
    ScanIndexForward: !isNewest,
    Limit: limit,
    ConsistentRead: true,
  });
  const read = Number(items.at(-1)?.sk);
  const following = isNewest ? read - 1 : read + 1;
  const isLeft = next !== undefined && following >= first && following <= last;
  const entries = parseReadable(schema, items, placeInList, onDamaged);
  return { entries, next: isLeft ? following : undefined, isWhole: entries.length === items.length };
};
