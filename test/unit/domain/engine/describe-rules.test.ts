import * as fc from 'fast-check';
import { canonicalRules } from '../../../../shared/domain/engine/rules/canonical.ts';
import {
  describe as describeRules,
  describeShortly,
} from '../../../../shared/domain/engine/rules/describe.ts';
import { resolveParams } from '../../../../shared/domain/engine/rules/params.ts';
import { rulesHash } from '../../../../shared/domain/engine/rules/rules-hash.ts';
import { rulesSchema } from '../../../../shared/domain/engine/rules/schema.ts';
import { isRecord } from '../../../../shared/domain/unknown-fields.ts';
import { randomRulesJson } from '../../../support/random-rules.ts';
import { FULL_RULES, rulesWith } from '../../../support/rules.ts';
import { soakable } from '../../../support/soak.ts';

const sentenceOf = (rules: unknown): string => describeRules(rulesSchema.parse(rules));
const conditionOf = (when: unknown): string =>
  sentenceOf(rulesWith(when)).replace('Buys with 100% of equity when ', '').slice(0, -1);
const operandOf = (operand: unknown): string =>
  conditionOf({ left: operand, op: 'gt', right: 0 }).replace(' is above 0', '');

describe('the sentence of rules', () => {
  it('names every part', () => {
    expect(sentenceOf(FULL_RULES)).toBe(
      'Buys risking 1% of equity when SMA(fast=10) crosses above SMA(30) and close is above SMA(10, on 1w) and (not (the day is Monday or Friday) or the time is from 09:45 to before 15:15 or (OBV is at or above session VWAP) holds for 3 bars in a row), by a limit order 2% below the close, valid for 3 bars, with a stop loss of 5%, a take profit of 10 points and a trailing stop of 3 * ATR(14); sells short for 5000 in cash when (0.98 * lower Bollinger band(20, 2, 1 bar ago)) crosses below hl2 2 bars ago, by a stop order 1% below the close, valid until filled; sells 50% of each long trade when the trade is at least 20 bars old; an opposite entry closes the open trade; adds trades while others are open, at most 3 at once; waits 2 bars after a trade; enters only on Monday and Tuesday from 09:45 to before 15:15; closes everything at 15:55. Times and days are those of the exchange. Parameters: fast from 2 to 200.',
    );
  });

  it.each([
    [{ price: 'close', ago: 1 }, 'close 1 bar ago'],
    [{ price: 'close', timeframe: '1d', ago: 1 }, 'close(on 1d, 1 bar ago)'],
    [{ price: 'low', candles: 'heikin_ashi' }, 'Heikin-Ashi low'],
    [{ price: 'high', candles: 'heikin_ashi', timeframe: '1w' }, 'Heikin-Ashi high(on 1w)'],
    [{ indicator: 'sma' }, 'SMA(20)'],
    [{ indicator: 'ema', length: 5, source: 'volume', ago: 2 }, 'EMA(5, of volume, 2 bars ago)'],
    [{ indicator: 'macd', output: 'histogram' }, 'MACD histogram(12, 26, 9)'],
    [{ indicator: 'adx', output: 'plus_di' }, '+DI(14)'],
    [{ indicator: 'stochastic', output: 'd' }, 'stochastic %D(14, 3, 3)'],
    [{ indicator: 'supertrend', output: 'direction' }, 'Supertrend direction(10, 3)'],
    [{ indicator: 'vwap', length: 20, source: 'ohlc4' }, 'VWAP(20, of ohlc4)'],
    [{ indicator: 'highest', source: 'close', length: 30, ago: 1 }, 'highest close(30, 1 bar ago)'],
    [{ indicator: 'psar' }, 'Parabolic SAR(0.02, 0.02, 0.2)'],
    [{ indicator: 'obv', timeframe: '1d' }, 'OBV(on 1d)'],
    [{ subtract: [{ divide: [1, 2] }, { price: 'low' }] }, '((1 / 2) - low)'],
  ])('writes the operand %j as %s', (operand, text) => expect(operandOf(operand)).toBe(text));

  it.each([
    [
      { weekday: ['mon', 'tue', 'wed'] },
      'the day is Monday to Wednesday. Times and days are those of the exchange',
    ],
    [
      { weekday: ['mon', 'wed', 'fri'] },
      'the day is Monday, Wednesday or Friday. Times and days are those of the exchange',
    ],
    [
      { time: ['22:00', '02:00'] },
      'the time is from 22:00 to before 02:00 of the next day. Times and days are those of the exchange',
    ],
    [{ left: { price: 'close' }, op: 'crosses', right: 5 }, 'close crosses 5'],
    [{ value: { indicator: 'rsi' }, between: [40, { price: 'low' }] }, 'RSI(14) is between 40 and low'],
    [{ rising: { indicator: 'sma' }, bars: 1 }, 'SMA(20) rises'],
    [{ falling: { price: 'close' }, bars: 3 }, 'close falls for 3 bars in a row'],
    [{ pattern: 'bullish_engulfing' }, 'a bullish engulfing forms'],
    [
      { pattern: 'hammer', trend: 0, body: 25, timeframe: '1w', ago: 1 },
      'a hammer (body 25, trend 0, on 1w, 1 bar ago) forms',
    ],
    [{ pattern: 'three_black_crows' }, 'three black crows form'],
    [{ not: { bars_in_trade: 1 } }, 'not (the trade is at least 1 bar old)'],
    [{ all: [{ any: [{ bars_in_trade: 1 }] }] }, 'the trade is at least 1 bar old'],
    [
      { any: [{ all: [{ bars_in_trade: 1 }, { bars_in_trade: 2 }] }, { bars_in_trade: 3 }] },
      '(the trade is at least 1 bar old and the trade is at least 2 bars old) or the trade is at least 3 bars old',
    ],
  ])('writes the condition %j as %s', (condition, text) => expect(conditionOf(condition)).toBe(text));

  it.each([
    [{ trade: 'percent_from_entry' }, 'percent from entry'],
    [{ multiply: [{ trade: 'highest_since_entry' }, 0.97] }, '(highest since entry * 0.97)'],
    [{ trade: 'entry_price' }, 'entry price'],
  ])('writes the value %j of the open trade as %s', (left, text) => {
    const exits = [{ side: 'long', when: { left, op: 'lt', right: { price: 'close' } } }];
    expect(sentenceOf(rulesWith({ bars_in_trade: 1 }, { exits }))).toContain(
      `sells when ${text} is below close.`,
    );
  });

  it('mirrors limits and stops for shorts', () => {
    const short = (more: object) =>
      sentenceOf({
        schema: 'hub.rules/1',
        entries: [{ side: 'short', when: { bars_in_trade: 1 }, ...more }],
      });
    expect(short({ limit: { percent: -2 } })).toContain('by a limit order 2% above the close');
    expect(short({ stop: { percent: 1 } })).toContain('by a stop order 1% below the close');
  });
});

/** Replaces every length by a parameter. */
const withParam = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withParam);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name === 'length' ? { param: 'n' } : withParam(field),
  ]);
  const whole = 'schema' in value ? { params: { n: { default: 7, min: 1, max: 40 } } } : {};
  return { ...Object.fromEntries(fields), ...whole };
};

const anyRules = fc.oneof(randomRulesJson('1d'), randomRulesJson('1m').map(withParam));

describe('random rules', () => {
  const runs = soakable(100, 1500);

  it('have a bounded sentence and a canonical form that parses to the same rules', () => {
    fc.assert(
      fc.property(anyRules, (json) => {
        const rules = rulesSchema.parse(json);
        const sentence = describeRules(rules);
        expect(sentence).not.toMatch(/undefined|null|NaN|\[object|[{}?]/);
        expect(sentence.length).toBeLessThanOrEqual(8000);
        expect(describeShortly(rules).length).toBeLessThanOrEqual(300);
        expect(rulesHash(rulesSchema.parse(JSON.parse(canonicalRules(rules))))).toBe(rulesHash(rules));
        const resolved = resolveParams(rules);
        expect('rules' in resolved && JSON.stringify(resolved.rules)).not.toContain('"param"');
      }),
      { numRuns: runs },
    );
  });

  it('with different hashes have different canonical forms', () => {
    fc.assert(
      fc.property(anyRules, anyRules, (first, second) => {
        const [a, b] = [rulesSchema.parse(first), rulesSchema.parse(second)];
        expect(rulesHash(a) === rulesHash(b)).toBe(canonicalRules(a) === canonicalRules(b));
      }),
      { numRuns: runs },
    );
  });
});
