import * as z from 'zod';
import { TimeZone } from '../candles/time-zone.ts';
import { timeOfDay, weekdays } from '../engine/values/values.ts';
import { amountInput, decimal } from '../money.ts';
import { symbolInput } from '../orders/name-inputs.ts';
import { NOT_AN_INTEGER } from '../read-number.ts';
import { LIMIT_ACTIONS } from './overall-records.ts';

const MAX_SYMBOLS = 100;
const MAX_COUNT = 1_000_000;
const MAX_PAPER_DAYS = 365;

const amount = () =>
  amountInput.refine((value) => Number(value) > 0, { error: 'ensure this value is greater than 0' });

const percent = () =>
  amount().refine((value) => decimal(value).lte(100), {
    error: 'ensure this value is less than or equal to 100',
  });

const count = (min = 1, max = MAX_COUNT) => z.int({ error: NOT_AN_INTEGER }).min(min).max(max);

const hoursInput = z.strictObject({
  time_zone: z
    .string()
    .max(64)
    .refine((name) => TimeZone.find(name) !== undefined, { error: 'is no time zone of the IANA database' }),
  weekdays: weekdays().optional(),
  from: timeOfDay(),
  to: timeOfDay(),
});

/** Limits of a user or a deployment as callers set them. */
export const limitsInput = z.strictObject({
  daily_loss: amount().optional(),
  daily_loss_pct: percent().optional(),
  drawdown_pct: percent().optional(),
  position_value: amount().optional(),
  order_value: amount().optional(),
  open_positions: count().optional(),
  orders_per_day: count().optional(),
  orders_per_minute: count().optional(),
  symbols: z.array(symbolInput).min(1).max(MAX_SYMBOLS).optional(),
  hours: hoursInput.optional(),
  paper_days: count(1, MAX_PAPER_DAYS).optional(),
  action: z.enum(LIMIT_ACTIONS).optional(),
});

/** Limits of a user over all deployments with real orders, as callers set them. */
export const overallLimitsInput = z.strictObject({
  currency: z.string().max(8).default('USD'),
  daily_loss: amount().optional(),
  exposure: amount().optional(),
  orders_per_day: count().optional(),
  orders_per_minute: count().optional(),
  action: z.enum(LIMIT_ACTIONS).optional(),
});
