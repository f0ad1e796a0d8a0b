import * as z from 'zod';
import { integer, record } from '../../../shared/api/fields.ts';
import type { CategoryCounts } from '../../../shared/data/strategies/category-counts.ts';
import { CATEGORIES } from '../../../shared/domain/strategies/categories.ts';

export const strategyCategoryOut = record(
  'StrategyCategoryOut',
  z.object({
    category_id: integer(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    strategy_count: integer(),
    sort_order: integer(),
  }),
);

/** Presents all categories, in the order of the catalogue. */
export const presentCategories = (counts: CategoryCounts): z.output<typeof strategyCategoryOut>[] =>
  CATEGORIES.map((category, index) => ({
    ...category,
    strategy_count: counts[category.slug] ?? 0,
    sort_order: index + 1,
  }));
