import type { Store } from '../table/store.ts';
import { reconcileCounts } from './owner-counts.ts';
import { reconcileLikes } from './owner-likes.ts';
import { reconcileUnread } from './owner-unread.ts';
import type { Tally } from './tally.ts';

/**
 * Checks and corrects the counts of a user: strategies, active deployments, deployments per strategy, unread
 * notifications per deployment, and the marks of liked strategies.
 */
export const reconcileOwner = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  tally.add('user', 'checked');
  if (await reconcileCounts(store, userId, tally)) await reconcileUnread(store, userId, tally);
  await reconcileLikes(store, userId, tally);
};
