import * as z from 'zod';
import { amountInput, decimal, scaled, toText } from '../../../domain/money.ts';
import type { OrderStatus } from '../../../domain/orders/order-states.ts';

/** Statuses of orders, from Binance's page "Enums". */
const STATUSES: Readonly<Record<string, OrderStatus>> = {
  NEW: 'open',
  // A part of an order list that waits for another part.
  PENDING_NEW: 'open',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'cancelled',
  PENDING_CANCEL: 'cancel_pending',
  REJECTED: 'rejected',
  EXPIRED: 'expired',
  // It would have traded with another order of the same account.
  EXPIRED_IN_MATCH: 'expired',
};

const time = z.number().min(0);

/** Fill in the answer to a placed order, or in the list of trades. */
const fill = z.object({
  price: amountInput,
  qty: amountInput,
  commission: amountInput,
  commissionAsset: z.string(),
});

export type Fill = z.output<typeof fill>;

/** Schema of trades of an order. */
export const tradesSchema = z.array(fill);

/** Schema of an order, as an answer to a placed one or to a lookup. */
export const orderSchema = z
  .object({
    symbol: z.string().min(1).max(64),
    orderId: z.int(),
    /** List that it is a part of, or -1. */
    orderListId: z.int(),
    clientOrderId: z.string().min(1).max(256),
    side: z.enum(['BUY', 'SELL']),
    type: z.string().max(64),
    status: z.string().min(1).max(64),
    price: amountInput,
    stopPrice: amountInput.optional(),
    origQty: amountInput,
    executedQty: amountInput,
    /** Negative if it is not available, for old orders. */
    cummulativeQuoteQty: amountInput,
    time: time.optional(),
    updateTime: time.optional(),
    transactTime: time.optional(),
    fills: tradesSchema.optional(),
  })
  .transform(({ time: placed, updateTime, transactTime, ...order }) => ({
    ...order,
    status: STATUSES[order.status] ?? 'unknown',
    brokerStatus: order.status,
    updatedAt: updateTime ?? transactTime ?? placed ?? Number.NaN,
  }))
  .refine(({ updatedAt }) => updatedAt >= 0, { error: 'has no valid time' });

export type SpotOrder = z.output<typeof orderSchema>;

/** Schema of the list of open orders. Those of the owner may have any form. */
export const openOrdersSchema = z.array(
  z.looseObject({ clientOrderId: z.string() }).optional().catch(undefined),
);

/** Returns the average price of an order by its sums, or else by its fills; null if nothing was filled. */
export const averagePriceOf = (
  { executedQty, cummulativeQuoteQty: value }: SpotOrder,
  fills: readonly Fill[],
): string | null => {
  const filled = decimal(executedQty);
  if (filled.eq(0)) return null;
  if (decimal(value).gt(0)) return toText(scaled(decimal(value).div(filled)));
  const quantity = sumOf(fills, ({ qty }) => decimal(qty));
  if (quantity.eq(0)) return null;
  return toText(scaled(sumOf(fills, ({ qty, price }) => decimal(qty).times(price)).div(quantity)));
};

/** Adds figures of fills up. */
export const sumOf = (fills: readonly Fill[], figure: (one: Fill) => ReturnType<typeof decimal>) =>
  fills.reduce((sum, one) => sum.plus(figure(one)), decimal('0'));

/** Schema of an account. Its balances are those of all assets that it holds. */
export const accountSchema = z.object({
  uid: z.int().transform(String),
  canTrade: z.boolean(),
  balances: z.array(z.object({ asset: z.string(), free: amountInput, locked: amountInput })),
});

/** Schema of a list of orders. */
export const orderListSchema = z.object({
  orderListId: z.int(),
  orders: z.array(z.object({ orderId: z.int() })),
});

/** Schema of the answer to a placed list. */
export const placedListSchema = z.object({ orderReports: z.array(orderSchema) });

/** Schema of what a key may do. */
export const restrictionsSchema = z.object({
  enableWithdrawals: z.boolean(),
  enableSpotAndMarginTrading: z.boolean(),
});

export const serverTimeSchema = z.object({ serverTime: time });

/** Schema of an average price, or of the last one. */
export const priceSchema = z.object({ price: amountInput });
