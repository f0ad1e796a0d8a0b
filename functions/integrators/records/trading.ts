import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { StoredOrder } from '../../../shared/data/books/orders.ts';
import { TRADE_MODES } from '../../../shared/data/deployments/trading-record.ts';
import { decimal } from '../../../shared/domain/money.ts';
import { slippageOf } from '../../../shared/domain/orders/slippage.ts';
import { deploymentTrade } from '../../../shared/records/trade.ts';

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

/**
 * Closed trade: from the entry until the position is flat or flips. Picks the owner's fields that the broker may read.
 */
export const integratorTrade = extensionRecord(
  'IntegratorTrade',
  deploymentTrade.pick({
    trade_number: true,
    deployment_id: true,
    strategy_id: true,
    mode: true,
    symbol: true,
    side: true,
    quantity: true,
    entry_price: true,
    exit_price: true,
    gross_pnl: true,
    fees: true,
    swap: true,
    net_pnl: true,
    currency: true,
    opened_at: true,
    closed_at: true,
    duration_s: true,
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
