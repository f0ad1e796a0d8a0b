import type {
  ExploreStrategyOut,
  GetExploreStrategiesInput,
} from '../../../../../infra/client/package/src/index.ts';
import { LOW_DRAWDOWN_PCT } from '../../../../../shared/domain/rankings/orders.ts';
import { SUFFICIENT_DAYS } from '../../../../../shared/domain/track-records/sufficient.ts';
import { hub, ME } from '../../hub.ts';
import { type ExploreView, hasWords, inCategory, isRanked, termOf } from './view.ts';

/** Strategies of a view. */
export interface Found {
  readonly strategies: readonly ExploreStrategyOut[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  /** True if more match than the service lists. */
  readonly isCut: boolean;
  /** Liked strategies that are in the catalogue no more. */
  readonly unlisted: number;
}

const PAGE_SIZE = 24;
/** Most strategies that a search finds. */
const MAX_FOUND = 50;

const onePage = (strategies: readonly ExploreStrategyOut[], more: Partial<Found> = {}): Found => ({
  strategies,
  total: strategies.length,
  page: 1,
  pages: 1,
  isCut: false,
  unlisted: 0,
  ...more,
});

const findLiked = async (view: ExploreView, signal: AbortSignal): Promise<Found> => {
  const favourites = await hub.getExploreStrategyFavourites({ user_id: ME }, { signal });
  const listed = favourites.flatMap(({ strategy }) => strategy ?? []);
  const shown = inCategory(listed, view.category).filter((strategy) => hasWords(strategy, view.words));
  return onePage(shown, { unlisted: favourites.length - listed.length });
};

const search = async (view: ExploreView, signal: AbortSignal): Promise<Found> => {
  const [found, favourites] = await Promise.all([
    hub.searchExploreStrategies({ term: termOf(view) }, { signal }),
    hub.getExploreStrategyFavourites({ user_id: ME }, { signal }),
  ]);
  // A search does not know the user.
  const liked = new Set(favourites.map(({ strategy_id }) => strategy_id));
  const marked = found.map((strategy) => ({ ...strategy, is_liked: liked.has(strategy.strategy_id) }));
  return onePage(inCategory(marked, view.category), { isCut: found.length >= MAX_FOUND });
};

/** Returns what a ranking of the service is asked for. */
const rankingOf = ({ sort, category, isLow }: ExploreView): Omit<GetExploreStrategiesInput, 'user_id'> => ({
  sort,
  ...(category !== '' && { category }),
  min_days: SUFFICIENT_DAYS,
  ...(isLow && { max_drawdown_pct: LOW_DRAWDOWN_PCT }),
});

/** Finds the strategies of a view: a page of the catalogue or a ranking, those that match words, or those that the user likes. */
export const findStrategies = async (view: ExploreView, signal: AbortSignal): Promise<Found> => {
  if (view.isLiked) return findLiked(view, signal);
  if (termOf(view) !== '' && !isRanked(view)) return search(view, signal);
  const { items, total, page, pages } = await hub.getExploreStrategies(
    { user_id: ME, ...(isRanked(view) && rankingOf(view)), page: view.page, size: PAGE_SIZE },
    { signal },
  );
  return onePage(items, { total, page, pages });
};
