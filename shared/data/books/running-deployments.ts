import { deployLimit } from '../../domain/plans.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { packedSummarySchema, type TradingSummary } from './summary.ts';

/** Deployments that have ended with something still open. */
const MAX_EXPOSED = 100;
/** What any plan lets run at once, and of those that have ended with something still open the newest hundred. */
export const MAX_LISTED = deployLimit('unlimited') + MAX_EXPOSED;

/** Reads summaries from one key to another, newest first. */
const findListed = async (
  store: Store,
  userId: string,
  [ended, id]: readonly [ended: boolean, id: number],
  limit: number,
): Promise<TradingSummary[]> => {
  const first = keys.listedTrading(userId, true, 0);
  const last = keys.listedTrading(userId, ended, id);
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': last.sk },
      ScanIndexForward: false,
      Limit: limit,
      ConsistentRead: true,
    },
    packedSummarySchema,
  );
  return found.map(({ summary }) => summary).sort((left, right) => right.deployment_id - left.deployment_id);
};

/**
 * Reads a user's live deployments that run, and those that have ended with something still open, newest
 * first: at most {@link MAX_LISTED} by one Query, whatever engines have left open. Those that run come first
 * where there are more.
 */
export const findRunning = (store: Store, userId: string): Promise<TradingSummary[]> =>
  findListed(store, userId, [false, Number.MAX_SAFE_INTEGER], MAX_LISTED);

/** Reads a user's live deployments that have ended with something still open, newest first: the newest hundred. */
export const findExposed = (store: Store, userId: string): Promise<TradingSummary[]> =>
  findListed(store, userId, [true, Number.MAX_SAFE_INTEGER], MAX_EXPOSED);
