import * as z from 'zod';
import { integer, timestamp } from '../api/fields.ts';
import type { TradingSummary } from '../data/books/summary.ts';
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { add, shownFigure, toMoney } from '../domain/money.ts';
import { ORDER_STATUSES, type OrderStatus } from '../domain/orders/order-states.ts';
import { liveDeploymentCustomOut, presentPnl } from './trading.ts';
import type { TradingSum } from './trading-sums.ts';

/** Profit and loss of a deployment. */
export const deploymentPnlOut = liveDeploymentCustomOut.pick({
  deployment_id: true,
  strategy_id: true,
  strategy_name: true,
  broker_id: true,
  mode: true,
  status: true,
  phase: true,
  realized_pnl: true,
  unrealized_pnl: true,
  today_pnl: true,
  total_pnl: true,
  gross_pnl: true,
  fees: true,
  swap: true,
  currency: true,
  starting_capital: true,
  return_pct: true,
  as_of: true,
});

export const presentDeploymentPnl = (summary: TradingSummary): z.output<typeof deploymentPnlOut> => ({
  deployment_id: summary.deployment_id,
  strategy_id: summary.strategy_id,
  strategy_name: summary.strategy_name,
  broker_id: summary.broker_id ?? null,
  mode: summary.mode,
  status: summary.status,
  phase: summary.phase,
  ...presentPnl(summary),
});

/**
 * Sums of profit and loss in one currency. A sum is null if an open position has no price; `as_of` is the
 * oldest price behind `unrealized_pnl`.
 */
export const pnlSumFields = {
  realized_pnl: z.number(),
  unrealized_pnl: z.number().nullable(),
  today_pnl: z.number().nullable(),
  total_pnl: z.number().nullable(),
  gross_pnl: z.number(),
  fees: z.number(),
  swap: z.number(),
  as_of: timestamp().nullable(),
} as const;

/** @param currency null where there is nothing to add up: nothing is zero in any currency. */
export const presentPnlSum = (sum: TradingSum, currency: string | null) => {
  const money = (amount: string): number => toMoney(amount, currency ?? '');
  return {
    realized_pnl: money(sum.realized_pnl),
    unrealized_pnl: sum.is_priced ? money(sum.unrealized_pnl) : null,
    today_pnl: sum.is_priced ? money(sum.today_pnl) : null,
    total_pnl: sum.is_priced ? money(add(sum.realized_pnl, sum.unrealized_pnl)) : null,
    gross_pnl: money(sum.gross),
    fees: money(sum.fees),
    swap: money(sum.swap),
    as_of: sum.as_of,
  };
};

/** Returns the percentage of closed trades with a profit; null without trades. */
export const winRate = ({ trades, wins }: { readonly trades: number; readonly wins: number }) =>
  trades === 0 ? null : shownFigure((wins / trades) * 100);

export const deploymentCountsOut = z.record(z.enum(DEPLOYMENT_STATUSES), integer());
export const orderCountsOut = z.record(z.enum(ORDER_STATUSES), integer());

const NO_DEPLOYMENTS: Readonly<Record<DeploymentStatus, number>> = {
  requested: 0,
  active: 0,
  paused: 0,
  halted: 0,
  stopped: 0,
  expired: 0,
  error: 0,
};

const NO_ORDERS: Readonly<Record<OrderStatus, number>> = {
  pending: 0,
  submitted: 0,
  open: 0,
  trigger_pending: 0,
  partially_filled: 0,
  cancel_pending: 0,
  unknown: 0,
  filled: 0,
  cancelled: 0,
  rejected: 0,
  expired: 0,
};

/** Presents counts by status, with zero for absent ones. */
export const presentDeploymentCounts = (
  counts: TradingSum['deployments'],
): z.output<typeof deploymentCountsOut> => ({ ...NO_DEPLOYMENTS, ...counts });

export const presentOrderCounts = (counts: TradingSum['orders']): z.output<typeof orderCountsOut> => ({
  ...NO_ORDERS,
  ...counts,
});
