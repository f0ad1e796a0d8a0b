import type { Item } from './attributes.ts';
import type { Key } from './writes.ts';

/** Items that were read together; undefined for each one that does not exist. */
export type Items = readonly (Item | undefined)[];

/**
 * Returns the item with a key among items that were read together; undefined if it does not exist.
 *
 * @example
 * const items = await store.getMany([keys.user(userId), headKey(list)], { consistent: true });
 * const head = headIn(list, itemWith(items, headKey(list)));
 */
export const itemWith = (items: Items, { pk, sk }: Key): Item | undefined =>
  items.find((item) => item?.pk === pk && item.sk === sk);
