import * as z from 'zod';
import { extensionRecord, integer, record, timestamp } from '../../shared/api/fields.ts';
import { identityFields, marketFields } from './strategy-fields.ts';

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

const published = {
  ...identityFields,
  description: z.string().nullable(),
  ...marketFields,
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

/** Published strategy on its author's profile. */
export const strategiesCustomOut = record('StrategiesCustomOut', z.object(published));

/** Strategy in the explore catalogue. */
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
    /** Null if the strategy is not in the explore catalogue. */
    strategy: exploreStrategyOut.nullable(),
  }),
);
