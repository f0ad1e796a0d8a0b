import { bounded } from '../table/keys.ts';
import type { Key, Write } from '../table/writes.ts';
import type { LikeChange } from './strategy-marks.ts';

/**
 * One item per like and per copy of a strategy. Reconciliation checks the strategy's counts against them. Written in
 * the transactions that change the counts.
 */

/** Returns the partition of the users who like a strategy. */
export const likersPartition = (strategyId: number): string => `LIKES#${strategyId}`;

/** Returns the partition of the copies of a strategy. */
export const copiesPartition = (strategyId: number): string => `COPIES#${strategyId}`;

/** Returns the key of the item that records a user's like. */
export const likerKey = (strategyId: number, userId: string): Key => ({
  pk: likersPartition(strategyId),
  sk: `LIKE#${bounded(userId)}`,
});

/** Returns the key of the item that records a copy of a strategy. */
export const copyKey = (strategyId: number, copyId: number): Key => ({
  pk: copiesPartition(strategyId),
  sk: `COPY#${copyId}`,
});

/** Returns the write that records or removes a user's like. */
export const likerEntryWrite = ({ userId, strategyId, liked }: LikeChange): Write => {
  const key = likerKey(strategyId, userId);
  return liked ? { key, set: { entity: 'liker' } } : { delete: key };
};

/** Returns the write that records a copy of a strategy. */
export const copyEntryWrite = (strategyId: number, copyId: number): Write => ({
  put: { ...copyKey(strategyId, copyId), entity: 'copy' },
});
