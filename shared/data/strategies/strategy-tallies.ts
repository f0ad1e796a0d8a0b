import { bounded } from '../table/keys.ts';
import type { Key, Write } from '../table/store.ts';

/**
 * Who likes a strategy and what is copied from it, an item each, beside the counts that the strategy keeps:
 * what the counts can be checked against. Written in the transactions that count.
 */

/** The partition of who likes a strategy. */
export const likersPartition = (strategyId: number): string => `LIKES#${strategyId}`;

/** The partition of what is copied from a strategy. */
export const copiesPartition = (strategyId: number): string => `COPIES#${strategyId}`;

export const likerKey = (strategyId: number, userId: string): Key => ({
  pk: likersPartition(strategyId),
  sk: `LIKE#${bounded(userId)}`,
});

export const copyKey = (strategyId: number, copyId: number): Key => ({
  pk: copiesPartition(strategyId),
  sk: `COPY#${copyId}`,
});

/** Enters a user among those who like a strategy, or takes them out. */
export const likerWrite = (strategyId: number, userId: string, liked: boolean): Write => {
  const key = likerKey(strategyId, userId);
  return liked ? { key, set: { entity: 'liker' } } : { delete: key };
};

/** Enters a copy among those of its source. */
export const copyWrite = (strategyId: number, copyId: number): Write => ({
  put: { ...copyKey(strategyId, copyId), entity: 'copy' },
});
