import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { countByCategory } from '../../shared/data/strategies/category-counts.ts';
import { CATEGORIES } from '../../shared/domain/strategies/strategies.ts';
import { strategyCategoryOut } from './category-record.ts';

export const getStrategyCategories = defineOperation({
  method: 'GET',
  path: '/get_strategy_categories',
  name: 'get_strategy_categories',
  summary: 'List the categories of the explore catalogue',
  description: 'By asset class and by style, with the number of listed strategies.',
  caller: 'anyone',
  input: {},
  output: z.array(strategyCategoryOut),
  errors: [],
  table: 'read',
  handler: async (_input, call) => {
    const counts = await countByCategory(call.store);
    return CATEGORIES.map((category, index) => ({
      ...category,
      strategy_count: counts[category.slug] ?? 0,
      sort_order: index + 1,
    }));
  },
});
