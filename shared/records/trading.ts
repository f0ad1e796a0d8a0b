import * as z from 'zod';
import { extra, integer, record, timestamp } from '../api/fields.ts';
import { openOrders, type TradingSummary } from '../data/books/summary.ts';
import { TRADE_MODES } from '../data/deployments/trading-record.ts';
import {
  DEPLOYMENT_PHASES,
  DEPLOYMENT_STATUSES,
  STOP_REASONS,
} from '../domain/deployments/deployment-states.ts';
import { decimal, shownFigure, shownPrice, toMoney } from '../domain/money.ts';
import { TIMEFRAMES } from '../domain/strategies/strategies.ts';
import { number } from './amounts.ts';
import { engineField, engineOf } from './engine.ts';
import { holdFields, presentHold } from './hold.ts';
import { latestOrderOut, presentLatestOrder } from './order.ts';

const amount = z.number();
const orNothing = amount.nullable();

/** An open position. Prices are as traded; amounts are in the deployment's currency. */
export const positionOut = z.object({
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  quantity: amount,
  average_price: amount,
  last_price: orNothing,
  unrealized_pnl: orNothing,
  as_of: timestamp().nullable(),
});

const tradingFields = {
  deployment_id: integer(),
  strategy_id: integer(),
  strategy_name: z.string(),
  symbol: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  broker_id: integer().nullable(),
  account_id: z.string().nullable(),
  mode: z.enum(TRADE_MODES),
  engine: engineField(),
  status: z.enum(DEPLOYMENT_STATUSES),
  phase: z.enum(DEPLOYMENT_PHASES),
  stop_reason: z.enum(STOP_REASONS).nullable(),
  ...holdFields,
  positions: z.array(positionOut),
  realized_pnl: amount,
  unrealized_pnl: orNothing,
  today_pnl: orNothing,
  total_pnl: orNothing,
  gross_pnl: amount,
  fees: amount,
  swap: amount,
  currency: z.string(),
  starting_capital: amount,
  return_pct: orNothing,
  trades_count: integer(),
  open_orders: integer(),
  latest_order: extra(latestOrderOut.nullable()),
  prediction_market: z.boolean(),
  deployed_at: timestamp(),
  started_at: timestamp().nullable(),
  stopped_at: timestamp().nullable(),
  expires_at: timestamp().nullable(),
  updated_at: timestamp(),
  as_of: timestamp().nullable(),
} as const;

export const liveDeploymentCustomOut = record('LiveDeploymentCustomOut', z.object(tradingFields));

export const expiredDeploymentOut = z.object({
  ...tradingFields,
  expired_at: timestamp().nullable(),
  final_pnl: orNothing,
  final_return_pct: orNothing,
});

/** Presents an open position to its owner. */
export const presentPosition = (
  position: TradingSummary['positions'][number],
  currency: string,
): z.output<typeof positionOut> => ({
  symbol: position.symbol,
  side: position.side,
  quantity: number(position.quantity),
  average_price: shownPrice(position.average_price),
  last_price: position.last_price === null ? null : shownPrice(position.last_price),
  unrealized_pnl: toMoney(position.unrealized_pnl, currency),
  as_of: position.as_of,
});

const percentOf = (part: string, whole: string): number => decimal(part).div(whole).times(100).toNumber();

/**
 * Presents the profit and loss of a deployment, rounded to its currency. A figure is null if an open position
 * it depends on has no price.
 */
export const presentPnl = ({ totals, currency, starting_capital }: TradingSummary) => {
  const isPriced = totals.unrealized_pnl !== null;
  return {
    realized_pnl: toMoney(totals.realized_pnl, currency),
    unrealized_pnl: toMoney(totals.unrealized_pnl, currency),
    today_pnl: isPriced ? toMoney(totals.today_pnl, currency) : null,
    total_pnl: isPriced ? toMoney(totals.total_pnl, currency) : null,
    gross_pnl: toMoney(totals.gross, currency),
    fees: toMoney(totals.fees, currency),
    swap: toMoney(totals.swap, currency),
    currency,
    starting_capital: toMoney(starting_capital, currency),
    return_pct: isPriced ? shownFigure(percentOf(totals.total_pnl, starting_capital)) : null,
    as_of: totals.as_of,
  };
};

/** Presents a live or paper deployment to its owner. */
export const presentTrading = (summary: TradingSummary): z.output<typeof liveDeploymentCustomOut> => ({
  deployment_id: summary.deployment_id,
  strategy_id: summary.strategy_id,
  strategy_name: summary.strategy_name,
  symbol: summary.symbols.join(','),
  symbols: summary.symbols,
  timeframe: summary.timeframe,
  broker_id: summary.broker_id ?? null,
  account_id: summary.account_id ?? null,
  mode: summary.mode,
  engine: engineOf(summary),
  status: summary.status,
  phase: summary.phase,
  stop_reason: summary.stop_reason,
  ...presentHold(summary),
  positions: summary.positions.map((position) => presentPosition(position, summary.currency)),
  ...presentPnl(summary),
  trades_count: summary.totals.trades_count,
  open_orders: openOrders(summary),
  latest_order: summary.latest_order ? presentLatestOrder(summary.latest_order) : null,
  prediction_market: summary.prediction_market,
  deployed_at: summary.deployed_at,
  started_at: summary.started_at ?? null,
  stopped_at: summary.stopped_at ?? null,
  expires_at: summary.expires_at ?? null,
  updated_at: summary.updated_at,
});

/** Presents an ended deployment, stopped or expired. */
export const presentExpired = (summary: TradingSummary): z.output<typeof expiredDeploymentOut> => {
  const shown = presentTrading(summary);
  return {
    ...shown,
    expired_at: summary.stopped_at ?? null,
    final_pnl: shown.total_pnl,
    final_return_pct: shown.return_pct,
  };
};
