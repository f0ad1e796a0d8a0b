import { CATEGORY_SLUGS, type CategorySlug, categoriesOf } from '../strategies/categories.ts';
import type { StrategyAssetClass, Timeframe } from '../strategies/strategies.ts';
import { STRATEGY_ASSET_CLASSES } from '../strategies/strategies.ts';
import { afterLuck } from './luck.ts';
import { LOW_DRAWDOWN_PCT, RANK_SORTS, type RankSort } from './orders.ts';
import { type RankableCard, rankedFigures } from './ranked-figures.ts';

/** Most strategies of a ranking. */
export const MAX_RANKED = 500;

/** Choice of a ranking. */
export interface Ranking {
  readonly sort: RankSort;
  /** Undefined for all categories. */
  readonly category: CategorySlug | undefined;
  /** True for drawdowns below {@link LOW_DRAWDOWN_PCT} alone. */
  readonly isLow: boolean;
}

/** A listed strategy with a place in rankings. */
export interface RankRow {
  /** Place in the catalogue, which grows with the time of publication. */
  readonly seq: number;
  readonly sharpe: number;
  readonly return_pct: number;
  readonly drawdown_pct: number;
}

/** Decimals by which rows are ranked, so that stored ones stay short. */
const DECIMALS = 4;

const rounded = (figure: number): number => Number(figure.toFixed(DECIMALS));

/**
 * Returns the row of a card; undefined if it is not ranked.
 *
 * @param records number of records that all authors ever began.
 */
export const rowOf = (
  card: RankableCard & { readonly seq: number },
  records: number,
): RankRow | undefined => {
  const figures = rankedFigures(card);
  if (!figures) return undefined;
  const { sharpe, return_pct } = afterLuck(figures, records);
  return {
    seq: card.seq,
    sharpe: rounded(sharpe),
    return_pct: rounded(return_pct),
    drawdown_pct: rounded(figures.drawdown_pct),
  };
};

const SCORES: Readonly<Record<RankSort, (row: RankRow) => number>> = {
  newest: ({ seq }) => seq,
  return: ({ return_pct }) => return_pct,
  sharpe: ({ sharpe }) => sharpe,
  drawdown: ({ drawdown_pct }) => -drawdown_pct,
};

const BOUNDS = [false, true] as const;
const ORDERS = RANK_SORTS.flatMap((sort) => BOUNDS.map((isLow) => ({ sort, isLow })));

/** Returns the best rows in an order. Of equal ones the older is first. */
const bestOf = (rows: readonly RankRow[], { sort, isLow }: Omit<Ranking, 'category'>): RankRow[] => {
  const score = SCORES[sort];
  return rows
    .filter((row) => !isLow || row.drawdown_pct < LOW_DRAWDOWN_PCT)
    .toSorted((left, right) => score(right) - score(left) || left.seq - right.seq)
    .slice(0, MAX_RANKED);
};

/** Rows of a part of the catalogue by category, as far as they can get into a ranking. */
export type Pools = ReadonlyMap<CategorySlug, readonly RankRow[]>;

/** Returns the rows without those that others keep out of all rankings. A row that is there twice counts once. */
const keepBest = (rows: readonly RankRow[]): RankRow[] => {
  const unique = [...new Map(rows.map((row) => [row.seq, row])).values()];
  return [...new Set(ORDERS.flatMap((order) => bestOf(unique, order)))];
};

/** Adds cards with their rows to the pools of their categories. */
export const addToPools = (
  pools: Pools,
  found: readonly {
    readonly row: RankRow;
    readonly asset_class: StrategyAssetClass;
    readonly timeframe: Timeframe;
  }[],
): Pools =>
  new Map(
    CATEGORY_SLUGS.map((slug) => {
      const own = found.filter((card) => categoriesOf(card).includes(slug)).map(({ row }) => row);
      return [slug, keepBest([...(pools.get(slug) ?? []), ...own])];
    }),
  );

/** Returns all rankings with the places of their strategies in the catalogue, the best first. */
export const rankingsOf = (pools: Pools): { ranking: Ranking; seqs: number[] }[] => {
  const rowsOf = (category: CategorySlug | undefined): readonly RankRow[] =>
    // A strategy has one asset class.
    category === undefined
      ? STRATEGY_ASSET_CLASSES.flatMap((one) => pools.get(one) ?? [])
      : (pools.get(category) ?? []);
  return [undefined, ...CATEGORY_SLUGS].flatMap((category) => {
    const rows = rowsOf(category);
    return ORDERS.map((order) => ({
      ranking: { ...order, category },
      seqs: bestOf(rows, order).map(({ seq }) => seq),
    }));
  });
};

/** Returns whether a card belongs into a ranking as it is now. */
export const belongsInto = (
  { category, isLow }: Ranking,
  card: RankableCard & { readonly asset_class: StrategyAssetClass; readonly timeframe: Timeframe },
): boolean => {
  const figures = rankedFigures(card);
  if (!figures || (isLow && figures.drawdown_pct >= LOW_DRAWDOWN_PCT)) return false;
  return category === undefined || categoriesOf(card).includes(category);
};
