import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';

const comparedOut = extensionRecord(
  'ParityCompared',
  z.object({
    symbols: z.array(z.string()),
    bars: integer(),
    late_bars: integer(),
    orders: integer(),
    trades: integer(),
    from: timestamp().nullable(),
    to: timestamp().nullable(),
  }),
);

const differenceOut = extensionRecord(
  'ParityDifference',
  z.object({
    kind: z.enum(['order', 'trade', 'waiting_order', 'cash']),
    symbol: z.string(),
    at: timestamp(),
    expected: z.string().nullable(),
    found: z.string().nullable(),
  }),
);

/** Amounts are in the currency of the account. */
const effects = {
  slippage: z.number(),
  fees: z.number(),
  delay: z.number(),
  missing: z.number(),
  extra: z.number(),
};

const fillOut = extensionRecord(
  'ParityFill',
  z.object({
    kind: z.enum(['matched', 'missing', 'extra']),
    symbol: z.string(),
    at: timestamp(),
    decision: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: z.number(),
    client_order_id: z.string(),
    price: z.number().nullable(),
    backtest_price: z.number().nullable(),
    delay_ms: integer().nullable(),
    reason: z.string().nullable(),
    ...effects,
  }),
);

const attributionOut = extensionRecord(
  'ParityAttribution',
  z.object({
    currency: z.string(),
    pnl: z.number(),
    backtest_pnl: z.number(),
    difference: z.number(),
    ...effects,
    fills_count: integer(),
    fills: z.array(fillOut),
  }),
);

export const parityOut = extensionRecord(
  'Parity',
  z.object({
    deployment_id: integer(),
    is_equal: z.boolean(),
    is_complete: z.boolean(),
    compared: comparedOut,
    left_out: z.array(z.string()),
    differences_count: integer(),
    differences: z.array(differenceOut),
    attribution: attributionOut.nullable(),
  }),
);
