import type { StrategyOut, StrategyPerformance } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import type { OwnView } from './view.ts';

/** Own strategy with its results, without its deploy key. */
export interface OwnStrategy extends Omit<StrategyOut, 'keygen' | 'user_id'> {
  readonly performance: StrategyPerformance | undefined;
}

/** Page of own strategies. */
export interface OwnPage {
  readonly strategies: readonly OwnStrategy[];
  readonly total: number;
  readonly pages: number;
  readonly built: number;
  readonly copied: number;
}

const PAGE_SIZE = 24;

/** Reads a page of own strategies with their results. */
export const loadOwn = async (view: OwnView, signal: AbortSignal): Promise<OwnPage> => {
  const { items, total, pages, counts } = await hub.getStrategiesByUser(
    {
      user_id: ME,
      is_copied: view.isCopied ? 1 : 0,
      status: view.isArchived ? 'archived' : 'ready',
      search_key: view.words.trim() === '' ? undefined : view.words,
      page: view.page,
      size: PAGE_SIZE,
    },
    { signal },
  );
  const ids = items.map(({ strategy_id }) => strategy_id).join(',');
  const { metrics } =
    ids === ''
      ? { metrics: [] }
      : await hub.getStrategiesPerformanceMetrics({ user_id: ME, strategy_ids: ids }, { signal });
  const results = new Map(metrics.map((each) => [each.strategy_id, each]));
  return {
    strategies: items.map(({ keygen: _key, user_id: _user, ...strategy }) => ({
      ...strategy,
      performance: results.get(strategy.strategy_id),
    })),
    total,
    pages,
    built: counts.own,
    copied: counts.copied,
  };
};
