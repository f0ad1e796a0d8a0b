import * as z from 'zod';
import { amountInput, decimal, rateInput } from '../money.ts';
import { sentenceInput } from '../text.ts';
import { timeInput } from '../time-inputs.ts';
import { nameInput, symbolInput } from './name-inputs.ts';
import { ORDER_SIDES, ORDER_STATUSES, ORDER_TYPES } from './order-states.ts';
import { sequenceInput } from './sequence-input.ts';

const optionalAmount = amountInput.nullable().optional();
/** Code points of a message that are kept. */
const MAX_MESSAGE = 1000;

const optionalText = z.string().max(200).nullable().optional();

/**
 * Schema of an engine's report on an order. Reports are cumulative: each holds the whole state so far. `sequence` orders
 * the reports of an order. An omitted optional field keeps its reported value; null clears it.
 */
export const orderUpdateSchema = z
  .object({
    client_order_id: nameInput(128),
    sequence: sequenceInput,
    occurred_at: timeInput,
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
    /** Exchange rate from the quote currency to the deployment's. */
    rate: rateInput.optional(),
    broker_order_id: optionalText,
    time_in_force: optionalText,
    price: optionalAmount,
    trigger_price: optionalAmount,
    stop_loss: optionalAmount,
    take_profit: optionalAmount,
    expected_price: optionalAmount,
    status_message: sentenceInput(MAX_MESSAGE).optional(),
    /** Time at which the broker was first asked for it. */
    requested_at: timeInput.optional(),
  })
  .refine((update) => update.filled_quantity === '0' || typeof update.average_price === 'string', {
    error: 'average_price is required once something is filled',
    path: ['average_price'],
  })
  .refine(({ filled_quantity, quantity }) => decimal(filled_quantity).lte(quantity), {
    error: 'more is filled than was ordered',
    path: ['filled_quantity'],
  })
  .refine((update) => update.status !== 'filled' || update.filled_quantity !== '0', {
    error: 'must be positive if the status is filled',
    path: ['filled_quantity'],
  });
