import * as z from 'zod';
import { entryKey } from '../numbered-list/numbered-list.ts';
import { EXPLORE_LIST } from '../strategies/listings.ts';
import { cardSchema } from '../strategies/strategies.ts';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import type { Store } from '../table/store.ts';

const placedCard = cardSchema
  .pick({ performance: true, asset_class: true, timeframe: true })
  .extend({ sk: z.string() });

/** Holds what ranks depend on, with the place in the catalogue. */
export type PlacedCard = Omit<z.output<typeof placedCard>, 'sk'> & { readonly seq: number };

const LAST = Number('9'.repeat(entryKey(EXPLORE_LIST, 0).sk.length));

/**
 * Reads cards of the catalogue from a place on, oldest first, by one call of at most 1 MB.
 *
 * @returns the cards, and the place to go on from; undefined at the end.
 */
export const readCatalogue = async (
  store: Store,
  from: number,
  limit: number,
  onDamaged: OnDamaged,
): Promise<{ cards: PlacedCard[]; next: number | undefined }> => {
  const { items, next } = await store.queryOnce({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :last',
    ExpressionAttributeValues: {
      ':pk': EXPLORE_LIST.pk,
      ':from': entryKey(EXPLORE_LIST, from).sk,
      ':last': entryKey(EXPLORE_LIST, LAST).sk,
    },
    ProjectionExpression: 'sk, performance, asset_class, timeframe',
    Limit: limit,
  });
  const cards = parseReadable(placedCard, items, placeInList, onDamaged);
  const last = items.at(-1)?.sk;
  return {
    cards: cards.map(({ sk, ...card }) => ({ ...card, seq: Number(sk) })),
    next: next === undefined || last === undefined ? undefined : Number(last) + 1,
  };
};
