import * as z from 'zod';
import { extensionRecord, integer } from '../../../shared/api/fields.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { presentShape, strategyShape } from '../../../shared/records/strategy.ts';

/**
 * Picks the owner's fields that the broker may read. A new field of the owner is hidden until it is picked
 * here.
 */
const shape = z.object(strategyShape).pick({
  description: true,
  symbols: true,
  timeframe: true,
  asset_class: true,
  direction: true,
  broker_id: true,
  status: true,
  is_copied: true,
  parent_strategy_id: true,
  publish_state: true,
  is_listed: true,
  version: true,
  like_count: true,
  copy_count: true,
  deployment_count: true,
  created_at: true,
  updated_at: true,
});

/** Strategy as an integrator sees it, without the keys that copy and deploy it. */
export const integratorStrategy = extensionRecord(
  'IntegratorStrategy',
  z.object({
    strategy_id: integer(),
    strategy_name: z.string(),
    ...shape.shape,
    legs: z.array(z.object({ symbol: z.string(), weight: z.number() })),
  }),
);

/** Presents a strategy to the broker of its owner. */
export const presentStrategy = (strategy: Strategy): z.output<typeof integratorStrategy> => ({
  strategy_id: strategy.strategy_id,
  strategy_name: strategy.strategy_name,
  ...presentShape(strategy),
});
