import type * as z from 'zod';
import type { Strategy, StrategyCard } from '../../shared/data/strategies/strategies.ts';
import type { StrategyMarks } from '../../shared/data/strategies/strategy-marks.ts';
import { categoriesOf } from '../../shared/domain/strategies/strategies.ts';
import type { exploreStrategyOut, strategiesCustomOut } from './published-records.ts';
import type { strategyOut } from './strategy-record.ts';
import { presentShape } from './strategy-shape.ts';

/** Presents a published strategy, with the marks of the viewer. */
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

/** Presents a strategy of the explore catalogue. */
export const presentListed = (
  card: StrategyCard,
  marks: StrategyMarks,
): z.output<typeof exploreStrategyOut> => ({
  explore_id: card.strategy_id,
  ...presentPublished(card, marks),
});

/** Strategy as its owner sees it. */
export const presentOwn = (strategy: Strategy): z.output<typeof strategyOut> => ({
  strategy_id: strategy.strategy_id,
  strategy_key: strategy.strategy_key,
  keygen: strategy.keygen,
  user_id: strategy.user_id,
  strategy_name: strategy.strategy_name,
  symbol: strategy.symbols.join(','),
  ...presentShape(strategy),
});
