import { deployLimit } from '../domain/plans.ts';
import { keys } from './keys.ts';
import { type LiveSummary, packedSummarySchema } from './live-summary.ts';
import type { Store } from './store.ts';

/** What any plan lets run at once, and of those that have ended with something still open the newest hundred. */
export const MAX_LISTED = deployLimit('unlimited') + 100;

/**
 * Reads a user's live deployments that run, and those that have ended with something still open, newest
 * first: at most {@link MAX_LISTED} by one Query, whatever engines have left open. Those that run come first
 * where there are more.
 */
export const findRunning = async (store: Store, userId: string): Promise<LiveSummary[]> => {
  const first = keys.listedLive(userId, true, 0);
  const last = keys.listedLive(userId, false, Number.MAX_SAFE_INTEGER);
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': last.sk },
      ScanIndexForward: false,
      Limit: MAX_LISTED,
      ConsistentRead: true,
    },
    packedSummarySchema,
  );
  const summaries = found.map(({ summary }) => summary);
  return summaries.sort((left, right) => right.deployment_id - left.deployment_id);
};
