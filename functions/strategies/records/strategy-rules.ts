import * as z from 'zod';
import { extensionRecord, integer, requestRecord, timestamp } from '../../../shared/api/fields.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import type { StrategyMarks } from '../../../shared/data/strategies/strategy-marks.ts';
import type { RulesVersion } from '../../../shared/data/strategies/strategy-rules.ts';
import { describe } from '../../../shared/domain/engine/rules/describe.ts';
import type { Rules } from '../../../shared/domain/engine/rules/shape.ts';
import { categoriesOf } from '../../../shared/domain/strategies/categories.ts';
import { DIRECTIONS, STRATEGY_STATUSES } from '../../../shared/domain/strategies/strategies.ts';
import { identityFields, marketFields, rulesFields } from '../../../shared/records/strategy.ts';
import { author, presentAuthor, presentPerformance, strategyPerformance } from './published.ts';

const rulesVersion = extensionRecord(
  'RulesVersion',
  z.object({
    version: integer(),
    rules_hash: z.string(),
    sentence: z.string(),
    changed_at: timestamp(),
  }),
);

/** Strategy with its rules. Others than the owner see no rules, hashes and versions. */
export const strategyRulesOut = extensionRecord(
  'StrategyRulesOut',
  z.object({
    ...identityFields,
    description: z.string().nullable(),
    ...marketFields,
    direction: z.enum(DIRECTIONS),
    author,
    is_own: z.boolean(),
    status: z.enum(STRATEGY_STATUSES),
    is_copied: integer(),
    parent_strategy_id: integer().nullable(),
    publish_state: integer(),
    is_listed: z.boolean(),
    categories: z.array(z.string()),
    performance: strategyPerformance,
    is_liked: z.boolean(),
    like_count: integer(),
    copy_count: integer(),
    deployment_count: integer(),
    version: integer(),
    ...rulesFields,
    rules: requestRecord('Rules').nullable(),
    rules_hash: z.string().nullable(),
    rules_version: integer().nullable(),
    versions: z.array(rulesVersion),
    published_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

const presentCommon = (strategy: Strategy, marks: StrategyMarks) => ({
  strategy_id: strategy.strategy_id,
  strategy_key: strategy.strategy_key,
  strategy_name: strategy.strategy_name,
  description: strategy.description ?? null,
  symbols: strategy.symbols,
  timeframe: strategy.timeframe,
  asset_class: strategy.asset_class,
  direction: strategy.direction,
  author: presentAuthor(strategy),
  status: strategy.status,
  is_copied: strategy.is_copied,
  parent_strategy_id: strategy.parent_strategy_id ?? null,
  publish_state: strategy.publish_state,
  is_listed: strategy.explore_seq !== undefined,
  categories: categoriesOf(strategy),
  performance: presentPerformance(strategy.performance),
  is_liked: marks.liked.has(strategy.strategy_id),
  like_count: strategy.like_count,
  copy_count: strategy.copy_count,
  deployment_count: strategy.deployment_count,
  version: strategy.version,
  rules_visibility: strategy.rules_visibility ?? null,
  published_at: strategy.published_at ?? null,
  created_at: strategy.created_at,
  updated_at: strategy.updated_at,
});

interface OwnRules {
  readonly rules: Rules | undefined;
  /** Version of these rules. */
  readonly shown: RulesVersion | undefined;
  readonly versions: readonly RulesVersion[];
}

/** Presents a strategy to its owner, with one version of its rules. */
export const presentOwnRules = (
  strategy: Strategy,
  marks: StrategyMarks,
  { rules, shown, versions }: OwnRules,
): z.output<typeof strategyRulesOut> => ({
  ...presentCommon(strategy, marks),
  is_own: true,
  sentence: rules ? describe(rules) : null,
  rules: rules ? { ...rules } : null,
  rules_hash: shown?.rules_hash ?? null,
  rules_version: shown?.version ?? null,
  versions: [...versions],
});

/**
 * Presents a strategy to others: copying hands over the rules.
 *
 * @param rules for their sentence; undefined for closed ones.
 */
export const presentOthersRules = (
  strategy: Strategy,
  marks: StrategyMarks,
  rules: Rules | undefined,
): z.output<typeof strategyRulesOut> => ({
  ...presentCommon(strategy, marks),
  is_own: false,
  sentence: rules ? describe(rules) : null,
  rules: null,
  rules_hash: null,
  rules_version: null,
  versions: [],
});
