import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import * as talib from 'talib-web';
import { type BarColumns, barCount } from '../../../../shared/domain/candles/bars.ts';
import { indicatorSeries } from '../../../support/indicator-series.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { soakable } from '../../../support/soak.ts';

const BARS = 420;
const numRuns = soakable(6, 120);

beforeAll(async () => {
  // The library fetches its code, and fetch reads no files.
  const file = createRequire(import.meta.url).resolve('talib-web/lib/talib.wasm');
  const code = await readFile(file);
  await talib.init(`data:application/wasm;base64,${code.toString('base64')}`);
});

const listsOf = (bars: BarColumns) => ({
  high: [...bars.high],
  low: [...bars.low],
  close: [...bars.close],
  volume: [...bars.volume],
});

const lengths = fc.integer({ min: 5, max: 60 });
const seeds = fc.nat();

/** Expects equal values from the bar `from` on. The expected list begins with the value of the bar `begin`. */
const expectSeries = (
  actual: readonly number[],
  expected: readonly number[],
  { begin, from = begin, tolerance = 1e-8 }: { begin: number; from?: number; tolerance?: number },
) => {
  const wrong = actual.flatMap((value, index) => {
    if (index < from) return [];
    const other = expected[index - begin] ?? Number.NaN;
    return Math.abs(value - other) <= tolerance * Math.max(1, Math.abs(other))
      ? []
      : [{ index, value, other }];
  });
  expect(wrong).toEqual([]);
};

type Lists = ReturnType<typeof listsOf>;
type Row = [
  name: string,
  json: (length: number) => object,
  expected: (lists: Lists, timePeriod: number) => { output: number[] },
  /** First bar with a value, with which TA-Lib's list begins. */
  first: (length: number) => number,
];

const of = (indicator: string) => (length: number) => ({ indicator, length });

const rows: Row[] = [
  ['sma', of('sma'), (l, timePeriod) => talib.SMA({ inReal: l.close, timePeriod }), (n) => n - 1],
  ['ema', of('ema'), (l, timePeriod) => talib.EMA({ inReal: l.close, timePeriod }), (n) => n - 1],
  ['wma', of('wma'), (l, timePeriod) => talib.WMA({ inReal: l.close, timePeriod }), (n) => n - 1],
  ['rsi', of('rsi'), (l, timePeriod) => talib.RSI({ inReal: l.close, timePeriod }), (n) => n],
  ['roc', of('roc'), (l, timePeriod) => talib.ROC({ inReal: l.close, timePeriod }), (n) => n],
  ['cci', of('cci'), (l, timePeriod) => talib.CCI({ ...l, timePeriod }), (n) => n - 1],
  ['mfi', of('mfi'), (l, timePeriod) => talib.MFI({ ...l, timePeriod }), (n) => n],
  ['highest', of('highest'), (l, timePeriod) => talib.MAX({ inReal: l.high, timePeriod }), (n) => n - 1],
  ['lowest', of('lowest'), (l, timePeriod) => talib.MIN({ inReal: l.low, timePeriod }), (n) => n - 1],
  ['obv', () => ({ indicator: 'obv' }), (l) => talib.OBV({ inReal: l.close, volume: l.volume }), () => 0],
  ['psar', () => ({ indicator: 'psar' }), (l) => talib.SAR({ high: l.high, low: l.low }), () => 1],
];

test.each(rows)('%s equals that of TA-Lib on random bars', (_, json, expected, first) => {
  fc.assert(
    fc.property(seeds, lengths, (seed, length) => {
      const bars = randomBars(seed, BARS);
      const actual = indicatorSeries(json(length), bars);
      const begin = first(length);
      expect(actual.findIndex((value) => !Number.isNaN(value))).toBe(begin);
      expectSeries(actual, expected(listsOf(bars), length).output, { begin });
    }),
    { numRuns },
  );
});

/** Lengths whose seeds have faded after 300 bars. */
const shortLengths = fc.integer({ min: 5, max: 14 });

const seeded: Row[] = [
  ['atr', of('atr'), (l, timePeriod) => talib.ATR({ ...l, timePeriod }), (n) => n],
  ['adx', of('adx'), (l, timePeriod) => talib.ADX({ ...l, timePeriod }), (n) => 2 * n - 1],
  [
    'plus_di',
    (length) => ({ indicator: 'adx', length, output: 'plus_di' }),
    (l, timePeriod) => talib.PLUS_DI({ ...l, timePeriod }),
    (n) => n,
  ],
  [
    'macd',
    (length) => ({ indicator: 'macd', fast: length, slow: length + 9, signal: 9 }),
    (l, n) => ({
      output: talib.MACD({ inReal: l.close, fastPeriod: n, slowPeriod: n + 9, signalPeriod: 9 }).MACD,
    }),
    (n) => n + 9 + 9 - 2,
  ],
];

test.each(seeded)('%s equals that of TA-Lib after 300 bars', (_, json, expected, first) => {
  fc.assert(
    fc.property(seeds, shortLengths, (seed, length) => {
      const bars = randomBars(seed, BARS);
      const actual = indicatorSeries(json(length), bars);
      const begin = first(length);
      expectSeries(actual, expected(listsOf(bars), length).output, { begin, from: 300, tolerance: 1e-6 });
    }),
    { numRuns },
  );
});

const windowOf = (values: Float64Array, end: number, length: number): number[] => [
  ...values.slice(end - length + 1, end + 1),
];
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]): number => {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
};

const direct: [
  string,
  (length: number) => object,
  (bars: BarColumns, end: number, length: number) => number,
][] = [
  ['stddev', of('stddev'), (bars, end, length) => deviation(windowOf(bars.close, end, length))],
  [
    'bollinger lower',
    (length) => ({ indicator: 'bollinger', length, deviations: 2.5, output: 'lower' }),
    (bars, end, length) => {
      const closes = windowOf(bars.close, end, length);
      return mean(closes) - 2.5 * deviation(closes);
    },
  ],
  [
    'stochastic k',
    (length) => ({ indicator: 'stochastic', length, smooth: 1 }),
    (bars, end, length) => {
      const low = Math.min(...windowOf(bars.low, end, length));
      const high = Math.max(...windowOf(bars.high, end, length));
      return high === low ? 0 : (((bars.close[end] ?? 0) - low) / (high - low)) * 100;
    },
  ],
  [
    'rolling vwap',
    (length) => ({ indicator: 'vwap', length, source: 'close' }),
    (bars, end, length) => {
      const volumes = windowOf(bars.volume, end, length);
      const money = windowOf(bars.close, end, length).map((close, index) => close * (volumes[index] ?? 0));
      return mean(money) / mean(volumes);
    },
  ],
];

test.each(direct)('%s equals its direct computation', (_, json, expected) => {
  fc.assert(
    fc.property(seeds, lengths, (seed, length) => {
      const bars = randomBars(seed, BARS);
      const actual = indicatorSeries(json(length), bars);
      const values = Array.from({ length: barCount(bars) }, (__, end) =>
        end < length - 1 ? Number.NaN : expected(bars, end, length),
      );
      expect(actual.slice(0, length - 1).every(Number.isNaN)).toBe(true);
      expectSeries(actual, values, { begin: 0, from: length - 1, tolerance: 1e-7 });
    }),
    { numRuns },
  );
});

test('a window of equal prices has the price as its average, no deviation and no channel index', () => {
  const flat = (price: number, count: number) => new Float64Array(count).fill(price);
  const moving = randomBars(5, 100);
  const prices = (name: 'open' | 'high' | 'low' | 'close') =>
    Float64Array.of(...moving[name], ...flat(0.1, 50));
  const bars: BarColumns = {
    start: Float64Array.from({ length: 150 }, (_, index) => index * 86_400_000),
    open: prices('open'),
    high: prices('high'),
    low: prices('low'),
    close: prices('close'),
    volume: flat(0, 150),
  };
  const last = (json: object) => indicatorSeries(json, bars).at(-1);
  expect(last({ indicator: 'sma', length: 20 })).toBe(0.1);
  expect(last({ indicator: 'stddev', length: 20 })).toBe(0);
  expect(last({ indicator: 'cci', length: 20, source: 'close' })).toBe(0);
  expect(last({ indicator: 'stochastic', length: 20 })).toBe(0);
  expect(last({ indicator: 'mfi', length: 20 })).toBe(100);
  expect(last({ indicator: 'vwap', length: 20 })).toBeNaN();
});

test('averages of equal prices are the price, whatever the price and the length', () => {
  for (const price of [0.07, 1.1, 10.01, 19.99, 100.07, 183.31]) {
    const equal = new Float64Array(60).fill(price);
    const bars: BarColumns = { ...randomBars(5, 60), open: equal, high: equal, low: equal, close: equal };
    for (const length of [2, 3, 5, 7, 10, 14, 20, 50]) {
      const last = (json: object) => indicatorSeries({ ...json, source: 'close', length }, bars).at(-1);
      expect([price, length, last({ indicator: 'sma' })]).toEqual([price, length, price]);
      expect([price, length, last({ indicator: 'wma' })]).toEqual([price, length, price]);
      expect([price, length, last({ indicator: 'stddev' })]).toEqual([price, length, 0]);
      expect([price, length, last({ indicator: 'cci' })]).toEqual([price, length, 0]);
    }
  }
});

test('averages do not drift over long series', () => {
  const bars = randomBars(11, 20_000);
  const at = barCount(bars) - 1;
  for (const length of [7, 200]) {
    const closes = windowOf(bars.close, at, length);
    const weighted = closes.reduce((sum, close, index) => sum + close * (index + 1), 0);
    const lastOf = (indicator: string) => indicatorSeries({ indicator, length }, bars).at(-1) ?? 0;
    expect(Math.abs(lastOf('sma') / mean(closes) - 1)).toBeLessThan(1e-14);
    expect(Math.abs(lastOf('wma') / (weighted / ((length * (length + 1)) / 2)) - 1)).toBeLessThan(1e-12);
  }
});
