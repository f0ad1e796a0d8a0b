import { decimal } from '../money.ts';
import { orderCeilings, type Plan } from '../plans.ts';
import { withUnknownOf } from '../unknown-fields.ts';
import type { DeploymentLimits, Limits, MergedLimits, UserLimits } from './limit-records.ts';

export type { DeploymentLimits, Limits, MergedLimits, UserLimits };

/** Limits with a number, of which the smaller one is stricter. */
const AMOUNTS = ['daily_loss', 'daily_loss_pct', 'drawdown_pct', 'position_value', 'order_value'] as const;
const COUNTS = ['open_positions', 'orders_per_day', 'orders_per_minute'] as const;

/** Names of limits that an order or an equity can reach. */
export type LimitName = (typeof AMOUNTS)[number] | (typeof COUNTS)[number] | 'symbols' | 'hours';

const smaller = <T extends string | number>(left: T | undefined, right: T | undefined): T | undefined => {
  if (left === undefined || right === undefined) return left ?? right;
  return decimal(right).lt(left) ? right : left;
};

const shared = (left: string[] | undefined, right: string[] | undefined): string[] | undefined => {
  if (left === undefined || right === undefined) return left ?? right;
  return left.filter((symbol) => right.includes(symbol));
};

const stricter = (left: MergedLimits, { hours, ...right }: Limits): MergedLimits => {
  const merged: MergedLimits = { ...left };
  const set = <K extends keyof MergedLimits>(name: K, value: MergedLimits[K]): void => {
    if (value !== undefined) merged[name] = value;
  };
  for (const name of AMOUNTS) set(name, smaller(left[name], right[name]));
  for (const name of COUNTS) set(name, smaller(left[name], right[name]));
  set('symbols', shared(left.symbols, right.symbols));
  const days = [left.paper_days ?? 0, right.paper_days ?? 0];
  set('paper_days', Math.max(...days) || undefined);
  set('action', right.action === 'flatten' ? 'flatten' : (left.action ?? right.action));
  if (hours) merged.hours = [...(left.hours ?? []), hours];
  return merged;
};

/**
 * Returns the limits of several levels together: the strictest of each wins. Symbols have to be allowed, and hours open,
 * at every level that names some.
 */
export const mergeLimits = (levels: readonly (Limits | undefined)[]): MergedLimits =>
  levels.reduce<MergedLimits>((merged, level) => (level ? stricter(merged, level) : merged), {});

/** Levels above a deployment. */
export interface UpperLevels {
  readonly plan: Plan;
  readonly limits?: UserLimits | undefined;
  readonly limits_rev?: number | undefined;
}

/** Returns the limits that a plan sets: only real orders have some. */
export const planLimits = (plan: Plan, mode: 'live' | 'virtual'): Limits | undefined =>
  mode === 'live' ? orderCeilings(plan) : undefined;

/**
 * Returns the limits of a deployment from those of all levels, the strictest of each; undefined without any.
 *
 * @param before limits so far.
 * @param own limits of the deployment itself.
 */
export const limitsOf = (
  mode: 'live' | 'virtual',
  { plan, limits, limits_rev = 0 }: UpperLevels,
  before: DeploymentLimits | undefined,
  own: Limits | undefined = before?.own,
): DeploymentLimits | undefined => {
  const merged = mergeLimits([planLimits(plan, mode), limits?.each, own]);
  if (!before && Object.keys(merged).length === 0) return undefined;
  const { own: _, all: __, ...others } = before ?? {};
  return {
    ...others,
    rev: (before?.rev ?? 0) + 1,
    user_rev: limits_rev,
    ...(own && Object.keys(own).length > 0 && { own: withUnknownOf(before?.own ?? {}, own) }),
    merged: withUnknownOf(before?.merged ?? {}, merged),
    ...(mode === 'live' && limits?.all && { all: limits.all }),
  };
};

/** Returns whether limits concern the equity, so that prices matter. */
export const limitsLoss = ({ daily_loss, daily_loss_pct, drawdown_pct }: MergedLimits): boolean =>
  daily_loss !== undefined || daily_loss_pct !== undefined || drawdown_pct !== undefined;
