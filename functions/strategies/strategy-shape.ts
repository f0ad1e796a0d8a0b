import * as z from 'zod';
import { integer, timestamp } from '../../shared/api/fields.ts';
import type { Strategy } from '../../shared/data/strategies/strategies.ts';
import { DIRECTIONS, STRATEGY_STATUSES } from '../../shared/domain/strategies/strategies.ts';
import { marketFields } from './strategy-fields.ts';

/** Fields of a whole strategy that owners and their brokers see, apart from its identity. */
export const strategyShape = {
  description: z.string().nullable(),
  ...marketFields,
  direction: z.enum(DIRECTIONS),
  legs: z.array(z.object({ symbol: z.string(), weight: z.number() })),
  broker_id: integer().nullable(),
  status: z.enum(STRATEGY_STATUSES),
  is_copied: integer(),
  parent_strategy_id: integer().nullable(),
  publish_state: integer(),
  is_listed: z.boolean(),
  version: integer(),
  like_count: integer(),
  copy_count: integer(),
  deployment_count: integer(),
  created_at: timestamp(),
  updated_at: timestamp(),
} as const;

/** Presents the fields of {@link strategyShape}. */
export const presentShape = (strategy: Strategy) => ({
  description: strategy.description ?? null,
  symbols: strategy.symbols,
  timeframe: strategy.timeframe,
  asset_class: strategy.asset_class,
  direction: strategy.direction,
  legs: strategy.legs,
  broker_id: strategy.broker_id ?? null,
  status: strategy.status,
  is_copied: strategy.is_copied,
  parent_strategy_id: strategy.parent_strategy_id ?? null,
  publish_state: strategy.publish_state,
  is_listed: strategy.explore_seq !== undefined,
  version: strategy.version,
  like_count: strategy.like_count,
  copy_count: strategy.copy_count,
  deployment_count: strategy.deployment_count,
  created_at: strategy.created_at,
  updated_at: strategy.updated_at,
});
