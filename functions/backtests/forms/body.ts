import * as z from 'zod';
import { extensionRecord, integer, timeOfRequest } from '../../../shared/api/fields.ts';
import { MAX_MARKETS } from '../../../shared/data/candles/markets.ts';
import { accountFields } from '../../../shared/domain/engine/backtest/account-input.ts';
import { CANDLE_OWNERS } from '../../../shared/domain/engine/backtest/setup.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { NOT_A_NUMBER } from '../../../shared/domain/read-number.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

export const accountSchema = extensionRecord('BacktestAccount', z.strictObject(accountFields));

/** Fields that choose what is tested, and on which candles. */
export const subjectFields = {
  strategy_id: integer().optional(),
  rules: rulesSchema.optional(),
  symbol: z.string().optional(),
  symbols: z.array(z.string()).min(1).max(MAX_MARKETS).optional(),
  timeframe: z.enum(TIMEFRAMES).optional(),
  from: timeOfRequest().optional(),
  to: timeOfRequest().optional(),
  account: accountSchema.prefault({}),
  candles: z.enum(CANDLE_OWNERS).default('hub'),
} as const;

/** Declares values of parameters by their name. */
export const paramValues = () => z.record(z.string(), z.number({ error: NOT_A_NUMBER })).default({});

export const backtestIn = extensionRecord(
  'BacktestIn',
  z.strictObject({ ...subjectFields, params: paramValues(), preview: z.boolean().default(false) }),
);

/** Request to test rules, without the values of parameters. */
export type Subject = Omit<z.output<typeof backtestIn>, 'params' | 'preview'>;
