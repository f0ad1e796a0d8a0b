import * as z from 'zod';
import { toValidationDetails } from '../../../../shared/api/validation.ts';
import { canonicalRules } from '../../../../shared/domain/engine/rules/canonical.ts';
import { type ResolvedRules, resolveParams } from '../../../../shared/domain/engine/rules/params.ts';
import { rulesHash } from '../../../../shared/domain/engine/rules/rules-hash.ts';
import { rulesSchema } from '../../../../shared/domain/engine/rules/schema.ts';
import type {
  Comparison,
  Condition,
  Distance,
  Exit,
  Session,
  Size,
} from '../../../../shared/domain/engine/rules/shape.ts';
import type { Resolved } from '../../../../shared/domain/engine/values/resolved.ts';
import { crossRules, FULL_RULES, rulesWith } from '../../../support/rules.ts';

/** Returns the places and texts of the problems of rules. */
const problemsOf = (rules: unknown): string[] => {
  const parts = { json: rules };
  const { error } = z.object({ json: rulesSchema }).safeParse(parts);
  const details = error ? toValidationDetails(parts, error) : [];
  return details.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
};

const bare = (left: unknown) => rulesWith({ left, op: 'gt', right: 1 });
const exitWith = (when: unknown) => rulesWith({ bars_in_trade: 1 }, { exits: [{ side: 'long', when }] });
const entryWith = (more: Readonly<Record<string, unknown>>) => ({
  schema: 'hub.rules/1',
  entries: [{ side: 'long', when: { left: 1, op: 'gt', right: 2 }, ...more }],
});
const nested = (levels: number): unknown =>
  levels === 1 ? { bars_in_trade: 1 } : { not: nested(levels - 1) };
const sum = (levels: number): unknown => (levels === 0 ? 1 : { add: [1, sum(levels - 1)] });
const many = (count: number, condition: (index: number) => unknown) => ({
  any: Array.from({ length: count }, (_, index) => condition(index)),
});
const average = (index: number) => ({ left: { indicator: 'sma', length: index + 1 }, op: 'gt', right: 1 });

describe('rules', () => {
  it('fill in the defaults of each part', () => {
    expect(rulesSchema.parse(crossRules())).toEqual({
      schema: 'hub.rules/1',
      params: {},
      entries: [
        {
          side: 'long',
          when: {
            left: { indicator: 'sma', length: 10, source: 'close', ago: 0 },
            op: 'crosses_above',
            right: { indicator: 'sma', length: 30, source: 'close', ago: 0 },
          },
          size: { type: 'equity_percent', percent: 100 },
        },
      ],
      exits: [],
      reverse: false,
      pyramid: false,
      max_trades: 1,
      cooldown_bars: 0,
    });
  });

  it.each([
    ['sma', { length: 20, source: 'close' }],
    ['ema', { length: 20, source: 'close' }],
    ['wma', { length: 20, source: 'close' }],
    ['rsi', { length: 14, source: 'close' }],
    ['macd', { fast: 12, slow: 26, signal: 9, source: 'close', output: 'macd' }],
    ['bollinger', { length: 20, deviations: 2, source: 'close', output: 'middle' }],
    ['atr', { length: 14 }],
    ['adx', { length: 14, output: 'adx' }],
    ['stochastic', { length: 14, smooth: 3, signal: 3, output: 'k' }],
    ['supertrend', { length: 10, multiple: 3, output: 'value' }],
    ['vwap', { source: 'hlc3' }],
    ['highest', { length: 20, source: 'high' }],
    ['lowest', { length: 20, source: 'low' }],
    ['roc', { length: 10, source: 'close' }],
    ['stddev', { length: 20, source: 'close' }],
    ['cci', { length: 20, source: 'hlc3' }],
    ['obv', {}],
    ['mfi', { length: 14 }],
    ['psar', { start: 0.02, increment: 0.02, maximum: 0.2 }],
  ])('give %s its arguments', (indicator, defaults) => {
    const { entries } = rulesSchema.parse(bare({ indicator }));
    expect(entries[0]?.when).toMatchObject({ left: { indicator, ...defaults, ago: 0 } });
  });

  it.each([
    [
      'an unknown indicator',
      bare({ indicator: 'smaa' }),
      /^entries\.0\.when\.left\.indicator: .*permitted: 'sma'/,
    ],
    [
      'an unknown argument',
      bare({ indicator: 'sma', lenght: 3 }),
      /^entries\.0\.when\.left\.lenght: extra fields/,
    ],
    ['a length of zero', bare({ indicator: 'sma', length: 0 }), /left\.length: ensure .* equal to 1$/],
    ['a long length', bare({ indicator: 'sma', length: 501 }), /left\.length: ensure .* equal to 500$/],
    [
      'a fraction as length',
      bare({ indicator: 'sma', length: 2.5 }),
      /left\.length: value is not a valid integer$/,
    ],
    [
      'a text as length',
      bare({ indicator: 'sma', length: 'x' }),
      /left\.length: value is not a number or a param/,
    ],
    [
      'an unknown output',
      bare({ indicator: 'macd', output: 'd' }),
      /left\.output: .*'macd', 'signal', 'histogram'/,
    ],
    ['an unknown price', bare({ price: 'last' }), /left\.price: .*permitted: 'open', 'high'/],
    [
      'an unknown operand',
      bare({ prise: 'close' }),
      /left: value is not a number or an object with one of price/,
    ],
    ['an infinite number', bare(Number.POSITIVE_INFINITY), /left: value is not a number or an object/],
    [
      'an operand within arithmetic',
      bare({ add: [1, { indicator: 'ema', length: 0 }] }),
      /left\.add\.1\.length: /,
    ],
    [
      'a value of the trade in an entry',
      bare({ add: [1, { trade: 'entry_price' }] }),
      /^entries\.0\.when\.left\.add\.1\.trade: a value of the open trade is for exits; an entry has no trade yet$/,
    ],
    [
      'a cross of a value of the trade',
      exitWith({ left: { trade: 'percent_from_entry' }, op: 'crosses_above', right: 1 }),
      /^exits\.0\.when: a value of the open trade has no value of the bar before; use gt/,
    ],
    [
      'a movement of a value of the trade',
      exitWith({ rising: { trade: 'percent_from_entry' }, bars: 1 }),
      /^exits\.0\.when: a value of the open trade has no value of the bar before/,
    ],
    [
      'an unknown value of the trade',
      exitWith({ left: { trade: 'age' }, op: 'gt', right: 1 }),
      /left\.trade: .*permitted: 'entry_price'/,
    ],
    ['unknown candles', bare({ price: 'close', candles: 'renko' }), /left\.candles: .*'heikin_ashi'/],
    ['a between of one value', rulesWith({ value: 1, between: [1] }), /when\.between/],
    [
      'a movement of no bars',
      rulesWith({ rising: { price: 'close' }, bars: 0 }),
      /when\.bars: ensure .* equal to 1$/,
    ],
    ['an unknown pattern', rulesWith({ pattern: 'cup' }), /when\.pattern: .*permitted: 'bullish_engulfing'/],
    ['a threshold of another pattern', rulesWith({ pattern: 'doji', trend: 3 }), /when\.trend: extra fields/],
    [
      'a body above its range',
      rulesWith({ pattern: 'doji', body: 101 }),
      /when\.body: ensure .* equal to 100$/,
    ],
    ['an unknown comparison', rulesWith({ left: 1, op: 'eq', right: 1 }), /when\.op: .*'gt', 'gte'/],
    ['an unknown condition', rulesWith({ or: [] }), /when: value is not an object with left, op and right/],
    ['an empty group', rulesWith({ all: [] }), /when\.all: ensure this value has at least 1 items/],
    ['seven levels', rulesWith(nested(7)), /not: ensure conditions have at most 6 levels of nesting$/],
    ['deep arithmetic', bare(sum(6)), /add\.1: ensure conditions have at most 6 levels of nesting$/],
    [
      'an empty time range',
      rulesWith({ time: ['10:00', '10:00'] }),
      /when\.time: the two times must differ$/,
    ],
    ['a wrong time', rulesWith({ time: ['24:00', '10:00'] }), /when\.time\.0: string does not match/],
    ['a wrong weekday', rulesWith({ weekday: ['monday'] }), /when\.weekday\.0: .*'mon', 'tue'/],
    [
      'a limit and a stop',
      entryWith({ limit: { percent: 1 }, stop: { percent: 1 } }),
      /entries\.0\.stop: .*not both$/,
    ],
    [
      'valid_bars of a market entry',
      entryWith({ valid_bars: 2 }),
      /valid_bars: valid_bars needs a limit or a stop$/,
    ],
    [
      'a risk without a stop',
      entryWith({ size: { type: 'risk_percent', percent: 1 } }),
      /size: .*needs a stop_loss$/,
    ],
    ['a distance without type', entryWith({ stop_loss: { percent: 1 } }), /stop_loss\.type: field required$/],
    ['an unknown format', { ...crossRules(), schema: 'hub.rules/2' }, /^schema: .*'hub\.rules\/1'/],
    ['a parameter that is not declared', crossRules({ param: 'fast' }), /length\.param: .*declared: none$/],
    [
      'a default that does not fit its use',
      crossRules({ param: 'fast' }, 30, { params: { fast: { default: 1.5 } } }),
      /left\.length: value is not a valid integer$/,
    ],
    [
      'a default out of its range',
      crossRules({ param: 'fast' }, 30, { params: { fast: { default: 5, min: 10 } } }),
      /^params\.fast\.default: default is not between min and max$/,
    ],
    [
      'a wrong parameter name',
      crossRules(1, 2, { params: { 'a b': { default: 5 } } }),
      /^params\.a b: a parameter/,
    ],
  ])('refuse %s with its path', (_title, rules, problem) => {
    const problems = problemsOf(rules);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it('hold at most 50 conditions, 30 distinct indicators and six levels', () => {
    expect(problemsOf(rulesWith(many(50, () => average(0))))).toEqual([]);
    expect(problemsOf(rulesWith({ any: [many(50, () => average(0)), average(0)] }))).toEqual([
      'entries.0.when.any.1: ensure these rules have at most 50 conditions',
    ]);
    expect(problemsOf(rulesWith(many(30, average)))).toEqual([]);
    expect(problemsOf(rulesWith(many(31, average)))).toEqual([
      'entries.0.when.any.30.left: ensure these rules have at most 30 distinct indicators',
    ]);
    expect(problemsOf(rulesWith(nested(6)))).toEqual([]);
    expect(problemsOf(bare(sum(5)))).toEqual([]);
  });

  it('have a hash that depends on their meaning only', () => {
    const parsed = rulesSchema.parse(FULL_RULES);
    const reordered = JSON.parse(
      JSON.stringify(FULL_RULES, Object.keys(FULL_RULES).toReversed().concat(keysOf(FULL_RULES))),
    );
    expect(rulesHash(rulesSchema.parse(reordered))).toBe(rulesHash(parsed));
    expect(rulesHash(rulesSchema.parse(JSON.parse(canonicalRules(parsed))))).toBe(rulesHash(parsed));
    expect(rulesHash(rulesSchema.parse(crossRules(10, 30)))).not.toBe(
      rulesHash(rulesSchema.parse(crossRules(10, 31))),
    );
    expect(rulesHash(rulesSchema.parse(crossRules()))).toBe(
      '7f89452ae9b0bded767961b67f2f738fefdca7ed346c4fe480dcb008d453f7f8',
    );
  });
});

/** Returns all keys within a value, in reverse order. */
const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [...keysOf(member), key])
    : [];

describe('parameters of rules', () => {
  const rules = rulesSchema.parse(
    crossRules(
      { param: 'fast' },
      { param: 'slow' },
      {
        params: { fast: { default: 10, min: 2, max: 200 }, slow: { default: 30 } },
      },
    ),
  );

  it('are replaced by the given values, else by the defaults', () => {
    expect(resolveParams(rules, { fast: 12 })).toEqual({ rules: rulesSchema.parse(crossRules(12, 30)) });
  });

  it('leave numbers only, in each part', () => {
    const result = resolveParams(rulesSchema.parse(FULL_RULES));
    if (!('rules' in result)) throw new Error('the rules do not resolve');
    const [entry] = result.rules.entries;
    const [exit] = result.rules.exits;
    const condition: Resolved<Condition> | undefined = entry?.when;
    const size: Resolved<Size> | undefined = entry?.size;
    const distance: Resolved<Distance> | undefined = entry?.stop_loss;
    const portion: Resolved<Exit>['portion'] | undefined = exit?.portion;
    const session: Resolved<Session> | undefined = result.rules.session;
    const rules: ResolvedRules = result.rules;
    expect(JSON.stringify(rules)).not.toContain('"param"');
    expect({ size, distance, portion, session }).toEqual({
      size: { type: 'risk_percent', percent: 1 },
      distance: { type: 'percent', percent: 5 },
      portion: 0.5,
      session: { weekdays: ['mon', 'tue'], entries: ['09:45', '15:15'], square_off: '15:55' },
    });
    expect(condition).toMatchObject({ all: [{ op: 'crosses_above' satisfies Comparison }, {}, {}] });
  });

  it.each([
    [
      { fast: 1 },
      { in: 'params', path: ['fast'], message: 'ensure this value is greater than or equal to 2' },
    ],
    [
      { fast: 201 },
      { in: 'params', path: ['fast'], message: 'ensure this value is less than or equal to 200' },
    ],
    [
      { fats: 12 },
      { in: 'params', path: ['fats'], message: "parameter is not declared; declared: 'fast', 'slow'" },
    ],
    [{ fast: Number.NaN }, { in: 'params', path: ['fast'], message: 'value is not a valid float' }],
    [
      { slow: 2.5 },
      {
        in: 'rules',
        path: ['entries', 0, 'when', 'right', 'length'],
        message: 'value is not a valid integer',
      },
    ],
  ])('refuse %j', (values, problem) => {
    expect(resolveParams(rules, values)).toMatchObject({ problems: [problem] });
  });

  it.each([
    [0, 'ensure this value is greater than 0'],
    [101, 'ensure this value is less than or equal to 100'],
  ])('tell the bound of the place that %d does not fit', (share, message) => {
    const [entry] = crossRules(10, 30).entries;
    const size = { type: 'equity_percent', percent: { param: 'share' } };
    const params = { share: { default: 50 } };
    const rules = rulesSchema.parse({ ...crossRules(10, 30), params, entries: [{ ...entry, size }] });
    const path = ['entries', 0, 'size', 'percent'];
    expect(resolveParams(rules, { share })).toEqual({ problems: [{ in: 'rules', path, message }] });
  });
});
