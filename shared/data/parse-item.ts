import type * as z from 'zod';
import { keepUnknown } from '../domain/unknown-fields.ts';
import type { Item } from './attributes.ts';
import { TABLE } from './table.ts';

/** Attributes of every item that say where it is, what it is and when it is due: each write sets them itself. */
const OF_THE_TABLE: ReadonlySet<string> = new Set([
  TABLE.partitionKey,
  TABLE.sortKey,
  TABLE.timeToLive,
  'entity',
  ...TABLE.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
]);

/** A schema whose output has the names of the item. */
export type ItemSchema = z.ZodType<Item>;

/** Parses an item of the table. Attributes that this version does not know stay with the result until it is written. */
export const parseItem = <S extends ItemSchema>(schema: S, item: Readonly<Item>): z.output<S> => {
  const parsed = schema.parse(item);
  keepUnknown(item, parsed, OF_THE_TABLE);
  return parsed;
};
