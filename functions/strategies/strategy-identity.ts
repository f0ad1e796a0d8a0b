import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { STRATEGY_ASSET_CLASSES, TIMEFRAMES } from '../../shared/domain/strategies.ts';

/** What names a strategy in every record. */
export const identity = {
  strategy_id: integer(),
  strategy_key: z.string(),
  strategy_name: z.string(),
} as const;

/** What it trades. */
export const make = {
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  asset_class: z.enum(STRATEGY_ASSET_CLASSES),
} as const;
