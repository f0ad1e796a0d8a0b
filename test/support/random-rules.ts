import fc from 'fast-check';
import * as z from 'zod';
import { indicatorSchema } from '../../shared/domain/engine/indicators/operand.ts';
import type { ResolvedRules } from '../../shared/domain/engine/rules/params.ts';
import { patternSchema } from '../../shared/domain/engine/rules/patterns.ts';
import { TIMEFRAMES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { plainRules } from './rules.ts';

type IndicatorSchema = (typeof indicatorSchema.options)[number];

const length = fc.integer({ min: 1, max: 30 });
const ago = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });

/** Returns the same timeframe mostly, else a larger one. */
const timeframeFrom = (base: Timeframe) =>
  fc.option(fc.constantFrom(...TIMEFRAMES.slice(TIMEFRAMES.indexOf(base))), { nil: undefined, freq: 3 });

/** Generates values of an argument: small windows, numbers within the bounds, any choice. */
const argument = (schema: z.core.$ZodType): fc.Arbitrary<unknown> => {
  if (schema instanceof z.ZodDefault) return argument(schema.unwrap());
  if (schema instanceof z.ZodOptional) return fc.option(argument(schema.unwrap()), { nil: undefined });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodUnion) {
    const number = schema.options.find((option) => option instanceof z.ZodNumber);
    if (number instanceof z.ZodNumber) {
      const min = Math.max(number.minValue ?? 0, number.isInt ? 1 : 0.01);
      const max = Math.min(number.maxValue ?? 30, 30);
      return number.isInt ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
    }
  }
  throw new Error(`no values of ${schema._zod.def.type}`);
};

/** Returns a price mostly of the program's bars, else of a larger timeframe or of Heikin-Ashi candles. */
const price = (base: Timeframe) =>
  fc.record({
    price: fc.constantFrom('open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4'),
    candles: fc.option(fc.constant('heikin_ashi'), { nil: undefined, freq: 2 }),
    timeframe: timeframeFrom(base),
    ago,
  });

const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Generates operands of an indicator with any arguments. */
const randomIndicator = (
  { shape: { indicator, ago: _ago, timeframe: _timeframe, ...args } }: IndicatorSchema,
  timeframes: fc.Arbitrary<Timeframe | undefined>,
): fc.Arbitrary<unknown> =>
  fc
    .record({
      indicator: fc.constantFrom(...indicator.values),
      ...Object.fromEntries(Object.entries(args).map(([name, schema]) => [name, argument(schema)])),
      ago,
      timeframe: timeframes,
    })
    .map(withoutUndefined);

const indicator = (base: Timeframe) =>
  fc.oneof(...indicatorSchema.options.map((schema) => randomIndicator(schema, timeframeFrom(base))));

const operand = (base: Timeframe, isTraded = false): fc.Arbitrary<unknown> => {
  const plain = fc.oneof(
    price(base),
    indicator(base),
    fc.double({ min: -100, max: 200, noNaN: true }),
    ...(isTraded ? [tradeValue] : []),
  );
  return fc.oneof(
    { weight: 6, arbitrary: plain },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('add', 'subtract', 'multiply', 'divide'), plain, plain)
        .map(([name, left, right]) => ({ [name]: [left, right] })),
    },
  );
};

const tradeValue = fc.record({
  trade: fc.constantFrom('entry_price', 'highest_since_entry', 'lowest_since_entry', 'percent_from_entry'),
});

const pattern = (base: Timeframe) =>
  fc.record({
    pattern: fc.constantFrom(...patternSchema.options.map(({ shape }) => [...shape.pattern.values][0])),
    timeframe: timeframeFrom(base),
    ago,
  });

const move = (base: Timeframe) =>
  fc
    .tuple(fc.constantFrom('rising', 'falling'), operand(base), fc.integer({ min: 1, max: 4 }))
    .map(([name, moved, bars]) => ({ [name]: moved, bars }));

/** Comparisons with values of a trade, near those that trades have. */
const tradeComparison = (base: Timeframe) => {
  const values = operand(base, true);
  const level = fc.double({ min: 0.9, max: 1.1, noNaN: true });
  return fc.oneof(
    fc.record({ left: values, op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), right: values }),
    fc.record({ value: values, between: fc.tuple(values, values) }),
    fc.record({
      left: fc.constant({ trade: 'percent_from_entry' }),
      op: fc.constantFrom('gt', 'lt'),
      right: fc.double({ min: -5, max: 5, noNaN: true }),
    }),
    level.map((factor) => ({
      left: { price: 'close', ago: 0 },
      op: 'lt',
      right: { multiply: [{ trade: 'highest_since_entry' }, factor] },
    })),
    level.map((factor) => ({
      left: { price: 'close', ago: 0 },
      op: 'gt',
      right: { multiply: [{ trade: 'lowest_since_entry' }, factor] },
    })),
  );
};

const timeOfDay = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const timeRange = fc.tuple(timeOfDay, timeOfDay).filter(([from, to]) => from !== to);
const weekdays = fc.uniqueArray(fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), {
  minLength: 1,
});

const comparison = (base: Timeframe) =>
  fc.record({
    left: operand(base),
    op: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'crosses_above', 'crosses_below', 'crosses'),
    right: operand(base),
  });

const between = (base: Timeframe) =>
  fc.record({ value: operand(base), between: fc.tuple(operand(base), operand(base)) });

/** @param isExit whether a trade is open, so that its values may be compared. */
const condition = (base: Timeframe, depth = 2, isExit = false): fc.Arbitrary<unknown> => {
  const leaf = fc.oneof(
    { weight: 8, arbitrary: comparison(base) },
    { weight: 1, arbitrary: between(base) },
    { weight: 1, arbitrary: move(base) },
    { weight: 1, arbitrary: pattern(base) },
    { weight: isExit ? 4 : 0, arbitrary: tradeComparison(base) },
    { weight: 1, arbitrary: fc.record({ time: timeRange }) },
    { weight: 1, arbitrary: fc.record({ weekday: weekdays }) },
    { weight: 1, arbitrary: fc.record({ bars_in_trade: fc.integer({ min: 1, max: 10 }) }) },
  );
  if (depth === 0) return leaf;
  const inner = condition(base, depth - 1, isExit);
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 1, arbitrary: fc.record({ all: several }) },
    { weight: 2, arbitrary: fc.record({ any: several }) },
    { weight: 1, arbitrary: fc.record({ not: inner }) },
    {
      weight: 1,
      arbitrary: fc.record({ for_bars: fc.integer({ min: 1, max: 5 }), condition: inner }),
    },
  );
};

const distance = fc.oneof(
  fc.record({ type: fc.constant('percent'), percent: fc.double({ min: 0.2, max: 10, noNaN: true }) }),
  fc.record({ type: fc.constant('points'), points: fc.double({ min: 0.01, max: 10, noNaN: true }) }),
  fc.record({
    type: fc.constant('atr'),
    length,
    multiple: fc.double({ min: 0.2, max: 4, noNaN: true }),
  }),
);

const size = fc.oneof(
  fc.record({ type: fc.constant('equity_percent'), percent: fc.constantFrom(5, 25, 50, 100) }),
  fc.record({ type: fc.constant('units'), units: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ type: fc.constant('cash'), cash: fc.integer({ min: 100, max: 20_000 }) }),
  fc.record({ type: fc.constant('risk_percent'), percent: fc.constantFrom(0.5, 1, 5) }),
);

const entry = (base: Timeframe) =>
  fc
    .record({
      side: fc.constantFrom('long', 'short'),
      when: condition(base),
      size,
      kind: fc.constantFrom('market', 'market', 'limit', 'stop'),
      offset: fc.double({ min: -4, max: 4, noNaN: true }),
      valid_bars: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      stop_loss: fc.option(distance, { nil: undefined }),
      take_profit: fc.option(distance, { nil: undefined }),
      trailing_stop: fc.option(distance, { nil: undefined }),
    })
    .map(({ kind, offset, valid_bars, ...rest }) => ({
      ...rest,
      ...(kind !== 'market' && { [kind]: { percent: offset }, ...(valid_bars && { valid_bars }) }),
      ...(rest.size.type === 'risk_percent' &&
        !rest.stop_loss && { stop_loss: { type: 'percent', percent: 3 } }),
    }));

const exit = (base: Timeframe) =>
  fc.record({
    side: fc.constantFrom('long', 'short'),
    when: condition(base, 1, true),
    portion: fc.constantFrom(1, 1, 0.5, 0.1),
  });

const session = fc.record({ weekdays, entries: timeRange, square_off: timeOfDay }, { requiredKeys: [] });

/** Generates the JSON of rules for a timeframe, with all kinds of operands, conditions, orders and stops. */
export const randomRulesJson = (base: Timeframe): fc.Arbitrary<unknown> =>
  fc
    .record({
      schema: fc.constant('hub.rules/1'),
      entries: fc.array(entry(base), { minLength: 1, maxLength: 3 }),
      exits: fc.array(exit(base), { maxLength: 2 }),
      reverse: fc.boolean(),
      pyramid: fc.boolean(),
      max_trades: fc.integer({ min: 1, max: 4 }),
      cooldown_bars: fc.nat(3),
      session: fc.option(session, { nil: undefined, freq: 2 }),
    })
    .map(withoutUndefined);

/** Generates parsed rules; see {@link randomRulesJson}. */
export const randomRules = (base: Timeframe): fc.Arbitrary<ResolvedRules> =>
  randomRulesJson(base).map(plainRules);
