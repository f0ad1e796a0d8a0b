import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { STRATEGY_ASSET_CLASSES, TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';

/** Fields that identify a strategy. */
export const identityFields = {
  strategy_id: integer(),
  strategy_key: z.string(),
  strategy_name: z.string(),
} as const;

/** Fields of the traded market. */
export const marketFields = {
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  asset_class: z.enum(STRATEGY_ASSET_CLASSES),
} as const;
