import * as z from 'zod';
import { amountInput, decimal, toText } from '../../domain/money.ts';
import type { OrderStatus } from '../../domain/orders/order-states.ts';
import { readTime } from '../../domain/read-time.ts';
import type { BrokerAccount, BrokerOrder, BrokerPosition } from './execution-broker.ts';

/**
 * Statuses of Alpaca's orders. An order that is done for the day is executed further on the next one, and one that was
 * replaced was changed by the owner at Alpaca, so the hub no longer follows it.
 */
const STATUSES: Readonly<Record<string, OrderStatus>> = {
  pending_new: 'submitted',
  accepted: 'submitted',
  accepted_for_bidding: 'submitted',
  new: 'open',
  held: 'open',
  done_for_day: 'open',
  stopped: 'open',
  suspended: 'open',
  calculated: 'open',
  pending_replace: 'open',
  partially_filled: 'partially_filled',
  pending_cancel: 'cancel_pending',
  filled: 'filled',
  canceled: 'cancelled',
  replaced: 'cancelled',
  expired: 'expired',
  rejected: 'rejected',
};

/** Returns the status of an order. An order whose status is unknown to this version is still followed. */
const statusOf = (status: string, filled: string): OrderStatus => {
  const known = STATUSES[status] ?? 'unknown';
  return known === 'open' && filled !== '0' ? 'partially_filled' : known;
};

/** Schema of an order of Alpaca. */
export const alpacaOrder = z
  .object({
    id: z.string().min(1).max(128),
    client_order_id: z.string().min(1).max(256),
    symbol: z.string().min(1).max(64),
    status: z.string().min(1).max(64),
    qty: amountInput.nullish(),
    filled_qty: amountInput,
    filled_avg_price: amountInput.nullish(),
    updated_at: z.string().nullish(),
    created_at: z.string(),
  })
  .transform(
    (order): BrokerOrder => ({
      clientOrderId: order.client_order_id,
      brokerOrderId: order.id,
      symbol: order.symbol,
      status: statusOf(order.status, order.filled_qty),
      brokerStatus: order.status,
      quantity: order.qty ?? order.filled_qty,
      filledQuantity: order.filled_qty,
      averagePrice: order.filled_avg_price ?? null,
      updatedAt: readTime(order.updated_at ?? order.created_at) ?? Number.NaN,
    }),
  )
  .refine(({ updatedAt }) => updatedAt >= 0, { error: 'has no valid time' })
  .refine(({ filledQuantity, averagePrice }) => filledQuantity === '0' || averagePrice !== null, {
    error: 'has a fill without a price',
  });

/** Schema of a position of Alpaca. A short one has a negative quantity. */
export const alpacaPosition = z
  .object({
    symbol: z.string().min(1).max(64),
    side: z.enum(['long', 'short']),
    qty: amountInput,
    qty_available: amountInput.nullish(),
  })
  .transform(
    ({ symbol, side, qty, qty_available: available }): BrokerPosition => ({
      symbol,
      side,
      available: toText(decimal(available ?? qty).abs()),
    }),
  );

/** Reasons why an account cannot trade, by the field of Alpaca that is true. */
const BLOCKS = {
  account_blocked: 'Alpaca has blocked the account.',
  trading_blocked: 'Alpaca has blocked trading on the account.',
  trade_suspended_by_user: 'Trading is suspended in the settings of the account at Alpaca.',
} as const;

const flag = z.boolean().nullish();

/** Schema of an account of Alpaca. */
export const alpacaAccount = z
  .object({
    account_number: z.string().min(1).max(64),
    status: z.string(),
    currency: z.string().min(1).max(16).nullish(),
    account_blocked: flag,
    trading_blocked: flag,
    trade_suspended_by_user: flag,
  })
  .transform(({ account_number, status, currency, ...flags }): BrokerAccount => {
    const block = (['account_blocked', 'trading_blocked', 'trade_suspended_by_user'] as const).find(
      (name) => flags[name],
    );
    const inactive = status === 'ACTIVE' ? undefined : 'The account at Alpaca is not active yet.';
    return {
      accountId: account_number,
      currency: currency ?? 'USD',
      blocked: block ? BLOCKS[block] : inactive,
    };
  });

/** Schema of the body of a refusal. */
export const alpacaRefusal = z.object({
  code: z.number().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
