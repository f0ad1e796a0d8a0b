import * as z from 'zod';
import { integer, record, timestamp } from '../api/fields.ts';
import type { Strategy } from '../data/strategies/strategies.ts';
import {
  DIRECTIONS,
  RULES_VISIBILITIES,
  STRATEGY_ASSET_CLASSES,
  STRATEGY_STATUSES,
  TIMEFRAMES,
} from '../domain/strategies/strategies.ts';

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

/** Fields that tell about rules without showing them. Null without rules; `sentence` also if they are closed. */
export const rulesFields = {
  sentence: z.string().nullable(),
  rules_visibility: z.enum(RULES_VISIBILITIES).nullable(),
} as const;

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

/** Strategy as its owner sees it. */
export const strategyOut = record(
  'StrategyOut',
  z.object({
    ...identityFields,
    keygen: z.string(),
    user_id: z.string(),
    symbol: z.string(),
    ...strategyShape,
    ...rulesFields,
  }),
);

/** Presents a strategy to its owner. */
export const presentOwn = (strategy: Strategy): z.output<typeof strategyOut> => ({
  strategy_id: strategy.strategy_id,
  strategy_key: strategy.strategy_key,
  keygen: strategy.keygen,
  user_id: strategy.user_id,
  strategy_name: strategy.strategy_name,
  symbol: strategy.symbols.join(','),
  ...presentShape(strategy),
  sentence: strategy.sentence ?? null,
  rules_visibility: strategy.rules_visibility ?? null,
});
