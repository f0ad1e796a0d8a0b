import * as z from 'zod';
import { CATEGORIES, categoriesOf } from '../../domain/strategies/categories.ts';
import { givenIn, goneFrom, type Head } from '../numbered-list/list-head.ts';
import { entryKey, headAttribute, headKey, readHead, spanOf } from '../numbered-list/numbered-list.ts';
import { EXPLORE_LIST } from '../strategies/listings.ts';
import { cardSchema } from '../strategies/strategies.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionContendedError, TransactionRefusedError } from '../table/store.ts';
import type { Tally } from './tally.ts';

const CHUNKS_AT_ONCE = 4;
const MAX_BATCHES = 1000;
const KIND = 'category_counts';

/** Intermediate counts: per chunk, the head's numbers when it was counted, and its entries by category. */
export const categoryTalliesSchema = z.object({
  batches: z.number(),
  chunks: z.record(
    z.string(),
    z.object({ given: z.number(), gone: z.number(), counts: z.array(z.number()) }),
  ),
});

type Tallies = z.output<typeof categoryTalliesSchema>;

const placed = cardSchema.pick({ asset_class: true, timeframe: true });

/** Counts the entries of a chunk by category; undefined if they do not match the head. */
const countChunk = async (store: Store, head: Head, chunk: number) => {
  const span = spanOf(EXPLORE_LIST);
  const [given, gone] = [givenIn(head, chunk, span), goneFrom(head, chunk, span)];
  const cards = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':pk': EXPLORE_LIST.pk,
        ':low': entryKey(EXPLORE_LIST, chunk * span).sk,
        ':high': entryKey(EXPLORE_LIST, chunk * span + given - 1).sk,
      },
      ProjectionExpression: 'asset_class, timeframe',
      ConsistentRead: true,
    },
    placed,
  );
  if (cards.length !== given - gone) return undefined;
  const counts = CATEGORIES.map(
    ({ slug }) => cards.filter((card) => categoriesOf(card).includes(slug)).length,
  );
  return { given, gone, counts };
};

const repair = async (store: Store, head: Head, tallies: Tallies, tally: Tally): Promise<boolean> => {
  const truth = CATEGORIES.map((_, index) =>
    Object.values(tallies.chunks).reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0),
  );
  const [kept] = await store.getMany([keys.categories()], { consistent: true });
  const wrong = CATEGORIES.flatMap(({ slug }, index) => {
    const [was, is] = [kept?.[slug] ?? 0, truth[index] ?? 0];
    return was === is ? [] : [{ slug, was, is }];
  });
  if (wrong.length === 0) return true;
  try {
    await store.transact([
      {
        // Listing and delisting a strategy change the head and the counts in one transaction.
        check: headKey(EXPLORE_LIST),
        if: {
          condition: '#l.#n = :next AND #l.gone = :gone',
          names: { '#l': headAttribute(EXPLORE_LIST), '#n': 'next' },
          values: { ':next': head.next, ':gone': head.gone },
        },
      },
      {
        key: keys.categories(),
        update: `SET entity = :entity, ${wrong.map((_, index) => `#c${index} = :c${index}`).join(', ')}`,
        names: Object.fromEntries(wrong.map(({ slug }, index) => [`#c${index}`, slug])),
        values: {
          ':entity': 'categories',
          ...Object.fromEntries(wrong.map(({ is }, index) => [`:c${index}`, is])),
        },
      },
    ]);
  } catch (error) {
    if (error instanceof TransactionRefusedError || error instanceof TransactionContendedError) return false;
    throw error;
  }
  for (const { slug, was, is } of wrong) tally.add(KIND, 'repaired', `${slug} was ${was}, is ${is}`);
  return true;
};

/**
 * Counts the listed strategies of each category, a few chunks of the catalogue per call, and corrects the stored
 * counts. A chunk that changed is counted again. The correction is written once all chunks match the head, on the
 * condition that the head has not changed.
 *
 * @returns the state to continue with; undefined at the end.
 */
export const reconcileCategories = async (
  store: Store,
  before: Tallies | undefined,
  tally: Tally,
): Promise<Tallies | undefined> => {
  const span = spanOf(EXPLORE_LIST);
  const head = await readHead(store, EXPLORE_LIST);
  const tallies: Tallies = { chunks: {}, ...before, batches: (before?.batches ?? 0) + 1 };
  const stale = Array.from({ length: Math.ceil(head.next / span) }, (_, chunk) => chunk).filter((chunk) => {
    const counted = tallies.chunks[chunk];
    return counted?.given !== givenIn(head, chunk, span) || counted.gone !== goneFrom(head, chunk, span);
  });
  if (stale.length === 0 && (await repair(store, head, tallies, tally))) {
    tally.add(KIND, 'checked');
    return undefined;
  }
  if (tallies.batches > MAX_BATCHES) {
    tally.add(KIND, 'busy');
    return undefined;
  }
  const batch = stale.slice(0, CHUNKS_AT_ONCE);
  const counted = await Promise.all(batch.map((chunk) => countChunk(store, head, chunk)));
  return {
    ...tallies,
    chunks: {
      ...tallies.chunks,
      ...Object.fromEntries(
        counted.flatMap((found, index) => (found ? [[String(batch[index]), found]] : [])),
      ),
    },
  };
};
