import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { countByCategory } from '../../shared/data/strategies/category-counts.ts';
import { presentCategories, strategyCategoryOut } from './records/category.ts';

export const getStrategyCategories = defineOperation({
  method: 'GET',
  path: '/get_strategy_categories',
  name: 'get_strategy_categories',
  summary: 'List the categories of the explore catalogue',
  description: 'By asset class and by style, with the number of listed strategies.',
  caller: 'anyone',
  assistant: { description: 'Lists the categories of the explore catalogue.' },
  input: {},
  output: z.array(strategyCategoryOut),
  errors: [],
  table: 'read',
  cache: 'public, max-age=30',
  handler: async (_input, call) => presentCategories(await countByCategory(call.store)),
});
