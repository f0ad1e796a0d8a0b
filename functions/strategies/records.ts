import * as z from 'zod';
import { extensionRecord, integer, record, timestamp } from '../../shared/api/fields.ts';
import {
  DIRECTIONS,
  STRATEGY_ASSET_CLASSES,
  STRATEGY_STATUSES,
  TIMEFRAMES,
} from '../../shared/domain/strategies.ts';
import { strategyShape } from './strategy-shape.ts';

const author = extensionRecord(
  'Author',
  z.object({ user_key: z.string(), name: z.string(), avatar_url: z.string().nullable() }),
);

export const strategyPerformance = extensionRecord(
  'StrategyPerformance',
  z.object({
    total_return_pct: z.number().nullable(),
    cagr_pct: z.number().nullable(),
    max_drawdown_pct: z.number().nullable(),
    sharpe_ratio: z.number().nullable(),
    win_rate_pct: z.number().nullable(),
    trades_count: integer(),
    mode: z.enum(['live', 'virtual']).nullable(),
    as_of: timestamp().nullable(),
  }),
);

const identity = {
  strategy_id: integer(),
  strategy_key: z.string(),
  strategy_name: z.string(),
} as const;

const make = {
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  asset_class: z.enum(STRATEGY_ASSET_CLASSES),
} as const;

const published = {
  ...identity,
  description: z.string().nullable(),
  ...make,
  author,
  like_count: integer(),
  copy_count: integer(),
  deployment_count: integer(),
  performance: strategyPerformance,
  categories: z.array(z.string()),
  is_liked: z.boolean(),
  is_copied: z.boolean(),
  published_at: timestamp().nullable(),
} as const;

/** A strategy on its author's profile. */
export const strategiesCustomOut = record('StrategiesCustomOut', z.object(published));

/** A strategy in the explore catalogue. */
export const exploreStrategyOut = record(
  'ExploreStrategyOut',
  z.object({ explore_id: integer(), ...published }),
);

export const exploreStrategyFavouriteOut = record(
  'ExploreStrategyFavouriteOut',
  z.object({
    strategy_id: integer(),
    is_liked: z.boolean(),
    like_count: integer(),
    liked_at: timestamp().nullable(),
    /** Null where the strategy is not in the explore catalogue. */
    strategy: exploreStrategyOut.nullable(),
  }),
);

/** A strategy as its owner sees it. */
export const strategyOut = record(
  'StrategyOut',
  z.object({
    ...identity,
    keygen: z.string(),
    user_id: z.string(),
    symbol: z.string(),
    ...strategyShape,
  }),
);

/** A new strategy with the preferences that it starts with. */
export const strategyPrefCustomOut = record(
  'StrategyPrefCustomOut',
  z.object({
    ...identity,
    keygen: z.string(),
    user_id: z.string(),
    symbol: z.string(),
    ...make,
    broker_id: integer().nullable(),
    direction: z.enum(DIRECTIONS),
    status: z.enum(STRATEGY_STATUSES),
    order_type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
    quantity: z.number(),
    max_allocation_pct: z.number(),
    stop_loss_pct: z.number().nullable(),
    take_profit_pct: z.number().nullable(),
    created_at: timestamp(),
  }),
);

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
