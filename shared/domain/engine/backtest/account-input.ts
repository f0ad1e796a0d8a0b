import * as z from 'zod';
import { DECIMAL, NOT_A_NUMBER } from '../../read-number.ts';

const MOST = 1e15;
/** Below these, figures leave the range of stored numbers. */
const LEAST_CAPITAL = 1e-8;
const LEAST_MARGIN = 1e-4;
const LEAST_STEP = 1e-12;

/** Declares an amount or rate: a number, or decimal text. */
const amount = ({ above, min = 0, max = MOST }: { above?: number; min?: number; max?: number } = {}) =>
  z
    .union([z.number(), z.string().trim().regex(DECIMAL)], { error: NOT_A_NUMBER })
    .refine((value) => above === undefined || Number(value) > above, {
      error: `ensure this value is greater than ${above}`,
      params: { type: 'value_error.number.not_gt' },
      abort: true,
    })
    .refine((value) => Number(value) >= min, {
      error: `ensure this value is greater than or equal to ${min}`,
      params: { type: 'value_error.number.not_ge' },
      abort: true,
    })
    .refine((value) => Number(value) <= max, {
      error: `ensure this value is less than or equal to ${max}`,
      params: { type: 'value_error.number.not_le' },
    });

/** Fields of the account that a request describes, for a backtest or a deployment. */
export const accountFields = {
  starting_capital: amount({ above: 0, min: LEAST_CAPITAL }).default(10_000),
  commission_rate: amount({ max: 1 }).default(0),
  commission_fixed: amount().default(0),
  commission_per_unit: amount().default(0),
  commission_min: amount().default(0),
  spread_rate: amount({ max: 1 }).default(0),
  slippage_rate: amount({ max: 1 }).default(0),
  margin: amount({ above: 0, min: LEAST_MARGIN, max: 1 }).default(1),
  maintenance: amount({ max: 1 }).default(0),
  size_step: amount({ above: 0, min: LEAST_STEP }).optional(),
  financing: z.enum(['instrument', 'none']).default('none'),
  fill_at: z.enum(['next_open', 'signal_close']).default('next_open'),
  stop_basis: z.enum(['fill', 'signal_close']).default('fill'),
  entry_bar: z.enum(['worst', 'next_bar']).default('worst'),
  close_at_end: z.enum(['mark', 'last_open']).default('mark'),
} as const;

/** Account of a request, with the defaults. */
export type AccountInput = z.output<z.ZodObject<typeof accountFields>>;
