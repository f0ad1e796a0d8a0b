import * as z from 'zod';
import { CHANNELS } from '../../domain/deployments/signals.ts';
import { decimalText } from '../../domain/money.ts';
import { openEnum, openEnumList } from '../../domain/open-enum.ts';
import { ORDER_STATUSES } from '../../domain/orders/order-states.ts';

/** Whether orders go to a broker or are filled on paper. */
export const TRADE_MODES = ['live', 'virtual'] as const;
export type TradeMode = (typeof TRADE_MODES)[number];

/** What is shown of the order that was heard of last. */
export const latestOrderSchema = z.object({
  order_id: z.number(),
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  status: openEnum(ORDER_STATUSES, 'unknown'),
  status_message: z.string().nullable(),
  quantity: decimalText,
  filled_quantity: decimalText,
  average_price: decimalText.nullable(),
  updated_at: z.string(),
});

export type LatestOrder = z.output<typeof latestOrderSchema>;

/** What a live or paper deployment has beside what every deployment has. */
export const tradingFields = {
  mode: z.enum(TRADE_MODES),
  broker_id: z.number().optional(),
  account_id: z.string().optional(),
  starting_capital: decimalText,
  currency: z.string(),
  prediction_market: z.boolean(),
  channels: openEnumList(CHANNELS),
  /** Units per lot by symbol, as the catalogue had them when the deployment was made. */
  contract_sizes: z.record(z.string(), decimalText),
  /**
   * The quote currencies of its symbols that are quoted in another than `currency`: their fills and quotes bring a
   * rate. Absent in deployments from before, whose amounts were never converted.
   */
  quote_currencies: z.record(z.string(), z.string()).optional(),
  /** Packed: most readers of a deployment have no need of it. */
  ledger: z.instanceof(Uint8Array<ArrayBuffer>),
  /** Orders so far: the sequence number of the next one in the order book. */
  orders_count: z.number(),
  latest_order: latestOrderSchema.optional(),
  /** The last stage of its orders and trades that counts, and whether its end is still to come. */
  stage_id: z.string().optional(),
  staging: z.literal(true).optional(),
  /** Its place among the ended ones, once it has ended. */
  ended_seq: z.number().optional(),
  updated_at: z.string(),
} as const;
