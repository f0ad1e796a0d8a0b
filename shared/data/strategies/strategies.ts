import * as z from 'zod';
import { decimalText } from '../../domain/money.ts';
import { openEnum } from '../../domain/open-enum.ts';
import {
  DIRECTIONS,
  RULES_VISIBILITIES,
  STRATEGY_ASSET_CLASSES,
  STRATEGY_STATUSES,
  TIMEFRAMES,
} from '../../domain/strategies/strategies.ts';
import { recordFiguresSchema } from '../../domain/track-records/figures.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { User } from '../users/users.ts';

/** Performance that a strategy shows. All figures are null before the first trade. */
const performanceSchema = z.object({
  total_return_pct: z.number().nullable(),
  cagr_pct: z.number().nullable(),
  max_drawdown_pct: z.number().nullable(),
  sharpe_ratio: z.number().nullable(),
  win_rate_pct: z.number().nullable(),
  trades_count: z.number(),
  mode: z.enum(['live', 'virtual']).nullable(),
  as_of: z.string().nullable(),
  /** Absent before the first trade, as `returns_pct`. */
  period_start: z.string().optional(),
  /** Returns since the start, at even intervals. */
  returns_pct: z.array(z.number()).optional(),
  /** The deployment that the figures come from. Internal. */
  deployment_id: z.number().optional(),
  /** Origin of figures that others see: absent for those of deployments that the owner alone sees. */
  source: openEnum(['record', 'reported'], 'reported').optional(),
  /** Start, number, terms and state of the track record. */
  since: z.string().optional(),
  version: z.int().optional(),
  /** Number of records that the author had begun when the record last advanced. */
  author_records: z.int().optional(),
  terms: z.string().optional(),
  sample_sufficient: z.boolean().optional(),
  volatility_pct: z.number().nullable().optional(),
  status: z.string().optional(),
  /** Reason why the strategy is not ranked. */
  unranked: z.string().optional(),
  /** Backtest over the bars before the record. */
  backtest: z
    .object({
      status: openEnum(['computing', 'done', 'failed'], 'failed'),
      figures: recordFiguresSchema.nullable(),
    })
    .optional(),
});

/** Sums over the deployments of a strategy, with its capital and results by currency. */
const reportedSchema = z.object({
  since: z.string(),
  /** Absent before the first deployment. */
  as_of: z.string().optional(),
  deployments: z.int(),
  /** Number of them with real money. */
  real: z.int(),
  trades: z.int(),
  wins: z.int(),
  amounts: z.record(z.string(), z.object({ capital: decimalText, pnl: decimalText })),
});

export type StrategyPerformance = z.output<typeof performanceSchema>;

export const NO_PERFORMANCE: StrategyPerformance = {
  total_return_pct: null,
  cagr_pct: null,
  max_drawdown_pct: null,
  sharpe_ratio: null,
  win_rate_pct: null,
  trades_count: 0,
  mode: null,
  as_of: null,
};

/** The part of a strategy that the lists of published strategies copy. Every change is written to each list. */
const cardShape = {
  strategy_id: z.number(),
  strategy_key: z.string(),
  strategy_name: z.string(),
  description: z.string().optional(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  asset_class: z.enum(STRATEGY_ASSET_CLASSES),
  user_key: z.string(),
  author_name: z.string(),
  author_avatar_url: z.string().optional(),
  like_count: z.number(),
  copy_count: z.number(),
  deployment_count: z.number(),
  performance: performanceSchema,
  published_at: z.string().optional(),
  direction: z.enum(DIRECTIONS),
  /** Description of the rules, shortened. Cards of closed strategies have none. */
  sentence: z.string().optional(),
  /** Absent without rules. */
  rules_visibility: openEnum(RULES_VISIBILITIES, 'closed').optional(),
} as const;

export const cardSchema = z.object(cardShape);
export type StrategyCard = z.output<typeof cardSchema>;

/** A strategy as stored. */
const strategySchema = z.object({
  ...cardShape,
  user_id: z.string(),
  /** The owner's deploy key. */
  keygen: z.string(),
  /** Time at which the deploy key was replaced; absent for the first one. */
  keygen_since: z.string().optional(),
  broker_id: z.number().optional(),
  legs: z.array(z.object({ symbol: z.string(), weight: z.number() })),
  status: z.enum(STRATEGY_STATUSES),
  is_copied: z.union([z.literal(0), z.literal(1)]),
  parent_strategy_id: z.number().optional(),
  publish_state: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Place in the author's profile list; absent unless the strategy is public. */
  profile_seq: z.number().optional(),
  /** Place in the explore catalogue; absent unless the strategy is listed. */
  explore_seq: z.number().optional(),
  /** Hash of the rules, which is their key; absent without rules. */
  rules_hash: z.string().optional(),
  /** Version of the strategy that changed the rules last. */
  rules_version: z.number().optional(),
  rules_changed_at: z.string().optional(),
  /** Current track record, its number among those of the strategy, and what it measures. */
  record_id: z.number().optional(),
  record_version: z.int().optional(),
  record_identity: z.string().optional(),
  /** Sums over all deployments of the owner since the first publication without rules. */
  reported: reportedSchema.optional(),
  /** Increases with every edit of the strategy, not with likes and copies. */
  version: z.number(),
  /** Increases with every like and every like taken back. */
  like_moves: z.number().optional(),
  order_type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
  quantity: z.number(),
  max_allocation_pct: z.number(),
  stop_loss_pct: z.number().optional(),
  take_profit_pct: z.number().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type Strategy = z.output<typeof strategySchema>;

/** Parses an item as a strategy; undefined if there is no item. */
export const asStrategy = (item: Item | undefined): Strategy | undefined =>
  item && parseItem(strategySchema, item);

/** Returns whether the deploy key of a strategy ended with the proof of its owner's e-mail: somebody else may have it. */
export const isKeyEnded = (
  { keygen_since, created_at }: Pick<Strategy, 'keygen_since' | 'created_at'>,
  { made_since }: { readonly made_since?: User['made_since'] },
): boolean => made_since !== undefined && (keygen_since ?? created_at) < made_since;

/** Returns the card of a strategy. */
export const cardOf = (strategy: Strategy): StrategyCard =>
  cardSchema.parse({
    ...strategy,
    description: cardDescription(strategy.description),
    sentence: strategy.rules_visibility === 'closed' ? undefined : strategy.sentence,
  });

/** Most characters of a description on a card. A page of 100 cards must fit the 1 MB of one Query. */
const MAX_CARD_DESCRIPTION = 500;

/** Shortens a description for cards. */
export const cardDescription = (description: string | undefined): string | undefined =>
  description === undefined ? undefined : [...description].slice(0, MAX_CARD_DESCRIPTION).join('');

/**
 * Reads strategies in the order of `ids`, 100 per call; undefined for each that is unknown or unreadable.
 *
 * @param options `onDamaged` takes the errors of damaged ones. Without it, they are errors.
 */
export const findStrategies = async (
  store: Store,
  ids: readonly number[],
  { consistent = true, onDamaged }: { consistent?: boolean; onDamaged?: OnDamaged } = {},
): Promise<(Strategy | undefined)[]> => {
  if (ids.length === 0) return [];
  const unique = [...new Set(ids)];
  const items = await store.getMany(unique.map(keys.strategy), { consistent });
  const byId = new Map(
    unique.map((id, index) => [id, readable(asStrategy, items[index], placeByKey, onDamaged)]),
  );
  return ids.map((id) => byId.get(id));
};

/** Reads a strategy consistently; undefined if it does not exist or only a newer version can read it. */
export const findStrategy = async (store: Store, id: number): Promise<Strategy | undefined> => {
  const [strategy] = await findStrategies(store, [id]);
  return strategy;
};

/** Returns whether a user may see a strategy by its share key: own, public or shared by link. */
export const isOpenToKey = (strategy: Strategy, userId: string): boolean =>
  strategy.publish_state !== 0 || strategy.user_id === userId;

/** Returns whether a user may see a strategy by its id, which anyone can guess: own or public. */
export const isOpenToId = (strategy: Strategy, userId: string): boolean =>
  strategy.publish_state === 1 || strategy.user_id === userId;

/** Replaces the deploy key of a user's own strategy. @returns false if the user has no such strategy. */
export const replaceKeygen = async (
  store: Store,
  { userId, id, keygen, now }: { userId: string; id: number; keygen: string; now: Date },
): Promise<boolean> => {
  try {
    await store.update(
      keys.strategy(id),
      {
        update: 'SET keygen = :keygen, keygen_since = :now',
        condition: 'user_id = :owner',
        values: { ':keygen': keygen, ':owner': userId, ':now': now.toISOString() },
      },
      strategySchema,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
