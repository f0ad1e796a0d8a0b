import * as z from 'zod';
import { record } from '../../shared/api/fields.ts';
import { identityFields } from './strategy-fields.ts';
import { strategyShape } from './strategy-shape.ts';

/** Strategy as its owner sees it. */
export const strategyOut = record(
  'StrategyOut',
  z.object({
    ...identityFields,
    keygen: z.string(),
    user_id: z.string(),
    symbol: z.string(),
    ...strategyShape,
  }),
);
