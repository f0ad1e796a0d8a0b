import type { NumberedList } from '../numbered-list/numbered-list.ts';
import { EXPLORE_LIST } from '../strategies/listings.ts';

/**
 * The beginnings of the partitions of all numbered lists that have a head of their own and the usual span. A
 * new kind of list is entered here.
 */
const KINDS = [
  ['profile', 'PROFILE#'],
  ['deployments', 'DEPLOYMENTS#'],
  ['notifications', 'NOTIFICATIONS#'],
  ['user_orders', 'USER_ORDERS#'],
  ['user_trades', 'USER_TRADES#'],
  ['slippage', 'SLIPPAGE#'],
  ['live_ended', 'LIVE_ENDED#'],
] as const;

/** The numbered list whose entries a partition holds, and of which kind it is; undefined where it is unknown. */
export const listOfPartition = (
  pk: string,
): { readonly kind: string; readonly list: NumberedList } | undefined => {
  if (pk === EXPLORE_LIST.pk) return { kind: 'explore', list: EXPLORE_LIST };
  const kind = KINDS.find(([, prefix]) => pk.startsWith(prefix));
  return kind && { kind: kind[0], list: { pk } };
};
