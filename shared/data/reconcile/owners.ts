import type { Store } from '../table/store.ts';
import { reconcileCounts } from './owner-counts.ts';
import { reconcileLikes } from './owner-likes.ts';
import { reconcileTallies } from './owner-tallies.ts';
import { reconcileUnread } from './owner-unread.ts';
import type { Tally } from './tally.ts';

/**
 * Checks and corrects the counts of a user: strategies, active deployments, unread notifications per deployment, the
 * marks of liked strategies, and for which strategies the user counts.
 */
export const reconcileOwner = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  tally.add('user', 'checked');
  const deployments = await reconcileCounts(store, userId, tally);
  if (deployments?.length !== 0) await reconcileUnread(store, userId, tally);
  await reconcileLikes(store, userId, tally);
  await reconcileTallies(store, userId, deployments ?? [], tally);
};
