import type { Store } from '../table/store.ts';
import { reconcileCounts } from './owner-counts.ts';
import { reconcileLikes } from './owner-likes.ts';
import { reconcileUnread } from './owner-unread.ts';
import type { Tally } from './tally.ts';

/**
 * Compares what is counted for a user with what there is: strategies, active deployments, deployments of
 * each strategy, unread notifications of each deployment, and the marks of what the user likes.
 */
export const reconcileOwner = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  tally.add('user', 'checked');
  if (await reconcileCounts(store, userId, tally)) await reconcileUnread(store, userId, tally);
  await reconcileLikes(store, userId, tally);
};
