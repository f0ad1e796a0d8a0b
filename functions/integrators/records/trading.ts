import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { StoredOrder, StoredTrade } from '../../../shared/data/books/orders.ts';
import { TRADE_MODES } from '../../../shared/data/deployments/trading-record.ts';
import { decimal, shownPrice, toMoney } from '../../../shared/domain/money.ts';
import { slippageOf } from '../../../shared/domain/orders/slippage.ts';

const amount = z.number();

/** Filled order with its expected price. Positive slippage is to the user's disadvantage. */
export const integratorSlippage = extensionRecord(
  'IntegratorSlippage',
  z.object({
    order_id: integer(),
    deployment_id: integer(),
    strategy_id: integer(),
    mode: z.enum(TRADE_MODES),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: amount,
    expected_price: amount,
    fill_price: amount,
    slippage: amount,
    /** Null for an expected price of zero. */
    slippage_bps: amount.nullable(),
    slippage_amount: amount,
    currency: z.string(),
    signal_at: timestamp(),
    filled_at: timestamp(),
    latency_ms: integer(),
  }),
);

/** Closed trade: from the entry until the position is flat or flips. */
export const integratorTrade = extensionRecord(
  'IntegratorTrade',
  z.object({
    trade_number: integer(),
    deployment_id: integer(),
    strategy_id: integer(),
    mode: z.enum(TRADE_MODES),
    symbol: z.string(),
    side: z.enum(['long', 'short']),
    quantity: amount,
    entry_price: amount,
    exit_price: amount,
    gross_pnl: amount,
    fees: amount,
    swap: amount,
    net_pnl: amount,
    currency: z.string(),
    opened_at: timestamp(),
    closed_at: timestamp(),
    duration_s: amount,
  }),
);

const number = (amount: string): number => decimal(amount).toNumber();

/** Presents the slippage of an order to the broker; undefined if the fill was corrected to none. */
export const presentSlippage = (order: StoredOrder): z.output<typeof integratorSlippage> | undefined => {
  const slippage = slippageOf(order);
  if (!slippage || order.first_filled_at === null) return undefined;
  const filled = order.status === 'filled' ? order.status_at : order.first_filled_at;
  return {
    order_id: order.order_id,
    deployment_id: order.deployment_id,
    strategy_id: order.strategy_id,
    mode: order.mode,
    symbol: order.symbol,
    side: order.side,
    quantity: number(order.filled_quantity),
    ...slippage,
    currency: order.currency,
    signal_at: new Date(order.created_at).toISOString(),
    filled_at: new Date(filled).toISOString(),
    latency_ms: Math.max(0, order.first_filled_at - order.created_at),
  };
};

/** Presents a closed trade to the broker. */
export const presentTrade = (trade: StoredTrade): z.output<typeof integratorTrade> => ({
  trade_number: trade.number,
  deployment_id: trade.deployment_id,
  strategy_id: trade.strategy_id,
  mode: trade.mode,
  symbol: trade.symbol,
  side: trade.side,
  quantity: number(trade.quantity),
  entry_price: shownPrice(trade.entry_average),
  exit_price: shownPrice(trade.exit_average),
  gross_pnl: toMoney(trade.gross, trade.currency),
  fees: toMoney(trade.fees, trade.currency),
  swap: toMoney(trade.swap, trade.currency),
  net_pnl: toMoney(trade.net, trade.currency),
  currency: trade.currency,
  opened_at: trade.opened_at,
  closed_at: trade.closed_at,
  duration_s: trade.duration_s,
});
