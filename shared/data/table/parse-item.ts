import type * as z from 'zod';
import { keepUnknown } from '../../domain/unknown-fields.ts';
import type { Item } from './attributes.ts';
import { misfit, unlessNewer } from './newer-record.ts';
import { TABLE } from './table.ts';

/** Attributes with keys, kind and expiry of an item. Every write sets them, so they are never carried over. */
const OF_THE_TABLE: ReadonlySet<string> = new Set([
  TABLE.partitionKey,
  TABLE.sortKey,
  TABLE.timeToLive,
  'entity',
  ...TABLE.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
]);

/** A schema whose output has the attribute names of the item. */
export type ItemSchema = z.ZodType<Item>;

/**
 * Parses an item of the table. Attributes that this version does not know stay with the result, and a later write
 * stores them again.
 *
 * @throws NewerRecordError if only a newer version can read the item.
 */
export const parseItem = <S extends ItemSchema>(schema: S, item: Readonly<Item>): z.output<S> => {
  const { success, data, error } = schema.safeParse(item);
  if (!success) throw misfit(error);
  keepUnknown(item, data, OF_THE_TABLE);
  return data;
};

/** Parses the items of a list; omits items that only a newer version can read. */
export const parseListed = <S extends ItemSchema>(
  schema: S,
  items: readonly Readonly<Item>[],
): z.output<S>[] =>
  items.flatMap((item) => {
    const parsed = unlessNewer(() => parseItem(schema, item));
    return parsed === undefined ? [] : [parsed];
  });
