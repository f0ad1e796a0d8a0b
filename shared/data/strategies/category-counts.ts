import * as z from 'zod';
import { type CategorySlug, categoriesOf } from '../../domain/strategies/categories.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import type { Strategy } from './strategies.ts';

const countsSchema = z.record(z.string(), z.unknown());

/** Number of listed strategies per category; a category without any is absent. */
export type CategoryCounts = Partial<Record<CategorySlug, number>>;

/** Reads the number of listed strategies per category. */
export const countByCategory = async (store: Store): Promise<CategoryCounts> => {
  const item = await store.get(keys.categories(), countsSchema);
  return Object.fromEntries(
    Object.entries(item ?? {}).flatMap(([name, count]) => (typeof count === 'number' ? [[name, count]] : [])),
  );
};

/** Returns the write that moves a listed strategy among the counts; undefined stands for an unlisted one. */
export const categoryWrites = (before: Strategy | undefined, after: Strategy | undefined): Write[] => {
  const [from, to] = [before, after].map((strategy) => (strategy ? categoriesOf(strategy) : []));
  const steps = [...new Set([...(from ?? []), ...(to ?? [])])].flatMap((slug) => {
    const step = Number(to?.includes(slug)) - Number(from?.includes(slug));
    return step === 0 ? [] : [{ slug, step }];
  });
  if (steps.length === 0) return [];
  return [
    {
      key: keys.categories(),
      update: `SET entity = :entity ADD ${steps.map((_, index) => `#c${index} :c${index}`).join(', ')}`,
      names: Object.fromEntries(steps.map(({ slug }, index) => [`#c${index}`, slug])),
      values: {
        ':entity': 'categories',
        ...Object.fromEntries(steps.map(({ step }, index) => [`:c${index}`, step])),
      },
    },
  ];
};
