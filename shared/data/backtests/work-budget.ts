import * as z from 'zod';
import { FREE_WORK_LIMIT, type Plan, workLimit } from '../../domain/plans.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const DAY_MS = 86_400_000;
const KEEP_S = 2 * 86_400;

const workSchema = z.object({ day: z.string(), used: z.number() });

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** Returns the seconds until budgets begin again, at midnight UTC. */
export const untilNextDay = (now: Date): number => (DAY_MS - (now.getTime() % DAY_MS)) / 1000;

/** Work that a user asks for. */
export interface WorkRequest {
  readonly userId: string;
  readonly plan: Plan;
  readonly work: number;
  readonly now: Date;
}

/** Returns whether the user's budget of the day covers the work. `item` is that of {@link keys.backtestWork}. */
export const isWithinBudget = (item: Item | undefined, { plan, work, now }: WorkRequest): boolean => {
  const stored = item && parseItem(workSchema, item);
  const used = stored?.day === dayOf(now) ? stored.used : 0;
  return used + work <= workLimit(plan);
};

/** Returns the write that takes work from the user's budget. Fails if the budget changed and no longer covers it. */
export const workWrite = (item: Item | undefined, { userId, plan, work, now }: WorkRequest): Write => {
  const day = dayOf(now);
  const isToday = item !== undefined && parseItem(workSchema, item).day === day;
  const key = keys.backtestWork(userId);
  const values = { ':day': day, ':work': work };
  return isToday
    ? {
        key,
        update: 'SET used = used + :work',
        condition: '#day = :day AND used <= :most',
        names: { '#day': 'day' },
        values: { ...values, ':most': workLimit(plan) - work },
      }
    : {
        key,
        update: 'SET #day = :day, used = :work, entity = :entity',
        condition: 'attribute_not_exists(#day) OR #day <> :day',
        names: { '#day': 'day' },
        values: { ...values, ':entity': 'backtest_work' },
      };
};

/**
 * Takes work from the budget that all users of the free plan share. One call; none for other plans.
 *
 * @returns false, and nothing is taken, if the budget of the day does not cover it.
 */
export const takeFreeWork = async (store: Store, { plan, work, now }: WorkRequest): Promise<boolean> => {
  if (plan !== 'free') return true;
  const change = {
    update: 'SET used = if_not_exists(used, :none) + :work, entity = :entity, expires_at_s = :expiry',
    condition: 'attribute_not_exists(used) OR used <= :most',
    values: {
      ':none': 0,
      ':work': work,
      ':most': FREE_WORK_LIMIT - work,
      ':entity': 'backtest_work',
      ':expiry': Math.floor(now.getTime() / 1000) + KEEP_S,
    },
  };
  try {
    await store.update(keys.freeBacktestWork(dayOf(now)), change, z.object({}));
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};

/** Gives work back that {@link takeFreeWork} took. */
export const returnFreeWork = async (store: Store, { plan, work, now }: WorkRequest): Promise<void> => {
  if (plan !== 'free') return;
  const change = { update: 'SET used = used - :work', values: { ':work': work } };
  await store.update(keys.freeBacktestWork(dayOf(now)), change, z.object({}));
};
