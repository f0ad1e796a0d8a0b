import * as z from 'zod';
import { decimalText } from '../../money.ts';

/** Schema of a market order of a signal from outside that waits for a price. */
export const signalOrderSchema = z.object({
  client_order_id: z.string(),
  side: z.union([z.literal(1), z.literal(-1)]),
  /** Quantity that was ordered; that of the position, if the order closes it. */
  quantity: decimalText,
  /** True if the order closes all that is held against it, and opens nothing. */
  closes: z.boolean(),
  /** Bars that start before this moment were known, or begun, when the signal arrived. */
  from: z.number(),
  /** Last moment at which the order may fill. */
  until: z.number(),
  /** Price that the sender expected, or the last one that was known. */
  expected: decimalText.optional(),
});

export type SignalOrder = z.output<typeof signalOrderSchema>;

/** Schema of what a signal says of a real entry. */
export const signalEntrySchema = z.object({
  client_order_id: z.string(),
  quantity: decimalText,
  /** Time at which the hub received the alert, and after which its order must not leave. */
  received_at: z.number(),
  until: z.number(),
  /** Prices at which the trade ends. */
  stop: decimalText.optional(),
  target: decimalText.optional(),
  /** Set if a later signal ended the order: what it fills is closed. */
  is_ended: z.literal(true).optional(),
});

export type SignalEntry = z.output<typeof signalEntrySchema>;
