import type { Call } from '../../../shared/api/call.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import type { StrategyCard } from '../../../shared/data/strategies/strategies.ts';
import { sharedReads } from '../../../shared/data/table/timed-memory.ts';

/**
 * Keeps first pages of the catalogue, by size and head of the list: entries that are added or removed show at once,
 * changes of a card within seconds.
 */
export const firstPages = sharedReads<{ entries: StrategyCard[]; total: number }>(8);

/** Keeps what the last searches found, by term. */
export const searches = sharedReads<StrategyCard[]>(20);

/**
 * Runs a change of strategies that cards show, again on a conflict. Forgets the kept cards, because a caller expects to
 * see its own change.
 */
export const changeCards = async <T>({ store }: Pick<Call, 'store'>, run: () => Promise<T>): Promise<T> => {
  try {
    return await retryOnConflict(run);
  } finally {
    // Forgets them after a failure too: the change may have taken effect.
    firstPages.forget(store);
    searches.forget(store);
  }
};
