import type { NumberedList } from '../numbered-list/numbered-list.ts';
import { EXPLORE_LIST } from '../strategies/listings.ts';

/** Partition prefixes of all numbered lists with a head of their own and the default span. Add new kinds of lists here. */
const KINDS = [
  ['profile', 'PROFILE#'],
  ['deployments', 'DEPLOYMENTS#'],
  ['notifications', 'NOTIFICATIONS#'],
  ['user_orders', 'USER_ORDERS#'],
  ['user_trades', 'USER_TRADES#'],
  ['slippage', 'SLIPPAGE#'],
  ['live_ended', 'LIVE_ENDED#'],
  ['audit', 'AUDIT#'],
  ['deployment_audit', 'AUDIT_OF#'],
  ['switch_trail', 'SWITCH_TRAIL#'],
] as const;

/** Returns the numbered list and its kind for a partition; undefined for other partitions. */
export const listOfPartition = (
  pk: string,
): { readonly kind: string; readonly list: NumberedList } | undefined => {
  if (pk === EXPLORE_LIST.pk) return { kind: 'explore', list: EXPLORE_LIST };
  const kind = KINDS.find(([, prefix]) => pk.startsWith(prefix));
  return kind && { kind: kind[0], list: { pk } };
};
