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

/** Names an entry of a list without its partition, which may name a user. */
export const placeInList = ({ sk }: Item): string => `the entry ${String(sk)} of a list cannot be read`;

/** Takes the error of each item that cannot be read. */
export type OnDamaged = (error: DamagedItemError) => void;

/**
 * Reads an item for a list; undefined if only a newer version can read it, or if it is damaged, which is reported.
 *
 * @param placeOf names the item in the report, without secrets: a key may hold a user id, which is a credential.
 * @throws ZodError for a damaged item, without `onDamaged`.
 */
export const readable = <I extends Item | undefined, T>(
  read: (item: I) => T,
  item: I,
  placeOf: (item: NonNullable<I>) => string,
  onDamaged: OnDamaged | undefined,
): T | undefined => {
  try {
    return unlessNewer(() => read(item));
  } catch (error) {
    if (!onDamaged || !item || !(error instanceof z.ZodError)) throw error;
    onDamaged(new DamagedItemError(placeOf(item), error, item));
    return undefined;
  }
};

/** Parses the items of a list as {@link readable} does, and omits those that are not. */
export const parseReadable = <S extends ItemSchema>(
  schema: S,
  items: readonly Item[],
  placeOf: (item: Item) => string,
  onDamaged: OnDamaged | undefined,
): z.output<S>[] =>
  items.flatMap((item) => {
    const parsed = readable((one) => parseItem(schema, one), item, placeOf, onDamaged);
    return parsed === undefined ? [] : [parsed];
  });
