import { isProven } from './proven.ts';
import type { Timeframe } from './strategies/strategies.ts';

/** The most active deployments of all kinds per plan. */
const DEPLOY_LIMITS = { free: 5, pro: 50, unlimited: 500 } as const;

export type Plan = keyof typeof DEPLOY_LIMITS;

export const PLANS = ['free', 'pro', 'unlimited'] as const satisfies readonly Plan[];

/** Returns the most deployments that may be active at once under a plan. */
export const deployLimit = (plan: Plan): number => DEPLOY_LIMITS[plan];

/**
 * Deployments a day per plan that the hub begins to run. Start and end cost writes per instrument, so the count of active
 * ones alone is no limit to the cost.
 */
const START_LIMITS: Readonly<Record<Plan, number>> = { free: 50, pro: 500, unlimited: 5000 };

/** Returns how many deployments of a user the hub begins to run in a day under a plan. */
export const startLimit = (plan: Plan): number => START_LIMITS[plan];

/** The most stored backtests per plan; the oldest are dropped. */
const BACKTEST_LIMITS: Readonly<Record<Plan, number>> = { free: 20, pro: 100, unlimited: 200 };

/** Returns the most stored backtests of a user under a plan. */
export const backtestLimit = (plan: Plan): number => BACKTEST_LIMITS[plan];

/** The most stored sweeps per plan; the oldest are dropped. */
const SWEEP_LIMITS: Readonly<Record<Plan, number>> = { free: 5, pro: 50, unlimited: 100 };

/** Returns the most stored sweeps of a user under a plan. */
export const sweepLimit = (plan: Plan): number => SWEEP_LIMITS[plan];

/**
 * Work of backtests a day per plan, in bars × (indicators + conditions). A processor takes ten million a second. Accounts of
 * the free plan whose e-mail is not proven have a budget of their own.
 */
const WORK_LIMITS = { unproven: 5e7, free: 2e8, pro: 5e9, unlimited: 5e10 } as const satisfies Readonly<
  Record<Plan | 'unproven', number>
>;

/** Account as its plan and its proof limit it. */
export type Tier = keyof typeof WORK_LIMITS;

/** Returns the tier of a user. */
export const tierOf = (user: Parameters<typeof isProven>[0] & { readonly plan: Plan }): Tier =>
  user.plan === 'free' && !isProven(user) ? 'unproven' : user.plan;

/** Returns the work that a user's backtests may take in a day. */
export const workLimit = (tier: Tier): number => WORK_LIMITS[tier];

/** The most series of own candles per tier, and the most candles in all of them. */
const OWN_CANDLE_LIMITS: Readonly<Record<Tier, { series: number; candles: number }>> = {
  unproven: { series: 5, candles: 100_000 },
  free: { series: 5, candles: 500_000 },
  pro: { series: 50, candles: 5_000_000 },
  unlimited: { series: 200, candles: 20_000_000 },
};

/** Times a day that a user's imports may read and write their candles: each request writes whole items. */
const OWN_CANDLE_ROUNDS = 20;

/** Returns the most candles in the items that a user's imports read and write in a day. */
export const ownCandleWork = (tier: Tier): number => OWN_CANDLE_ROUNDS * OWN_CANDLE_LIMITS[tier].candles;

/** The most own candles of a request. */
export const MAX_OWN_BARS = 2000;

/** Returns the most series of own candles of a user, and the most candles in all of them. */
export const ownCandleLimits = (tier: Tier): { series: number; candles: number } => OWN_CANDLE_LIMITS[tier];

/** The smallest timeframe per plan at which the hub scans universes: each bar costs a program per instrument. */
const SCANNER_TIMEFRAMES: Readonly<Record<Plan, Timeframe>> = { free: '1h', pro: '5m', unlimited: '1m' };

/** Returns the smallest timeframe of a user's scanners under a plan. */
export const scannerTimeframe = (plan: Plan): Timeframe => SCANNER_TIMEFRAMES[plan];

/** The most real orders per plan of one deployment, whatever its owner allows. */
const ORDER_CEILINGS: Readonly<Record<Plan, { orders_per_day: number; orders_per_minute: number }>> = {
  free: { orders_per_day: 1000, orders_per_minute: 60 },
  pro: { orders_per_day: 10_000, orders_per_minute: 300 },
  unlimited: { orders_per_day: 100_000, orders_per_minute: 1000 },
};

/** Returns the most real orders of a deployment under a plan: a day, and a minute. */
export const orderCeilings = (plan: Plan): { orders_per_day: number; orders_per_minute: number } =>
  ORDER_CEILINGS[plan];
