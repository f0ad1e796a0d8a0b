import { keys } from './keys.ts';
import { type LiveSummary, packedSummarySchema } from './live-summary.ts';
import type { Store } from './store.ts';

/**
 * Reads a user's live deployments that run, and those that have ended with something still open, newest
 * first: a plan bounds them, so one Query reads them all.
 */
export const findRunning = async (store: Store, userId: string): Promise<LiveSummary[]> => {
  const range = keys.runningLive(userId, '');
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :range)',
      ExpressionAttributeValues: { ':pk': range.pk, ':range': range.sk },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
    packedSummarySchema,
  );
  return found.map(({ summary }) => summary);
};
