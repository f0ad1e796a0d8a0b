import * as z from 'zod';
import { extensionRecord, integer, timeOfRequest } from '../../../shared/api/fields.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { NOT_A_NUMBER } from '../../../shared/domain/numbers.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

/** The most symbols of a backtest: their series are found in one call. */
export const MAX_SYMBOLS = 9;

const DECIMAL = /^-?\d{1,24}(\.\d{1,18})?$/;
const MOST = 1e15;
/** Below these, figures leave the range of stored numbers. */
const LEAST_CAPITAL = 1e-8;
const LEAST_MARGIN = 1e-4;
const LEAST_STEP = 1e-12;

/** Declares an amount or rate: a number, or decimal text. */
const amount = ({ above, min = 0, max = MOST }: { above?: number; min?: number; max?: number } = {}) =>
  z
    .union([z.number(), z.string().regex(DECIMAL)], { error: NOT_A_NUMBER })
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

/** Account of a backtest. */
export const accountSchema = extensionRecord(
  'BacktestAccount',
  z.strictObject({
    starting_capital: amount({ above: 0, min: LEAST_CAPITAL }).default(10_000),
    commission_rate: amount({ max: 1 }).default(0),
    commission_fixed: amount().default(0),
    commission_per_unit: amount().default(0),
    commission_min: amount().default(0),
    spread_rate: amount({ max: 1 }).default(0),
    slippage_rate: amount({ max: 1 }).default(0),
    margin: amount({ above: 0, min: LEAST_MARGIN, max: 1 }).default(1),
    size_step: amount({ above: 0, min: LEAST_STEP }).optional(),
    financing: z.enum(['instrument', 'none']).default('none'),
    fill_at: z.enum(['next_open', 'signal_close']).default('next_open'),
    stop_basis: z.enum(['fill', 'signal_close']).default('fill'),
    close_at_end: z.enum(['mark', 'last_open']).default('mark'),
  }),
);

/** Fields that choose what is tested, and on which candles. */
export const subjectFields = {
  strategy_id: integer().optional(),
  rules: rulesSchema.optional(),
  symbol: z.string().optional(),
  symbols: z.array(z.string()).min(1).max(MAX_SYMBOLS).optional(),
  timeframe: z.enum(TIMEFRAMES).optional(),
  from: timeOfRequest().optional(),
  to: timeOfRequest().optional(),
  account: accountSchema.prefault({}),
} as const;

/** Declares values of parameters by their name. */
const paramValues = () => z.record(z.string(), z.number({ error: NOT_A_NUMBER })).default({});

export const backtestIn = extensionRecord(
  'BacktestIn',
  z.strictObject({ ...subjectFields, params: paramValues() }),
);

/** Request to test rules, without the values of parameters. */
export type Subject = Omit<z.output<typeof backtestIn>, 'params'>;
