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

const price = amountInput.nullish();

const single = z.object({
  id: z.string().min(1).max(128),
  client_order_id: z.string().min(1).max(256),
  symbol: z.string().min(1).max(64),
  status: z.string().min(1).max(64),
  side: z.enum(['buy', 'sell']).optional().catch(undefined),
  type: z.string().max(64).optional().catch(undefined),
  order_class: z.string().max(64).nullish().catch(undefined),
  qty: amountInput.nullish(),
  filled_qty: amountInput,
  filled_avg_price: price,
  limit_price: price.catch(undefined),
  stop_price: price.catch(undefined),
  replaced_by: z.string().max(128).nullish().catch(undefined),
  filled_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  created_at: z.string(),
});

/** Reads the time of the last change: that of the last fill, once an order is filled. */
const timeOf = ({ status, filled_at, updated_at, created_at }: z.output<typeof single>): number =>
  readTime((status === 'filled' ? filled_at : undefined) ?? updated_at ?? created_at) ?? Number.NaN;

const isSound = (order: BrokerOrder): boolean =>
  order.updatedAt >= 0 && (order.filledQuantity === '0' || order.averagePrice !== null);

const brokerOrder = (order: z.output<typeof single>, legs: readonly BrokerOrder[]): BrokerOrder => ({
  clientOrderId: order.client_order_id,
  brokerOrderId: order.id,
  symbol: order.symbol,
  status: statusOf(order.status, order.filled_qty),
  brokerStatus: order.status,
  quantity: order.qty ?? order.filled_qty,
  filledQuantity: order.filled_qty,
  averagePrice: order.filled_avg_price ?? null,
  updatedAt: timeOf(order),
  side: order.side,
  type: order.type ?? '',
  limitPrice: order.limit_price ?? null,
  stopPrice: order.stop_price ?? null,
  replacedBy: order.replaced_by ?? null,
  legs,
});

/** Orders of an OCO apart from its first one. One in an unknown form is left out: it is looked up by itself. */
const legsOf = (legs: readonly unknown[]): BrokerOrder[] =>
  legs.flatMap((leg) => {
    const { data } = single.safeParse(leg);
    const order = data && brokerOrder(data, []);
    return order && isSound(order) ? [order] : [];
  });

/** Schema of an order of Alpaca. */
export const alpacaOrder = single
  .extend({ legs: z.array(z.unknown()).nullish().catch(undefined) })
  .transform((order) => ({
    ...brokerOrder(order, legsOf(order.legs ?? [])),
    isNested: order.order_class === 'oco',
  }))
  .refine(({ updatedAt }) => updatedAt >= 0, { error: 'has no valid time' })
  .refine(isSound, { error: 'has a fill without a price' });

/** Schema of a position of Alpaca. A short one has a negative quantity. */
export const alpacaPosition = z
  .object({
    symbol: z.string().min(1).max(64),
    side: z.enum(['long', 'short']),
    qty: amountInput,
    qty_available: amountInput.nullish(),
    current_price: price.catch(undefined),
  })
  .transform(
    ({ symbol, side, qty, qty_available: available, current_price: last }): BrokerPosition => ({
      symbol,
      side,
      quantity: toText(decimal(qty).abs()),
      sellable: toText(decimal(qty).abs()),
      available: toText(decimal(available ?? qty).abs()),
      price: last ?? undefined,
    }),
  );

/** Schema of the positions of an account, without those in an unknown form. */
export const alpacaPositions = z
  .array(alpacaPosition.optional().catch(undefined))
  .transform((positions) => positions.filter((position) => position !== undefined));

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
