import { deployLimit } from '../../domain/plans.ts';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { summaryItemSchema, type TradingSummary } from './summary.ts';

/** The most ended deployments with open positions or orders in a list. */
const MAX_EXPOSED = 100;
/** The most deployments in a list: what any plan allows at once, and the exposed ones. */
export const MAX_LISTED = deployLimit('unlimited') + MAX_EXPOSED;

/** Reads summaries up to a key, newest first. */
const findListed = async (
  store: Store,
  userId: string,
  [ended, id]: readonly [ended: boolean, id: number],
  limit: number,
  onDamaged: OnDamaged | undefined,
): Promise<TradingSummary[]> => {
  const first = keys.listedTrading(userId, true, 0);
  const last = keys.listedTrading(userId, ended, id);
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': last.sk },
    ScanIndexForward: false,
    Limit: limit,
    ConsistentRead: true,
  });
  const found = parseReadable(summaryItemSchema, items, placeInList, onDamaged);
  return found.map(({ summary }) => summary).sort((left, right) => right.deployment_id - left.deployment_id);
};

/**
 * Reads a user's running trading deployments and those that ended with open positions or orders, newest first, in one
 * Query of at most {@link MAX_LISTED}. If there are more, running ones take precedence.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors: sums and open positions must not lack one.
 */
export const findRunning = (store: Store, userId: string, onDamaged?: OnDamaged): Promise<TradingSummary[]> =>
  findListed(store, userId, [false, Number.MAX_SAFE_INTEGER], MAX_LISTED, onDamaged);

/** Reads a user's deployments that ended with open positions or orders: the newest 100, newest first. */
export const findExposed = (store: Store, userId: string): Promise<TradingSummary[]> =>
  findListed(store, userId, [true, Number.MAX_SAFE_INTEGER], MAX_EXPOSED, undefined);
