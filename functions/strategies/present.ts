import type * as z from 'zod';
import type { Strategy, StrategyCard } from '../../shared/data/strategies.ts';
import type { StrategyMarks } from '../../shared/data/strategy-marks.ts';
import { categoriesOf } from '../../shared/domain/strategies.ts';
import type { exploreStrategyOut, strategiesCustomOut, strategyOut } from './records.ts';

/** A published strategy as anybody sees it; the marks are those of who looks. */
export const presentPublished = (
  card: StrategyCard,
  marks: StrategyMarks,
): z.output<typeof strategiesCustomOut> => ({
  strategy_id: card.strategy_id,
  strategy_key: card.strategy_key,
  strategy_name: card.strategy_name,
  description: card.description ?? null,
  symbols: card.symbols,
  timeframe: card.timeframe,
  asset_class: card.asset_class,
  author: { user_key: card.user_key, name: card.author_name, avatar_url: card.author_avatar_url ?? null },
  like_count: card.like_count,
  copy_count: card.copy_count,
  deployment_count: card.deployment_count,
  performance: card.performance,
  categories: categoriesOf(card),
  is_liked: marks.liked.has(card.strategy_id),
  is_copied: marks.copied.has(card.strategy_id),
  published_at: card.published_at ?? null,
});

/** A strategy of the explore catalogue. */
export const presentListed = (
  card: StrategyCard,
  marks: StrategyMarks,
): z.output<typeof exploreStrategyOut> => ({
  explore_id: card.strategy_id,
  ...presentPublished(card, marks),
});

/** A strategy as its owner sees it. */
export const presentOwn = (strategy: Strategy): z.output<typeof strategyOut> => ({
  strategy_id: strategy.strategy_id,
  strategy_key: strategy.strategy_key,
  keygen: strategy.keygen,
  user_id: strategy.user_id,
  strategy_name: strategy.strategy_name,
  description: strategy.description ?? null,
  symbol: strategy.symbols.join(','),
  symbols: strategy.symbols,
  timeframe: strategy.timeframe,
  broker_id: strategy.broker_id ?? null,
  asset_class: strategy.asset_class,
  direction: strategy.direction,
  legs: strategy.legs,
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
