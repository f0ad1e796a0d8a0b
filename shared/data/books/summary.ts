import * as z from 'zod';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../../domain/deployments/deployment-states.ts';
import { ENGINES } from '../../domain/deployments/engines.ts';
import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import { positionsOf, totalsOf } from '../../domain/ledger/read-ledger.ts';
import { decimalText } from '../../domain/money.ts';
import { openEnum, openRecord } from '../../domain/open-enum.ts';
import { isFinalOrderStatus, ORDER_STATUSES } from '../../domain/orders/order-states.ts';
import { deploymentLimitsSchema } from '../../domain/risk/limit-records.ts';
import { riskStateSchema } from '../../domain/risk/state.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import { holdSchema, livesInBars, stopSchema, type TradingDeployment } from '../deployments/deployments.ts';
import { latestOrderSchema, TRADE_MODES } from '../deployments/trading-record.ts';

const amount = decimalText.nullable();

/** Limits with a number, and what counts against them; absent without limits. */
const riskSummarySchema = z.object({
  limits: deploymentLimitsSchema.shape.merged.pick({
    daily_loss: true,
    daily_loss_pct: true,
    drawdown_pct: true,
    open_positions: true,
    position_value: true,
    orders_per_day: true,
  }),
  state: riskStateSchema.omit({ entering: true }).optional(),
});

/**
 * Summary of a trading deployment for lists and totals, as of its last event. Amounts are exact decimal texts in the
 * deployment's currency.
 */
const tradingSummarySchema = z.object({
  deployment_id: z.number(),
  strategy_id: z.number(),
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  broker_id: z.number().optional(),
  account_id: z.string().optional(),
  mode: z.enum(TRADE_MODES),
  status: openEnum(DEPLOYMENT_STATUSES, 'halted'),
  phase: openEnum(DEPLOYMENT_PHASES, 'waiting'),
  stop_reason: openEnum(STOP_REASONS, null).nullable(),
  /** Commands that keep it from trading. */
  held: holdSchema.omit({ status: true, throw_id: true, flatten: true, ignored: true }).optional(),
  stopping: stopSchema.omit({ stop_reason: true, requested_at: true }).optional(),
  prediction_market: z.boolean(),
  engine: openEnum(ENGINES, 'hub').optional(),
  currency: z.string(),
  starting_capital: decimalText,
  deployed_at: z.string(),
  /** Start of the ledger, if it lives in the time of bars. */
  began_at: z.string().optional(),
  started_at: z.string().optional(),
  stopped_at: z.string().optional(),
  expires_at: z.string().optional(),
  updated_at: z.string(),
  positions: z.array(
    z.object({
      symbol: z.string(),
      side: z.enum(['long', 'short']),
      quantity: decimalText,
      average_price: decimalText,
      last_price: amount,
      unrealized_pnl: amount,
      as_of: z.string().nullable(),
      opened_at: z.string(),
      accrued_swap: decimalText,
      /** Absent for symbols quoted in another currency, which have a `value`. */
      basis: z.object({ cost: decimalText, contract_size: decimalText, filled_at: z.number() }).optional(),
      value: decimalText.optional(),
    }),
  ),
  totals: z.object({
    realized_pnl: decimalText,
    gross: decimalText,
    fees: decimalText,
    swap: decimalText,
    unrealized_pnl: amount,
    as_of: z.string().nullable(),
    total_pnl: decimalText,
    today_pnl: decimalText,
    equity: decimalText,
    lots: decimalText,
    traded_value: decimalText,
    fills: z.number(),
    trades_count: z.number(),
    wins: z.number(),
    /** Absent before the first closed day. */
    closed_day: z.string().optional(),
    calendars: z.array(z.string()),
  }),
  orders: openRecord(ORDER_STATUSES, z.int()),
  orders_count: z.number(),
  latest_order: latestOrderSchema.optional(),
  risk: riskSummarySchema.optional(),
});

export type TradingSummary = z.output<typeof tradingSummarySchema>;

/** Schema of an item that holds a summary. */
export const summaryItemSchema = z.object({ summary: tradingSummarySchema });

const riskOf = ({ limits, risk }: TradingDeployment): TradingSummary['risk'] => {
  if (!limits) return undefined;
  const { daily_loss, daily_loss_pct, drawdown_pct, open_positions, position_value, orders_per_day } =
    limits.merged;
  const numbers = {
    daily_loss,
    daily_loss_pct,
    drawdown_pct,
    open_positions,
    position_value,
    orders_per_day,
  };
  if (!risk) return { limits: numbers };
  const { entering: _, ...state } = risk;
  return { limits: numbers, state };
};

const commandsOf = ({ held, stopping }: TradingDeployment): Pick<TradingSummary, 'held' | 'stopping'> => ({
  ...(held && { held: { by: held.by, reason: held.reason, at: held.at } }),
  ...(stopping && {
    stopping: {
      by: stopping.by,
      reason: stopping.reason,
      flatten: stopping.flatten,
      until: stopping.until,
    },
  }),
});

/** Builds the summary of a deployment from its ledger. */
export const summaryOf = (deployment: TradingDeployment, ledger: Ledger): TradingSummary => {
  const positions = positionsOf(ledger);
  return {
    deployment_id: deployment.deployment_id,
    strategy_id: deployment.strategy_id,
    strategy_name: deployment.strategy_name,
    symbols: deployment.symbols,
    timeframe: deployment.timeframe,
    broker_id: deployment.broker_id,
    account_id: deployment.account_id,
    mode: deployment.mode,
    status: deployment.status,
    phase: deployment.phase,
    stop_reason: deployment.stop_reason,
    ...commandsOf(deployment),
    prediction_market: deployment.prediction_market,
    engine: deployment.engine,
    currency: deployment.currency,
    starting_capital: deployment.starting_capital,
    deployed_at: deployment.deployed_at,
    ...(livesInBars(deployment) && { began_at: new Date(ledger.started_at).toISOString() }),
    started_at: deployment.started_at,
    stopped_at: deployment.stopped_at,
    expires_at: deployment.expires_at,
    updated_at: deployment.updated_at,
    positions,
    totals: totalsOf(ledger, positions),
    orders: ledger.orders,
    orders_count: deployment.orders_count,
    latest_order: deployment.latest_order,
    risk: riskOf(deployment),
  };
};

/** Returns the beginning of a deployment's trading. */
export const beginningOf = ({ began_at, deployed_at }: TradingSummary): string => began_at ?? deployed_at;

/** Counts the orders that can still be filled. */
export const openOrders = ({ orders }: Pick<TradingSummary, 'orders'>): number =>
  ORDER_STATUSES.reduce((sum, status) => sum + (isFinalOrderStatus(status) ? 0 : (orders[status] ?? 0)), 0);

/** Returns whether a deployment has open positions or orders; it may have ended. */
export const isExposed = (summary: TradingSummary): boolean =>
  summary.positions.length > 0 || openOrders(summary) > 0;
