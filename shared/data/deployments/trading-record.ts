import * as z from 'zod';
import { CHANNELS } from '../../domain/deployments/signal-frequency.ts';
import { decimalText } from '../../domain/money.ts';
import { openEnum, openEnumList } from '../../domain/open-enum.ts';
import { ORDER_STATUSES } from '../../domain/orders/order-states.ts';
import { UNPROTECTED_CHOICES } from '../../domain/orders/protection-terms.ts';
import { deploymentLimitsSchema } from '../../domain/risk/limit-records.ts';
import { shareSchema } from '../../domain/risk/overall-records.ts';
import { riskStateSchema } from '../../domain/risk/state.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import { waitingSignalsSchema } from './waiting-signals.ts';

/** `live`: orders go to a broker. `virtual`: orders are filled on paper. */
export const TRADE_MODES = ['live', 'virtual'] as const;
export type TradeMode = (typeof TRADE_MODES)[number];

/** Summary of the order that was updated last. */
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
  /** As of the order. */
  place: z.number().optional(),
});

/** Schema of a replay: recorded candles, and how they are fed. */
const replaySchema = z.object({
  /** Symbol and timeframe of the recorded candles. */
  symbol: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  /** Start of the first candle that is traded. */
  from: z.string(),
  bars_a_minute: z.number(),
});

export type Replay = z.output<typeof replaySchema>;

export type LatestOrder = z.output<typeof latestOrderSchema>;

/** Fields of a trading deployment, in addition to those of every deployment. */
export const tradingFields = {
  mode: z.enum(TRADE_MODES),
  /** Orders of signals that wait for a price. Absent without any. */
  waiting: waitingSignalsSchema.optional(),
  account_id: z.string().optional(),
  /** Set if the hub sends its orders: adapter, source of its reports, and account at its broker. */
  execution: z.object({ adapter: z.string(), source: z.string(), account: z.string() }).optional(),
  /** Choice of the owner for a real position whose stop the broker refuses. Absent: closed at once. */
  unprotected: openEnum(UNPROTECTED_CHOICES, 'close').optional(),
  /** Set if it trades on recorded bars that are fed once more, under a symbol of its own. */
  replay: replaySchema.optional(),
  /** Set if its account at the broker is one without money. Its figures show as those of paper. */
  is_simulated: z.literal(true).optional(),
  /** Symbols of real orders whose position its broker does not hold, though the books do. Until a resume. */
  missing: z.array(z.string()).optional(),
  starting_capital: decimalText,
  currency: z.string(),
  prediction_market: z.boolean(),
  channels: openEnumList(CHANNELS),
  /** Units per lot by symbol, as in the catalogue when the deployment was made. */
  contract_sizes: z.record(z.string(), decimalText),
  /** Quote currency by symbol, for symbols not quoted in `currency`; their fills and quotes need a rate. */
  quote_currencies: z.record(z.string(), z.string()),
  /** Packed, because most readers of a deployment do not need it. */
  ledger: z.instanceof(Uint8Array<ArrayBuffer>),
  /** Number of orders so far, and so the sequence number of the next one in the order book. */
  orders_count: z.number(),
  latest_order: latestOrderSchema.optional(),
  /** The last stage whose values count; `staging` while it has not ended. */
  stage_id: z.string().optional(),
  staging: z.literal(true).optional(),
  /** Risk limits of all levels together. Absent without any. */
  limits: deploymentLimitsSchema.optional(),
  /** Counts against the limits. Absent before the first report under limits. */
  risk: riskStateSchema.optional(),
  /** Share in the counts of its user against limits over all deployments. Absent without such limits. */
  overall: shareSchema.optional(),
  /** Place in the list of ended deployments; absent until it has ended. */
  ended_seq: z.number().optional(),
  updated_at: z.string(),
} as const;
