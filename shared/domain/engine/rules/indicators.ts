import * as z from 'zod';
import { TIMEFRAMES } from '../../strategies/strategies.ts';
import { count, value } from './values.ts';

/** Prices of a bar. `hl2`, `hlc3` and `ohlc4` are means. */
export const PRICES = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4'] as const;
export type PriceName = (typeof PRICES)[number];

/** Bars back from the current one, in the operand's own timeframe. */
export const ago = () => count({ min: 0 }).default(0);

const length = (standard: number) => count().default(standard);
const source = (standard: PriceName) => z.enum(PRICES).default(standard);

/** Declares an indicator: its arguments, with the fields that all indicators have. */
const indicator = <const N extends string, S extends z.core.$ZodLooseShape>(name: N, args: S) =>
  z.strictObject({
    indicator: z.literal(name),
    ...args,
    /** Absent: the timeframe of the program. */
    timeframe: z.enum(TIMEFRAMES).optional(),
    ago: ago(),
  });

/** Operand that is an indicator. The first output is the default. */
export const indicatorSchema = z.discriminatedUnion('indicator', [
  indicator('sma', { length: length(20), source: source('close') }),
  indicator('ema', { length: length(20), source: source('close') }),
  indicator('wma', { length: length(20), source: source('close') }),
  indicator('rsi', { length: length(14), source: source('close') }),
  indicator('macd', {
    fast: length(12),
    slow: length(26),
    signal: length(9),
    source: source('close'),
    output: z.enum(['macd', 'signal', 'histogram']).default('macd'),
  }),
  indicator('bollinger', {
    length: length(20),
    deviations: value({ above: 0, max: 100 }).default(2),
    source: source('close'),
    output: z.enum(['middle', 'upper', 'lower']).default('middle'),
  }),
  indicator('atr', { length: length(14) }),
  indicator('adx', {
    length: length(14),
    output: z.enum(['adx', 'plus_di', 'minus_di']).default('adx'),
  }),
  indicator('stochastic', {
    length: length(14),
    smooth: length(3),
    signal: length(3),
    output: z.enum(['k', 'd']).default('k'),
  }),
  indicator('supertrend', {
    length: length(10),
    multiple: value({ above: 0, max: 100 }).default(3),
    output: z.enum(['value', 'direction']).default('value'),
  }),
  /** Without a length it begins with each session. */
  indicator('vwap', { length: count().optional(), source: source('hlc3') }),
  indicator('highest', { length: length(20), source: source('high') }),
  indicator('lowest', { length: length(20), source: source('low') }),
  indicator('roc', { length: length(10), source: source('close') }),
  indicator('stddev', { length: length(20), source: source('close') }),
  indicator('cci', { length: length(20), source: source('hlc3') }),
  indicator('obv', {}),
  indicator('mfi', { length: length(14) }),
  indicator('psar', {
    start: value({ above: 0, max: 1 }).default(0.02),
    increment: value({ above: 0, max: 1 }).default(0.02),
    maximum: value({ above: 0, max: 1 }).default(0.2),
  }),
]);

export type IndicatorOperand = z.output<typeof indicatorSchema>;
