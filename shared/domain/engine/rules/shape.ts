import * as z from 'zod';
import { TIMEFRAMES } from '../../strategies/strategies.ts';
import { type IndicatorOperand, indicatorSchema } from '../indicators/operand.ts';
import { RULES_LIMITS } from '../values/limits.ts';
import { PRICES } from '../values/prices.ts';
import {
  ago,
  count,
  finite,
  type Param,
  paramSchema,
  percentage,
  timeOfDay,
  timeRange,
  value,
  weekdays,
} from '../values/values.ts';
import { WEEKDAYS, type Weekday } from '../values/weekdays.ts';
import { type PatternCondition, patternSchema } from './patterns.ts';

const SIDES = ['long', 'short'] as const;
export type Side = (typeof SIDES)[number];

const COMPARISONS = ['gt', 'gte', 'lt', 'lte', 'crosses_above', 'crosses_below', 'crosses'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Price of a bar. */
export const priceSchema = z.strictObject({
  price: z.enum(PRICES),
  /** Absent: the candles of the market. */
  candles: z.enum(['heikin_ashi']).optional(),
  /** Absent: the timeframe of the program. */
  timeframe: z.enum(TIMEFRAMES).optional(),
  ago: ago(),
});
export type PriceOperand = z.output<typeof priceSchema>;

/** Values of the oldest open trade of a side, for exits. */
export const TRADE_VALUES = [
  'entry_price',
  'highest_since_entry',
  'lowest_since_entry',
  'percent_from_entry',
] as const;
export type TradeValueName = (typeof TRADE_VALUES)[number];

const tradeSchema = z.strictObject({ trade: z.enum(TRADE_VALUES) });

type Pair = [Operand, Operand];
export type Arithmetic = { add: Pair } | { subtract: Pair } | { multiply: Pair } | { divide: Pair };

/** Value that a condition compares. */
export type Operand =
  | number
  | Param
  | PriceOperand
  | IndicatorOperand
  | { trade: TradeValueName }
  | Arithmetic;

export type Condition =
  | { left: Operand; op: Comparison; right: Operand }
  | { value: Operand; between: Pair }
  | { rising: Operand; bars: number | Param }
  | { falling: Operand; bars: number | Param }
  | PatternCondition
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { time: [string, string] }
  | { weekday: Weekday[] }
  | { bars_in_trade: number | Param }
  | { for_bars: number | Param; condition: Condition };

const pair = () => z.tuple([z.lazy(() => operandSchema), z.lazy(() => operandSchema)]);

const operandSchema: z.ZodType<Operand> = z
  .union(
    [
      finite(),
      paramSchema,
      priceSchema,
      indicatorSchema,
      tradeSchema,
      z.strictObject({ add: pair() }),
      z.strictObject({ subtract: pair() }),
      z.strictObject({ multiply: pair() }),
      z.strictObject({ divide: pair() }),
    ],
    {
      error:
        'value is not a number or an object with one of price, indicator, param, trade, add, subtract, multiply, divide',
    },
  )
  .meta({ id: 'RulesOperand', 'x-extension': true });

const inner = () => z.lazy(() => conditionSchema);
const group = () => z.array(inner()).min(1).max(RULES_LIMITS.conditions);

const conditionSchema: z.ZodType<Condition> = z
  .union(
    [
      z.strictObject({ left: operandSchema, op: z.enum(COMPARISONS), right: operandSchema }),
      z.strictObject({ value: operandSchema, between: pair() }),
      z.strictObject({ rising: operandSchema, bars: count().default(1) }),
      z.strictObject({ falling: operandSchema, bars: count().default(1) }),
      patternSchema,
      z.strictObject({ all: group() }),
      z.strictObject({ any: group() }),
      z.strictObject({ not: inner() }),
      z.strictObject({ time: timeRange() }),
      z.strictObject({ weekday: weekdays() }),
      z.strictObject({ bars_in_trade: count() }),
      z.strictObject({ for_bars: count(), condition: inner() }),
    ],
    {
      error:
        'value is not an object with left, op and right, or with one of between, rising, falling, pattern, all, any, not, time, weekday, bars_in_trade, for_bars',
    },
  )
  .meta({ id: 'RulesCondition', 'x-extension': true });

/** Distance between a price and a stop or target. */
const distanceSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('percent'), percent: percentage(1000) }),
    z.strictObject({ type: z.literal('points'), points: value({ above: 0 }) }),
    z.strictObject({
      type: z.literal('atr'),
      length: count().default(14),
      multiple: value({ above: 0, max: 100 }),
    }),
  ])
  .meta({ id: 'RulesDistance', 'x-extension': true });
export type Distance = z.output<typeof distanceSchema>;

const sizeSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('equity_percent'), percent: percentage(100) }),
    z.strictObject({ type: z.literal('units'), units: value({ above: 0 }) }),
    z.strictObject({ type: z.literal('cash'), cash: value({ above: 0 }) }),
    /** Needs a stop loss. */
    z.strictObject({ type: z.literal('risk_percent'), percent: percentage(100) }),
  ])
  .meta({ id: 'RulesSize', 'x-extension': true });
export type Size = z.output<typeof sizeSchema>;

/** Distance of a limit or stop entry from the close of the signal bar, mirrored for shorts. */
const offsetSchema = z
  .strictObject({ percent: value({ min: -99, max: 99 }) })
  .meta({ id: 'RulesOffset', 'x-extension': true });

const entrySchema = z
  .strictObject({
    side: z.enum(SIDES),
    when: conditionSchema,
    limit: offsetSchema.optional(),
    stop: offsetSchema.optional(),
    valid_bars: count().optional(),
    size: sizeSchema.default({ type: 'equity_percent', percent: 100 }),
    stop_loss: distanceSchema.optional(),
    take_profit: distanceSchema.optional(),
    trailing_stop: distanceSchema.optional(),
  })
  .meta({ id: 'RulesEntry', 'x-extension': true });
export type Entry = z.output<typeof entrySchema>;

const exitSchema = z
  .strictObject({
    side: z.enum(SIDES),
    when: conditionSchema,
    /** Part of every open trade of the side. */
    portion: value({ above: 0, max: 1 }).default(1),
  })
  .meta({ id: 'RulesExit', 'x-extension': true });
export type Exit = z.output<typeof exitSchema>;

/** Times of the exchange. */
const sessionSchema = z
  .strictObject({
    /** Days of entries. */
    weekdays: weekdays().default([...WEEKDAYS]),
    entries: timeRange().optional(),
    /** Time at which everything is closed. */
    square_off: timeOfDay().optional(),
  })
  .meta({ id: 'RulesSession', 'x-extension': true });
export type Session = z.output<typeof sessionSchema>;

/** Number that copies and sweeps may change. */
const tunableSchema = z
  .strictObject({
    default: finite(),
    min: finite().optional(),
    max: finite().optional(),
  })
  .meta({ id: 'RulesTunable', 'x-extension': true });

export type Tunable = z.output<typeof tunableSchema>;

/** Name and version of the format. */
const RULES_FORMAT = 'hub.rules/1';

/** Rules without the checks that concern several fields. */
export const shapeSchema = z.strictObject({
  schema: z.literal(RULES_FORMAT),
  params: z.record(z.string(), tunableSchema).default({}),
  entries: z.array(entrySchema).min(1).max(RULES_LIMITS.entries),
  exits: z.array(exitSchema).max(RULES_LIMITS.exits).default([]),
  /** An entry against an open trade closes it. */
  reverse: z.boolean().default(false),
  /** Entries while a trade of their side is open, up to `max_trades`. */
  pyramid: z.boolean().default(false),
  max_trades: count({ max: RULES_LIMITS.trades }).default(1),
  cooldown_bars: count({ min: 0 }).default(0),
  session: sessionSchema.optional(),
});

/** Rules with all defaults filled in. Numbers may be parameters. */
export type Rules = z.output<typeof shapeSchema>;
