import * as z from 'zod';
import type { CategorySlug } from '../../domain/strategies/strategies.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';

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
