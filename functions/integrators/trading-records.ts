import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../shared/api/fields.ts';
import { TRADE_MODES } from '../../shared/data/deployments/trading-record.ts';

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
