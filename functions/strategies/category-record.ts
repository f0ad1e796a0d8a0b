import * as z from 'zod';
import { integer, record } from '../../shared/api/fields.ts';

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
