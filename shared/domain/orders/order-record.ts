import * as z from 'zod';
import { decimal, decimalText, scaled, toText } from '../money.ts';
import { openEnum, openRecord } from '../open-enum.ts';
import { exitReasonSchema } from './exit-reasons.ts';
import {
  isFinalOrderStatus,
  ORDER_SIDES,
  ORDER_STATUSES,
  ORDER_TYPES,
  prevailingStatus,
} from './order-states.ts';
import type { orderUpdateSchema } from './order-update.ts';
import { compareSequences, type Sequence, sequenceSchema } from './sequence-input.ts';

/** An engine's report on an order. */
export type OrderUpdate = z.output<typeof orderUpdateSchema>;

/** Fields that a later report may omit without clearing them. */
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

/** Most sequences that an order remembers; the highest are kept. */
const MAX_SEQUENCES = 64;

/** Sequence of an order without reports. */
const BEFORE_ANY = -1;

/** A status with the sequence and time (milliseconds) of its report. */
const reportSchema = z.object({
  status: openEnum(ORDER_STATUSES, 'unknown'),
  sequence: sequenceSchema,
  at: z.number(),
});

type Report = z.output<typeof reportSchema>;

const text = z.string().nullable();
const amount = decimalText.nullable();
const moment = z.number().nullable();

/** Schema of an order as stored. Times are milliseconds. The same for every order of arrival of its reports. */
export const orderSchema = z.object({
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(ORDER_SIDES),
  order_type: z.enum(ORDER_TYPES),
  quantity: decimalText,
  /**
   * Sequence of the latest report, and its filled quantity, value (with the contract size, in the quote currency) and
   * fees.
   */
  sequence: sequenceSchema,
  filled_quantity: decimalText,
  filled_value: decimalText,
  average_price: amount,
  fees: decimalText,
  /** Rate of the latest report with a rate. */
  rate: decimalText.optional(),
  status: openEnum(ORDER_STATUSES, 'unknown'),
  status_sequence: sequenceSchema,
  status_at: z.number(),
  /** The final status that is not shown, if the order was reported both filled and otherwise ended. */
  hidden_end: reportSchema.optional(),
  /** Sequences of the reports applied so far, ascending. */
  sequences: z.array(sequenceSchema),
  broker_order_id: text,
  time_in_force: text,
  price: amount,
  trigger_price: amount,
  stop_loss: amount,
  take_profit: amount,
  expected_price: amount,
  status_message: text,
  /** Sequence of the report that each kept field comes from. */
  kept: openRecord(KEPT_FIELDS, sequenceSchema),
  created_at: z.number(),
  updated_at: z.number(),
  submitted_at: moment,
  first_filled_at: moment,
  /** Place of the fill among those that the hub's engine booked in the symbol; absent in orders that others filled. */
  place: z.number().optional(),
  /** Cause of an exit, as far as the hub's engine decided it. */
  exit_reason: exitReasonSchema.optional(),
  /** Time at which the hub received the alert that asked for it. */
  received_at: z.number().optional(),
  /** Time at which the adapter first asked the broker for it. */
  requested_at: z.number().optional(),
  /** Units per lot used for the order's values. */
  contract_size: decimalText,
  /** Number of fills that closed something, and their result before fees and swap; null without any. */
  closing_fills: z.int(),
  realized_pnl: amount,
  /** Swap of the trades that the order completed. */
  swap: decimalText,
});

export type Order = z.output<typeof orderSchema>;

/** Facts of an order that the hub's engine knows and that no report has. */
export type EngineFacts = Partial<Pick<Order, 'place' | 'exit_reason' | 'received_at'>>;

/** Returns when the order was fully filled, and when it ended otherwise. */
export const finalTimes = (order: Order): { filled_at: number | null; cancelled_at: number | null } => ({
  filled_at: order.status === 'filled' ? order.status_at : null,
  cancelled_at: isFinalOrderStatus(order.status) && order.status !== 'filled' ? order.status_at : null,
});

const earliest = (known: number | null, at: number): number => (known === null ? at : Math.min(known, at));

/** Returns the filled value of a report, in the quote currency. */
export const filledValue = (
  update: Pick<OrderUpdate, 'filled_quantity' | 'average_price'>,
  contractSize: string,
): string => {
  if (update.filled_quantity === '0') return '0';
  const value = decimal(update.filled_quantity).times(update.average_price ?? '0');
  return toText(scaled(contractSize === '1' ? value : value.times(contractSize)));
};

const firstReport = (update: OrderUpdate, at: number, contractSize: string): Order => ({
  client_order_id: update.client_order_id,
  symbol: update.symbol,
  side: update.side,
  order_type: update.order_type,
  quantity: update.quantity,
  sequence: BEFORE_ANY,
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
  sequences: [],
  kept: {},
  created_at: at,
  updated_at: at,
  submitted_at: null,
  first_filled_at: null,
  contract_size: contractSize,
  closing_fills: 0,
  realized_pnl: null,
  swap: '0',
});

const keepFields = (order: Order, update: OrderUpdate): void => {
  const keep = <F extends KeptField>(field: F, value: Order[F] | undefined): void => {
    if (value === undefined || compareSequences(order.kept[field] ?? BEFORE_ANY, update.sequence) >= 0)
      return;
    order[field] = value;
    order.kept[field] = update.sequence;
  };
  for (const field of KEPT_FIELDS) keep(field, update[field]);
};

/** Returns whether a report with this sequence was applied. Only the first report of a sequence counts. */
export const isTaken = (order: Order, sequence: Sequence): boolean => order.sequences.includes(sequence);

const withSequence = (order: Order, sequence: Sequence): Sequence[] =>
  [...new Set([...order.sequences, sequence])].sort(compareSequences).slice(-MAX_SEQUENCES);

const decideStatus = (order: Order, report: Report): void => {
  const known: Report = { status: order.status, sequence: order.status_sequence, at: order.status_at };
  const hidden: readonly Report[] = order.hidden_end ? [order.hidden_end] : [];
  const hasFills = order.filled_quantity !== '0';
  const prevailing = prevailingStatus([known, ...hidden, report], { hasFills });
  order.status = prevailing.shown.status;
  order.status_sequence = prevailing.shown.sequence;
  order.status_at = prevailing.shown.at;
  if (prevailing.hidden) order.hidden_end = prevailing.hidden;
};

/** Applies a report to an order; the first report creates the order. */
export const mergeReport = (known: Order | undefined, update: OrderUpdate, contractSize: string): Order => {
  const at = Date.parse(update.occurred_at);
  const order =
    known === undefined ? firstReport(update, at, contractSize) : { ...known, kept: { ...known.kept } };
  keepFields(order, update);
  order.sequences = withSequence(order, update.sequence);
  if (compareSequences(update.sequence, order.sequence) > 0) {
    order.sequence = update.sequence;
    order.order_type = update.order_type;
    order.quantity = update.quantity;
    order.filled_quantity = update.filled_quantity;
    order.filled_value = filledValue(update, contractSize);
    order.average_price = update.filled_quantity === '0' ? null : (update.average_price ?? null);
    order.fees = update.fees;
    if (update.rate !== undefined) order.rate = update.rate;
  }
  decideStatus(order, { status: update.status, sequence: update.sequence, at });
  order.created_at = Math.min(order.created_at, at);
  order.updated_at = Math.max(order.updated_at, at);
  if (update.status !== 'pending') order.submitted_at = earliest(order.submitted_at, at);
  if (update.requested_at !== undefined) {
    order.requested_at = earliest(order.requested_at ?? null, Date.parse(update.requested_at));
  }
  if (update.filled_quantity !== '0') order.first_filled_at = earliest(order.first_filled_at, at);
  return order;
};
