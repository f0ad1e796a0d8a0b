import * as z from 'zod';
import { amountInput, decimal, decimalText, scaled, toText } from './money.ts';
import { isFinalOrderStatus, ORDER_STATUSES, type OrderStatus, prevailingStatus } from './order-states.ts';

const ORDER_SIDES = ['buy', 'sell'] as const;
const ORDER_TYPES = ['market', 'limit', 'stop', 'stop_limit'] as const;

/** A name that an engine gives: what is no Unicode would not be found again under itself. */
export const nameInput = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((name) => name.isWellFormed(), { error: 'is no valid text' });

/** A symbol: books are kept in records by symbol, which have some names from the language. */
export const symbolInput = nameInput(64).refine((symbol) => !(symbol in {}), { error: 'is no symbol' });

const optionalAmount = amountInput.nullable().optional();
const optionalText = z.string().max(200).nullable().optional();

/**
 * An engine's report on an order: all that is so far. A `sequence` orders the reports of one order. Left out,
 * an optional field stays as it was reported before; null clears it.
 */
export const orderUpdateSchema = z
  .object({
    client_order_id: nameInput(128),
    sequence: z.int().min(0),
    occurred_at: z.iso.datetime({ offset: true }),
    symbol: symbolInput,
    side: z.enum(ORDER_SIDES),
    order_type: z.enum(ORDER_TYPES),
    quantity: amountInput.refine((quantity) => Number(quantity) > 0, { error: 'quantity must be positive' }),
    status: z.enum(ORDER_STATUSES),
    filled_quantity: amountInput.refine((quantity) => Number(quantity) >= 0, {
      error: 'filled_quantity must not be negative',
    }),
    average_price: optionalAmount,
    fees: amountInput,
    broker_order_id: optionalText,
    time_in_force: optionalText,
    price: optionalAmount,
    trigger_price: optionalAmount,
    stop_loss: optionalAmount,
    take_profit: optionalAmount,
    expected_price: optionalAmount,
    status_message: z.string().max(1000).nullable().optional(),
  })
  .refine((update) => update.filled_quantity === '0' || typeof update.average_price === 'string', {
    error: 'average_price is required once something is filled',
    path: ['average_price'],
  })
  .refine(({ filled_quantity, quantity }) => decimal(filled_quantity).lte(quantity), {
    error: 'more is filled than was ordered',
    path: ['filled_quantity'],
  });

export type OrderUpdate = z.output<typeof orderUpdateSchema>;

/** Fields that a later report may leave out without clearing them. */
const KEPT_FIELDS = [
  'broker_order_id',
  'time_in_force',
  'price',
  'trigger_price',
  'stop_loss',
  'take_profit',
  'expected_price',
  'status_message',
] as const;

type KeptField = (typeof KEPT_FIELDS)[number];

const text = z.string().nullable();
const amount = decimalText.nullable();
const moment = z.number().nullable();

/** What is stored of an order. Times are milliseconds. The same for every order of arrival of its reports. */
export const orderSchema = z.object({
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(ORDER_SIDES),
  order_type: z.enum(ORDER_TYPES),
  quantity: decimalText,
  /** Of the latest report, and what it says is filled: quantity, value (with the contract size), fees. */
  sequence: z.int(),
  filled_quantity: decimalText,
  filled_value: decimalText,
  average_price: amount,
  fees: decimalText,
  status: z.enum(ORDER_STATUSES),
  status_sequence: z.int(),
  status_at: z.number(),
  broker_order_id: text,
  time_in_force: text,
  price: amount,
  trigger_price: amount,
  stop_loss: amount,
  take_profit: amount,
  expected_price: amount,
  status_message: text,
  /** The report that each of the kept fields is from. */
  kept: z.partialRecord(z.enum(KEPT_FIELDS), z.int()),
  created_at: z.number(),
  updated_at: z.number(),
  submitted_at: moment,
  first_filled_at: moment,
  /** Fills that closed something, and what they realised before fees and swap; null without any. */
  closing_fills: z.int(),
  realized_pnl: amount,
  /** Swap of the trades that it completed. */
  swap: decimalText,
});

export type Order = z.output<typeof orderSchema>;

/** When the order was filled to its end, or ended otherwise. */
export const finalTimes = (order: Order): { filled_at: number | null; cancelled_at: number | null } => ({
  filled_at: order.status === 'filled' ? order.status_at : null,
  cancelled_at: isFinalOrderStatus(order.status) && order.status !== 'filled' ? order.status_at : null,
});

const earliest = (known: number | null, at: number, applies: boolean): number | null => {
  if (!applies) return known;
  return known === null ? at : Math.min(known, at);
};

/** What a report says is filled, as signed value: the ledger's unit. */
export const filledValue = (update: OrderUpdate, contractSize: string): string =>
  toText(
    scaled(
      decimal(update.filled_quantity)
        .times(update.average_price ?? '0')
        .times(contractSize),
    ),
  );

const firstReport = (update: OrderUpdate, at: number): Order => ({
  client_order_id: update.client_order_id,
  symbol: update.symbol,
  side: update.side,
  order_type: update.order_type,
  quantity: update.quantity,
  sequence: -1,
  filled_quantity: '0',
  filled_value: '0',
  average_price: null,
  fees: '0',
  status: update.status,
  status_sequence: update.sequence,
  status_at: at,
  broker_order_id: null,
  time_in_force: null,
  price: null,
  trigger_price: null,
  stop_loss: null,
  take_profit: null,
  expected_price: null,
  status_message: null,
  kept: {},
  created_at: at,
  updated_at: at,
  submitted_at: null,
  first_filled_at: null,
  closing_fills: 0,
  realized_pnl: null,
  swap: '0',
});

const keepFields = (order: Order, update: OrderUpdate): void => {
  const keep = <F extends KeptField>(field: F, value: Order[F] | undefined): void => {
    if (value === undefined || (order.kept[field] ?? -1) >= update.sequence) return;
    order[field] = value;
    order.kept[field] = update.sequence;
  };
  for (const field of KEPT_FIELDS) keep(field, update[field]);
};

/** The order after a report. The first report makes the order. */
export const mergeReport = (known: Order | undefined, update: OrderUpdate, contractSize: string): Order => {
  const at = Date.parse(update.occurred_at);
  const order = known === undefined ? firstReport(update, at) : { ...known, kept: { ...known.kept } };
  keepFields(order, update);
  if (update.sequence > order.sequence) {
    order.sequence = update.sequence;
    order.order_type = update.order_type;
    order.quantity = update.quantity;
    order.filled_quantity = update.filled_quantity;
    order.filled_value = filledValue(update, contractSize);
    order.average_price = update.filled_quantity === '0' ? null : (update.average_price ?? null);
    order.fees = update.fees;
  }
  const report = { status: update.status, sequence: update.sequence, at };
  const told = { status: order.status, sequence: order.status_sequence, at: order.status_at };
  const prevailing: { status: OrderStatus; sequence: number; at: number } = prevailingStatus(told, report);
  order.status = prevailing.status;
  order.status_sequence = prevailing.sequence;
  order.status_at = prevailing.at;
  order.created_at = Math.min(order.created_at, at);
  order.updated_at = Math.max(order.updated_at, at);
  order.submitted_at = earliest(order.submitted_at, at, update.status !== 'pending');
  order.first_filled_at = earliest(order.first_filled_at, at, update.filled_quantity !== '0');
  return order;
};
