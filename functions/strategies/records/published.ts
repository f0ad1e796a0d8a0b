import * as z from 'zod';
import { extensionRecord, extra, integer, record, timestamp } from '../../../shared/api/fields.ts';
import type { StrategyCard, StrategyPerformance } from '../../../shared/data/strategies/strategies.ts';
import type { StrategyMarks } from '../../../shared/data/strategies/strategy-marks.ts';
import { afterLuck } from '../../../shared/domain/rankings/luck.ts';
import { rankedFigures } from '../../../shared/domain/rankings/ranked-figures.ts';
import { categoriesOf } from '../../../shared/domain/strategies/categories.ts';
import { DIRECTIONS } from '../../../shared/domain/strategies/strategies.ts';
import { recordFigures } from '../../../shared/records/record-figures.ts';
import { identityFields, marketFields, rulesFields } from '../../../shared/records/strategy.ts';

const figure = z.number().nullable();

export const author = extensionRecord(
  'Author',
  z.object({ user_key: z.string(), name: z.string(), avatar_url: z.string().nullable() }),
);

/** Backtest over the bars before a track record. */
const recordBacktest = extensionRecord(
  'RecordBacktest',
  z.object({ status: z.enum(['computing', 'done', 'failed']), figures: recordFigures.nullable() }),
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
    period_start: timestamp().nullable(),
    returns_pct: z.array(z.number()),
    source: z.enum(['record', 'reported']).nullable(),
    since: timestamp().nullable(),
    version: integer().nullable(),
    author_records: integer().nullable(),
    terms: z.string().nullable(),
    sample_sufficient: z.boolean(),
    volatility_pct: figure,
    status: z.string().nullable(),
    unranked: z.string().nullable(),
    backtest: recordBacktest.nullable(),
  }),
);

const published = {
  ...identityFields,
  description: z.string().nullable(),
  ...marketFields,
  direction: z.enum(DIRECTIONS),
  ...rulesFields,
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

const rankFigures = extensionRecord(
  'RankFigures',
  z.object({ return_after_luck_pct: z.number(), sharpe_after_luck: z.number(), records_begun: integer() }),
);

/** Strategy in the explore catalogue. */
export const exploreStrategyOut = record(
  'ExploreStrategyOut',
  z.object({ explore_id: integer(), ...published, rank_figures: extra(rankFigures.nullable()) }),
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

/** Presents the author of a strategy. */
export const presentAuthor = (card: StrategyCard): z.output<typeof author> => ({
  user_key: card.user_key,
  name: card.author_name,
  avatar_url: card.author_avatar_url ?? null,
});

/** Presents the performance of a strategy, without the deployment that it comes from. */
export const presentPerformance = ({
  period_start,
  returns_pct,
  deployment_id: _,
  source,
  since,
  version,
  author_records,
  terms,
  sample_sufficient,
  volatility_pct,
  status,
  unranked,
  backtest,
  ...figures
}: StrategyPerformance): z.output<typeof strategyPerformance> => ({
  ...figures,
  period_start: period_start ?? null,
  returns_pct: returns_pct ?? [],
  source: source ?? null,
  since: since ?? null,
  version: version ?? null,
  author_records: author_records ?? null,
  terms: terms ?? null,
  sample_sufficient: sample_sufficient ?? false,
  volatility_pct: volatility_pct ?? null,
  status: status ?? null,
  unranked: unranked ?? null,
  backtest: backtest ?? null,
});

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
  direction: card.direction,
  sentence: card.sentence ?? null,
  rules_visibility: card.rules_visibility ?? null,
  author: presentAuthor(card),
  like_count: card.like_count,
  copy_count: card.copy_count,
  deployment_count: card.deployment_count,
  performance: presentPerformance(card.performance),
  categories: categoriesOf(card),
  is_liked: marks.liked.has(card.strategy_id),
  is_copied: marks.copied.has(card.strategy_id),
  published_at: card.published_at ?? null,
});

/**
 * Presents a strategy of the explore catalogue.
 *
 * @param rank figures by which it is ranked; absent outside of rankings.
 */
export const presentListed = (
  card: StrategyCard,
  marks: StrategyMarks,
  rank: z.output<typeof rankFigures> | null = null,
): z.output<typeof exploreStrategyOut> => ({
  explore_id: card.strategy_id,
  ...presentPublished(card, marks),
  rank_figures: rank,
});

/**
 * Presents a strategy of a ranking with the figures that luck does not explain.
 *
 * @param records number of records that all authors had begun at the time of the ranking.
 */
export const presentRanked = (
  card: StrategyCard,
  marks: StrategyMarks,
  records: number,
): z.output<typeof exploreStrategyOut> => {
  const figures = rankedFigures(card);
  const left = figures && afterLuck(figures, records);
  return presentListed(
    card,
    marks,
    left && {
      return_after_luck_pct: left.return_pct,
      sharpe_after_luck: left.sharpe,
      records_begun: records,
    },
  );
};
