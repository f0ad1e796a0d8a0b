import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** The most strategies that a user may like; they are listed without pages. */
export const MAX_FAVOURITES = 100;

const marksSchema = z.object({
  liked: z.set(z.number()).default(new Set()),
  copied: z.set(z.number()).default(new Set()),
});

/** The strategies that a user likes and has copied. */
export type StrategyMarks = z.output<typeof marksSchema>;

/** Marks of an anonymous caller. */
export const NO_MARKS: StrategyMarks = { liked: new Set(), copied: new Set() };

/** Parses the marks of a user; empty if there is no item. */
export const asMarks = (item: Item | undefined): StrategyMarks => parseItem(marksSchema, item ?? {});

/** Returns the write that marks a strategy as copied by a user. */
export const copyMarkWrite = (userId: string, strategyId: number): Write => ({
  key: keys.strategyMarks(userId),
  update: 'SET entity = :entity ADD copied :one',
  values: { ':entity': 'strategy_marks', ':one': new Set([strategyId]) },
});

/** A like of a user, or the end of one. */
export interface LikeChange {
  readonly userId: string;
  readonly strategyId: number;
  /** False to take the like back. */
  readonly liked: boolean;
}

/** Returns the write that marks a strategy as liked or not liked. Its condition fails at the limit of likes. */
export const likedMarkWrite = ({ userId, strategyId, liked }: LikeChange): Write => ({
  key: keys.strategyMarks(userId),
  update: `SET entity = :entity ${liked ? 'ADD' : 'DELETE'} liked :one`,
  ...(liked && { condition: 'attribute_not_exists(liked) OR size(liked) < :max' }),
  values: {
    ':entity': 'strategy_marks',
    ':one': new Set([strategyId]),
    ...(liked && { ':max': MAX_FAVOURITES }),
  },
});

const favouriteSchema = z.object({ strategy_id: z.number(), liked_at: z.string() });

export type Favourite = z.output<typeof favouriteSchema>;

/** Parses a favourite; undefined if there is no item. */
export const asFavourite = (item: Item | undefined): Favourite | undefined =>
  item && parseItem(favouriteSchema, item);

/**
 * Lists the strategies that a user likes, the newest strategy first.
 *
 * @param onDamaged takes the errors of damaged entries. Without it, they are errors.
 */
export const listFavourites = async (
  store: Store,
  userId: string,
  onDamaged?: OnDamaged,
): Promise<Favourite[]> => {
  const { pk, sk } = keys.favourite(userId, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  return parseReadable(favouriteSchema, items, placeInList, onDamaged);
};

/** Returns the write that adds or removes a favourite. Its condition fails if nothing would change. */
export const favouriteWrite = (
  { userId, liked }: Omit<LikeChange, 'strategyId'>,
  { strategy_id, liked_at }: Favourite,
): Write => {
  const key = keys.favourite(userId, strategy_id);
  return liked
    ? {
        put: { ...key, entity: 'favourite', strategy_id, liked_at },
        if: { condition: 'attribute_not_exists(pk)' },
      }
    : { delete: key, if: { condition: 'attribute_exists(pk)' } };
};
