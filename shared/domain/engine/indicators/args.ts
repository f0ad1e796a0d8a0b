import * as z from 'zod';
import { TIMEFRAMES } from '../../strategies/strategies.ts';
import { PRICES, type PriceName } from '../values/prices.ts';
import { ago, count, value } from '../values/values.ts';

type Bounds = Parameters<typeof value>[0];

/** Schemas that indicators share, as each one made costs time at a cold start. */
const BARS = count();
const PRICE = z.enum(PRICES);
const TIMEFRAME = z.enum(TIMEFRAMES).optional();
const AGO = ago();

/** Makes schemas of arguments. Declarations take it as a value, so that bundles with their words alone have no schemas. */
export const INDICATOR_ARGS = {
  /** Number of bars of a window. */
  length: (standard: number, bounds?: Parameters<typeof count>[0]) =>
    (bounds ? count(bounds) : BARS).default(standard),
  /** Number of bars that may be absent. */
  optionalLength: () => BARS.optional(),
  number: (standard: number, bounds?: Bounds) => value(bounds).default(standard),
  /** Price that an indicator is computed of. */
  source: (standard: PriceName) => PRICE.default(standard),
  /** One of some words. The first is the default. */
  choice: <const C extends string>(...choices: readonly [C, ...C[]]) => z.enum(choices).default(choices[0]),
  /** One of some words, or none. */
  option: <const C extends string>(...choices: readonly [C, ...C[]]) => z.enum(choices).optional(),
  /** Operand of an indicator, with the fields that all indicators have. */
  operand: <const N extends string, A extends z.core.$ZodLooseShape>(name: N, args: A) =>
    z.strictObject({
      indicator: z.literal(name),
      ...args,
      /** Absent: the timeframe of the program. */
      timeframe: TIMEFRAME,
      ago: AGO,
    }),
} as const;
