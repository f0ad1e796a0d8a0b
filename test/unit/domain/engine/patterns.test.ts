import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import * as talib from 'talib-web';
import { type BarColumns, barCount } from '../../../../shared/domain/candles/bars.ts';
import type { PatternName } from '../../../../shared/domain/engine/rules/pattern-defaults.ts';
import { patternSchema } from '../../../../shared/domain/engine/rules/patterns.ts';
import { randomBars, randomNumbers } from '../../../support/random-bars.ts';
import { conditionSeries } from '../../../support/rule-series.ts';
import { barsAt, type Prices } from '../../../support/small-backtests.ts';
import { soakable } from '../../../support/soak.ts';

const numRuns = soakable(12, 300);
const seeds = fc.nat();

beforeAll(async () => {
  // The library fetches its code, and fetch reads no files.
  const file = createRequire(import.meta.url).resolve('talib-web/lib/talib.wasm');
  const code = await readFile(file);
  await talib.init(`data:application/wasm;base64,${code.toString('base64')}`);
});

interface Candle {
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
}

const candlesOf = (bars: BarColumns): Candle[] =>
  Array.from({ length: barCount(bars) }, (_, index) => ({
    o: bars.open[index] ?? Number.NaN,
    h: bars.high[index] ?? Number.NaN,
    l: bars.low[index] ?? Number.NaN,
    c: bars.close[index] ?? Number.NaN,
  }));

type Args = Readonly<Record<string, number>>;
/** Plain definition: the last candle, the one before and the one before that, with the thresholds. */
type Definition = (now: Candle, before: Candle, first: Candle, args: Args) => boolean;

const body = ({ o, c }: Candle) => Math.abs(c - o);
const upper = ({ o, h, c }: Candle) => h - Math.max(o, c);
const lower = ({ o, l, c }: Candle) => Math.min(o, c) - l;
const range = ({ h, l }: Candle) => h - l;
const isLong = (candle: Candle, { long_body = Number.NaN }: Args) =>
  body(candle) >= (long_body / 100) * range(candle);

const pin =
  (long: (candle: Candle) => number, short: (candle: Candle) => number): Definition =>
  (now, _before, _first, { body: most = 0, wick = 0, shadow = 0 }) =>
    now.h > now.l &&
    body(now) <= (most / 100) * range(now) &&
    short(now) <= (wick / 100) * range(now) &&
    long(now) >= shadow * body(now);

const soldier = (candle: Candle, shadow: number, { body: least = 0, wick = 0 }: Args) =>
  body(candle) >= (least / 100) * range(candle) && shadow <= (wick / 100) * range(candle);

const DEFINITIONS: Readonly<Record<PatternName, Definition>> = {
  bullish_engulfing: (now, before) =>
    before.c < before.o && now.o <= before.c && now.c >= before.o && body(now) > body(before),
  bearish_engulfing: (now, before) =>
    before.c > before.o && now.o >= before.c && now.c <= before.o && body(now) > body(before),
  hammer: pin(lower, upper),
  hanging_man: pin(lower, upper),
  inverted_hammer: pin(upper, lower),
  shooting_star: pin(upper, lower),
  doji: (now, _before, _first, { body: most = 0 }) => now.h > now.l && body(now) <= (most / 100) * range(now),
  morning_star: (now, middle, first, args) =>
    first.c < first.o &&
    isLong(first, args) &&
    body(middle) <= ((args.star ?? 0) / 100) * body(first) &&
    Math.max(middle.o, middle.c) <= (first.o + first.c) / 2 &&
    now.c > now.o &&
    now.c >= first.c + ((args.penetration ?? 0) / 100) * body(first),
  evening_star: (now, middle, first, args) =>
    first.c > first.o &&
    isLong(first, args) &&
    body(middle) <= ((args.star ?? 0) / 100) * body(first) &&
    Math.min(middle.o, middle.c) >= (first.o + first.c) / 2 &&
    now.c < now.o &&
    now.c <= first.c - ((args.penetration ?? 0) / 100) * body(first),
  bullish_harami: (now, before, _first, args) =>
    before.c < before.o &&
    isLong(before, args) &&
    now.c > now.o &&
    now.o >= before.c &&
    now.c <= before.o &&
    body(now) < body(before),
  bearish_harami: (now, before, _first, args) =>
    before.c > before.o &&
    isLong(before, args) &&
    now.c < now.o &&
    now.o <= before.c &&
    now.c >= before.o &&
    body(now) < body(before),
  piercing_line: (now, before, _first, args) =>
    before.c < before.o &&
    isLong(before, args) &&
    now.o <= before.c &&
    now.c > now.o &&
    now.c >= before.c + ((args.penetration ?? 0) / 100) * body(before) &&
    now.c < before.o,
  dark_cloud_cover: (now, before, _first, args) =>
    before.c > before.o &&
    isLong(before, args) &&
    now.o >= before.c &&
    now.c < now.o &&
    now.c <= before.c - ((args.penetration ?? 0) / 100) * body(before) &&
    now.c > before.o,
  three_white_soldiers: (now, before, first, args) =>
    [now, before, first].every((each) => each.c > each.o && soldier(each, upper(each), args)) &&
    [
      [now, before],
      [before, first],
    ].every(([a, b]) => a !== undefined && b !== undefined && a.o >= b.o && a.o <= b.c && a.c > b.c),
  three_black_crows: (now, before, first, args) =>
    [now, before, first].every((each) => each.c < each.o && soldier(each, lower(each), args)) &&
    [
      [now, before],
      [before, first],
    ].every(([a, b]) => a !== undefined && b !== undefined && a.o <= b.o && a.o >= b.c && a.c < b.c),
  bullish_marubozu: (now, _before, _first, { body: least = 0 }) =>
    now.c > now.o && body(now) >= (least / 100) * range(now),
  bearish_marubozu: (now, _before, _first, { body: least = 0 }) =>
    now.c < now.o && body(now) >= (least / 100) * range(now),
};

const CANDLES: Readonly<Record<string, number>> = {
  morning_star: 3,
  evening_star: 3,
  three_white_soldiers: 3,
  three_black_crows: 3,
  bullish_engulfing: 2,
  bearish_engulfing: 2,
  bullish_harami: 2,
  bearish_harami: 2,
  piercing_line: 2,
  dark_cloud_cover: 2,
};

const RISING_BEFORE: readonly string[] = [
  'bearish_engulfing',
  'hanging_man',
  'shooting_star',
  'evening_star',
  'bearish_harami',
  'dark_cloud_cover',
];

const names = patternSchema.options.flatMap(({ shape }) => [...shape.pattern.values]);

/** Returns random bars of all shapes: bodies and shadows from none to nearly all of the range, opens near the body before. */
const shapedBars = (seed: number): BarColumns => {
  const random = randomNumbers(seed);
  const pick = (values: readonly number[]) => values[Math.floor(random() * values.length)] ?? 0;
  let [open, close, sign] = [100, 101, 1];
  const candles = Array.from({ length: 250 }, (): Prices => {
    sign = random() < 0.6 ? sign : -sign;
    const begin = close + pick([0, 0.5, 0.9, 1, -0.2]) * (open - close);
    const size = 0.5 + 3 * random();
    const filled = pick([0.02, 0.2, 0.62, 0.97]);
    const top = pick([0, 0.05, 0.5, 1]) * (1 - filled) * size;
    const end = begin + sign * filled * size;
    [open, close] = [begin, end];
    const high = Math.max(begin, end) + top;
    return [begin, high, high - size, end];
  });
  return barsAt(candles);
};

const thresholds = (pattern: PatternName, trend: number): Args => {
  const { pattern: _pattern, ago: _ago, ...args } = patternSchema.parse({ pattern });
  const plain = Object.entries(args).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return { ...Object.fromEntries(plain), ...('trend' in args && { trend }) };
};

test.each(names)('%s holds as its definition says', (pattern) => {
  let held = 0;
  fc.assert(
    fc.property(seeds, fc.constantFrom(0, 0, 5), fc.nat(2), (seed, trend, ago) => {
      const bars = shapedBars(seed);
      const candles = candlesOf(bars);
      const args = thresholds(pattern, trend);
      const back = CANDLES[pattern] ?? 1;
      const actual = conditionSeries({ pattern, ...args, ago }, bars);
      for (const [index, value] of actual.entries()) {
        if (value === undefined) continue;
        const at = (bars_ago: number) => candles[index - ago - bars_ago];
        const [now, before, first] = [at(0), at(1) ?? at(0), at(2) ?? at(0)];
        if (!now || !before || !first) throw new Error('it was evaluated too early');
        const sign = RISING_BEFORE.includes(pattern) ? 1 : -1;
        const [last, earlier] = [at(back)?.c ?? Number.NaN, at(back + (args.trend ?? 0))?.c ?? Number.NaN];
        const isMoved = !args.trend || sign * (last - earlier) > 0;
        const expected = DEFINITIONS[pattern](now, before, first, args) && isMoved;
        if (expected) held += 1;
        expect([index, value]).toEqual([index, expected]);
      }
    }),
    { numRuns },
  );
  expect(held).toBeGreaterThan(0);
});

const lists = (bars: BarColumns) => ({
  open: [...bars.open],
  high: [...bars.high],
  low: [...bars.low],
  close: [...bars.close],
});

/**
 * Returns the values of TA-Lib by bar; NaN where unknown. Its WebAssembly build shows two whole numbers of 32 bits as one
 * double: a second one below zero makes that no number, and hides the first.
 *
 * @param begin bar of the first value.
 */
const formsOf = (output: readonly number[], begin: number): number[] => {
  const values = output.flatMap((double) =>
    Number.isNaN(double) ? [Number.NaN, -1] : [...new Int32Array(new Float64Array([double]).buffer)],
  );
  return [...Array.from({ length: begin }, () => Number.NaN), ...values.slice(0, output.length - begin)];
};

/** Returns random bars in which every candle moves, since TA-Lib counts one that does not as a rising one. */
const movingBars = (seed: number): BarColumns => {
  const bars = randomBars(seed, 400, '1d', 4);
  const open = bars.open.map((value, index) => (value === bars.close[index] ? value * 1.0001 : value));
  return { ...bars, open, high: bars.high.map((value, index) => Math.max(value, open[index] ?? 0)) };
};

test('engulfing equals that of TA-Lib', () => {
  let held = 0;
  fc.assert(
    fc.property(seeds, (seed) => {
      const bars = movingBars(seed);
      const forms = formsOf(talib.CDLENGULFING(lists(bars)).output, 2);
      const bullish = conditionSeries({ pattern: 'bullish_engulfing' }, bars);
      const bearish = conditionSeries({ pattern: 'bearish_engulfing' }, bars);
      for (const [index, value] of forms.entries()) {
        if (Number.isNaN(value)) continue;
        if (value !== 0) held += 1;
        expect([index, bullish[index], bearish[index]]).toEqual([index, value > 0, value < 0]);
      }
    }),
    { numRuns },
  );
  expect(held).toBeGreaterThan(0);
});

type Lists = ReturnType<typeof lists>;

/**
 * Forms of TA-Lib that ask for an open beyond the candle before. Its WebAssembly build has no sizes of long and short
 * bodies, so that the forms which need them never hold there.
 */
const STRICTER: readonly [PatternName, (of: Lists) => { output: number[] }][] = [
  ['piercing_line', (of) => talib.CDLPIERCING(of)],
  ['dark_cloud_cover', (of) => talib.CDLDARKCLOUDCOVER({ ...of, penetration: 0.5 })],
];

test.each(STRICTER)('%s holds wherever that of TA-Lib does', (pattern, theirs) => {
  let held = 0;
  fc.assert(
    fc.property(seeds, (seed) => {
      const bars = shapedBars(seed);
      const actual = conditionSeries({ pattern, long_body: 0.01 }, bars);
      for (const [index, value] of formsOf(theirs(lists(bars)).output, 1).entries()) {
        if (value === 0 || Number.isNaN(value) || actual[index] === undefined) continue;
        held += 1;
        expect([index, actual[index]]).toEqual([index, true]);
      }
    }),
    { numRuns },
  );
  expect(held).toBeGreaterThan(0);
});

test('a hammer needs a fall before it unless the trend is 0, and a hanging man is the same after a rise', () => {
  const candle: Prices = [100, 100.2, 97, 100.1];
  const after = (closes: readonly number[], pattern: string, more: object = {}) =>
    conditionSeries({ pattern, ...more }, barsAt([...closes, candle])).at(-1);
  const fall = [108, 107, 106, 105, 104, 103, 102];
  const rise = fall.toReversed();
  expect([after(fall, 'hammer'), after(rise, 'hammer')]).toEqual([true, false]);
  expect([after(fall, 'hanging_man'), after(rise, 'hanging_man')]).toEqual([false, true]);
  expect(after(rise, 'hammer', { trend: 0 })).toBe(true);
});
