import * as z from 'zod';
import { problemsOf } from '../../domain/issue-texts.ts';
import type { Item } from './attributes.ts';
import { unlessNewer } from './newer-record.ts';
import { type ItemSchema, parseItem } from './parse-item.ts';

/** An item does not fit its schema. It is passed by, so that it does not hold up others. */
export class DamagedItemError extends Error {
  /** @param value was parsed: an item, or a part of it. */
  constructor(place: string, cause: z.ZodError, value: unknown) {
    super(`${place}: ${problemsOf(cause, value).join('; ')}`);
    this.name = 'DamagedItemError';
  }
}

/** Names an item by its key. Only for keys without a user id, which is a credential. */
export const placeByKey = ({ pk, sk }: Item): string =>
  `the item ${String(pk)}, ${String(sk)} cannot be read`;

/** Takes the error of each item that cannot be read. */
export type OnDamaged = (error: DamagedItemError) => void;

/**
 * Parses the items of a list. Reports those that cannot be read, and omits those that only a newer version can read.
 *
 * @param placeOf names an item in the report, without secrets: a key may hold a user id, which is a credential.
 */
export const parseReadable = <S extends ItemSchema>(
  schema: S,
  items: readonly Item[],
  placeOf: (item: Item) => string,
  onDamaged: OnDamaged,
): z.output<S>[] => {
  const read: z.output<S>[] = [];
  for (const item of items) {
    try {
      const parsed = unlessNewer(() => parseItem(schema, item));
      if (parsed !== undefined) read.push(parsed);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      onDamaged(new DamagedItemError(placeOf(item), error, item));
    }
  }
  return read;
};
