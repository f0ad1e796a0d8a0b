import * as z from 'zod';
import { decimalText } from '../../domain/money.ts';

/** Most orders of signals that a deployment lets wait. */
export const MAX_WAITING = 50;

/** Schema of the orders of signals that wait for a price, oldest first. */
export const waitingSignalsSchema = z.array(
  z.object({
    client_order_id: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: decimalText,
    /** Set if it closes all that is held against it, and opens nothing. */
    closes: z.literal(true).optional(),
    /** Time of the clock after which it expires. */
    until: z.number(),
  }),
);

export type WaitingSignals = z.output<typeof waitingSignalsSchema>;

/** Returns a deployment without an order of a signal that waited; the same one if it did not wait. */
export const withoutWaiting = <D extends { readonly waiting?: WaitingSignals | undefined }>(
  deployment: D,
  id: string,
): D => {
  const { waiting = [] } = deployment;
  const left = waiting.filter(({ client_order_id }) => client_order_id !== id);
  if (left.length === waiting.length) return deployment;
  return { ...deployment, waiting: left.length > 0 ? left : undefined };
};

/** Returns when the first order of a signal that waits expires; undefined if none waits. */
export const waitsUntil = (waiting: WaitingSignals = []): number | undefined =>
  waiting.length === 0 ? undefined : Math.min(...waiting.map(({ until }) => until));
