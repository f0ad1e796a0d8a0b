import * as z from 'zod';
import { tierOf, workLimit } from '../../domain/plans.ts';
import type { Item } from '../table/attributes.ts';
import { adjust, type Budget, budgetKey, budgetOf, covers, spend, spendWrite } from '../table/budgets.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import type { User } from '../users/users.ts';

const YOUNG_MS = 7 * 86_400_000;
/** Part of the work of all free users that young accounts cannot use, so that the others have some left. */
const KEPT_FROM_YOUNG = 0.5;
/** Part of the work of a user that one API key can use, so that a program leaves the rest to its owner. */
const PART_OF_KEY = 0.5;
/** Differences that are settled with shared budgets; smaller ones are not worth a call. */
const SETTLED_PART = 0.1;

type Hasher = Parameters<typeof budgetOf>[0];

/** Budgets that work is taken from. */
export interface WorkBudgets {
  readonly own: Budget;
  /** Those of others as well: of the API key; for free plans also of the network, and of all users of the tier. */
  readonly shared: readonly Budget[];
}

/** Account whose work is counted, and the network that asks for it. */
export interface WorkAccount {
  readonly user: Pick<User, 'user_id' | 'plan' | 'email_verified' | 'created_at'>;
  readonly network: string | undefined;
  /** API key that asks for it. */
  readonly keyId?: string | undefined;
  readonly now: Date;
}

/** Returns the key of the budget of a user. */
export const ownWorkKey = (ring: Hasher, userId: string, now: Date): Key =>
  budgetOf(ring, 'work_user', [userId], now).key;

/** Returns the budgets of a user on the present day (UTC). */
export const workBudgetsOf = (ring: Hasher, { user, network, keyId, now }: WorkAccount): WorkBudgets => {
  const tier = tierOf(user);
  const own = { ...budgetOf(ring, 'work_user', [user.user_id], now), max: workLimit(tier) };
  const ofKey =
    keyId === undefined
      ? []
      : [{ ...budgetOf(ring, 'work_key', [user.user_id, keyId], now), max: own.max * PART_OF_KEY }];
  if (tier !== 'free' && tier !== 'unproven') return { own, shared: ofKey };
  const pool = budgetOf(ring, `work_${tier}`, [], now);
  const isYoung = now.getTime() - Date.parse(user.created_at) < YOUNG_MS;
  return {
    own,
    shared: [
      ...ofKey,
      ...(network === undefined ? [] : [budgetOf(ring, `work_${tier}_network`, [network], now)]),
      tier === 'free' && isYoung ? { ...pool, max: pool.max * (1 - KEPT_FROM_YOUNG) } : pool,
    ],
  };
};

/** Work that is asked for. */
export interface WorkRequest extends WorkBudgets {
  readonly work: number;
}

/** Returns whether the user's own budget covers the work. `item` is that at {@link ownWorkKey}. */
export const isWithinBudget = (item: Item | undefined, { own, work }: WorkRequest): boolean =>
  covers(item, own, work);

/** Returns the write that takes work from the user's own budget. Fails if it no longer covers what was asked for. */
export const workWrite = ({ own, work }: WorkRequest, used: number): Write => spendWrite(own, work, used);

/** Takes work from the shared budgets, in parallel. @returns false, and nothing is taken, if one does not cover it. */
export const takeShared = async (store: Store, { shared, work }: WorkRequest): Promise<boolean> => {
  const taken = await Promise.all(shared.map((budget) => spend(store, budget, work)));
  if (taken.every(Boolean)) return true;
  await Promise.all(shared.map(({ key }, index) => (taken[index] ? adjust(store, key, -work) : undefined)));
  return false;
};

/** Settles what really ran with the shared budgets, in parallel. */
export const settleShared = async (
  store: Store,
  { shared, work }: { readonly shared: readonly { readonly key: Key }[]; readonly work: number },
  ran: number,
): Promise<void> => {
  if (Math.abs(ran - work) <= SETTLED_PART * work) return;
  await Promise.all(shared.map(({ key }) => adjust(store, key, ran - work)));
};

/** Budgets that a job was charged to, as it stores them. */
export const chargeSchema = z.object({
  own: z.string(),
  shared: z.array(z.string()),
  /** Work of the bars that others are derived from. */
  source: z.number(),
});

export type Charge = z.output<typeof chargeSchema>;

/** Returns what a job stores to settle its work. */
export const chargeOf = ({ own, shared }: WorkBudgets, source: number): Charge => ({
  own: own.key.pk,
  shared: shared.map(({ key }) => key.pk),
  source,
});

/** Settles what a job really did. No-op for days that are over. */
export const settleJob = async (
  store: Store,
  { charge, work }: { readonly charge?: Charge | undefined; readonly work: number },
  ran: number,
): Promise<void> => {
  if (!charge || ran === work) return;
  await Promise.all([
    adjust(store, budgetKey(charge.own), ran - work),
    settleShared(store, { shared: charge.shared.map((pk) => ({ key: budgetKey(pk) })), work }, ran),
  ]);
};
