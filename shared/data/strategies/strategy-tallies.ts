import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { bounded } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Condition, Key, Write } from '../table/writes.ts';
import type { User } from '../users/users.ts';
import type { Strategy } from './strategies.ts';

/**
 * One item per user and strategy for a like, for copies, and for deployments of copies. It counts once, and only while
 * the user is proven and not the author. Reconciliation checks the counts of the strategy against these items; they are
 * written in the transactions that change the counts.
 */
const KINDS = {
  like: { partition: 'LIKES', count: 'like_count' },
  copy: { partition: 'COPIES', count: 'copy_count' },
  deployment: { partition: 'DEPLOYERS', count: 'deployment_count' },
} as const;

export type TallyKind = keyof typeof KINDS;

/** Returns the field of a strategy that has the count of a kind. */
export const countOf = (kind: TallyKind): (typeof KINDS)[TallyKind]['count'] => KINDS[kind].count;

/** Returns the partition of the users who are tallied for a strategy. */
export const tallyPartition = (kind: TallyKind, strategyId: number): string =>
  `${KINDS[kind].partition}#${strategyId}`;

/** Beginning of the sort keys of a partition. */
export const TALLY_PREFIX = 'USER#';

/** A user who likes, copied or deployed a strategy. */
export interface Tallied {
  readonly kind: TallyKind;
  readonly strategyId: number;
  readonly userId: string;
}

/** Returns the key of the item of a user. */
export const tallyKey = ({ kind, strategyId, userId }: Tallied): Key => ({
  pk: tallyPartition(kind, strategyId),
  sk: `${TALLY_PREFIX}${bounded(userId)}`,
});

const tallySchema = z.object({ counted: z.literal(true).optional() });

/** The item of a user: whether it counts. */
export type Tally = z.output<typeof tallySchema>;

/** Parses the item of a user; undefined if there is none. */
export const asTally = (item: Item | undefined): Tally | undefined => item && parseItem(tallySchema, item);

/** Returns whether a user counts for a strategy: only proven accounts, and never the author. */
export const counts = (
  { user_id, email_verified }: Pick<User, 'user_id' | 'email_verified'>,
  strategy: Pick<Strategy, 'user_id'>,
): boolean => email_verified && user_id !== strategy.user_id;

/** Returns the condition that the item of a user is as it was read. */
const unchanged = (before: Tally | undefined): Condition => {
  if (!before) return { condition: 'attribute_not_exists(pk)' };
  return before.counted
    ? { condition: 'counted = :counted', values: { ':counted': true } }
    : { condition: 'attribute_exists(pk) AND attribute_not_exists(counted)' };
};

/** Returns the write of the item of a user. Its condition fails if the item changed since it was read. */
export const tallyWrite = (tallied: Tallied, before: Tally | undefined, isCounted: boolean): Write => ({
  put: { ...tallyKey(tallied), entity: 'tally', ...(isCounted && { counted: true }) },
  if: unchanged(before),
});

/** Returns the write that removes the item of a user. Its condition fails if the item changed since it was read. */
export const tallyRemoval = (tallied: Tallied, before: Tally | undefined): Write => ({
  delete: tallyKey(tallied),
  if: unchanged(before),
});
