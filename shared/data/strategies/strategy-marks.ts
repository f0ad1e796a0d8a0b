import * as z from 'zod';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store, Write } from '../table/store.ts';

/** How many strategies a user may like: they are listed without pages. */
export const MAX_FAVOURITES = 100;

const marksSchema = z.object({
  liked: z.set(z.number()).default(new Set()),
  copied: z.set(z.number()).default(new Set()),
});

/** The strategies that a user likes and has copied. */
export type StrategyMarks = z.output<typeof marksSchema>;

/** The marks of nobody in particular. */
export const NO_MARKS: StrategyMarks = { liked: new Set(), copied: new Set() };

/** Parses the marks of a user; somebody without an item has none. */
export const asMarks = (item: Record<string, unknown> | undefined): StrategyMarks =>
  parseItem(marksSchema, item ?? {});

/** Remembers that a user has copied a strategy. */
export const copiedWrite = (userId: string, strategyId: number): Write => ({
  key: keys.strategyMarks(userId),
  update: 'SET entity = :entity ADD copied :one',
  values: { ':entity': 'strategy_marks', ':one': new Set([strategyId]) },
});

/** Remembers that a user likes a strategy, or no longer does; refused at the limit. */
export const likedWrite = (userId: string, strategyId: number, liked: boolean): Write => ({
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

/** Parses a favourite; undefined where there is none. */
export const asFavourite = (item: Record<string, unknown> | undefined): Favourite | undefined =>
  item && parseItem(favouriteSchema, item);

/** Lists what a user likes, most recent strategies first. */
export const listFavourites = (store: Store, userId: string): Promise<Favourite[]> => {
  const { pk, sk } = keys.favourite(userId, '');
  return store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
    favouriteSchema,
  );
};

/** Writes or removes the favourite itself; refused where it is as wished already. */
export const favouriteWrite = (
  userId: string,
  { strategy_id, liked_at }: Favourite,
  liked: boolean,
): Write => {
  const key = keys.favourite(userId, strategy_id);
  return liked
    ? {
        put: { ...key, entity: 'favourite', strategy_id, liked_at },
        if: { condition: 'attribute_not_exists(pk)' },
      }
    : { delete: key, if: { condition: 'attribute_exists(pk)' } };
};
