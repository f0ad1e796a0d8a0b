import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BarColumns, barCount } from '../../../../shared/domain/candles/bars.ts';
import { warmUpOf } from '../../../../shared/domain/engine/backtest/warm-up.ts';
import { INDICATOR_ARGS } from '../../../../shared/domain/engine/indicators/args.ts';
import { DECLARATIONS, LABELS } from '../../../../shared/domain/engine/indicators/list.ts';
import { indicatorSchema } from '../../../../shared/domain/engine/indicators/operand.ts';
import { loadTalib, meanOf } from '../../../support/indicator-references.ts';
import { indicatorSeries, indicatorsSeries } from '../../../support/indicator-series.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { plainRules, rulesWith } from '../../../support/rules.ts';

const FOLDER = join(import.meta.dirname, 'indicators');
const files = readdirSync(FOLDER);

beforeAll(loadTalib);

test('every indicator has references', () => {
  expect(files).toEqual(
    Object.keys(DECLARATIONS)
      .map((name) => `${name.replaceAll('_', '-')}.ts`)
      .toSorted(),
  );
});

// Each file adds its tests.
for (const file of files) await import(join(FOLDER, file));

const windowOf = (values: Float64Array, end: number, length: number): number[] => [
  ...values.slice(end - length + 1, end + 1),
];

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
    const equal = new Float64Array(160).fill(price);
    const volume = new Float64Array(160).fill(3);
    const bars: BarColumns = {
      ...randomBars(5, 160),
      open: equal,
      high: equal,
      low: equal,
      close: equal,
      volume,
    };
    for (const indicator of ['vwap', 'anchored_vwap']) {
      const value = indicatorSeries({ indicator, source: 'close' }, bars).at(-1);
      expect([price, indicator, value]).toEqual([price, indicator, price]);
    }
    for (const length of [2, 3, 5, 7, 10, 14, 20, 50]) {
      const last = (json: object) => indicatorSeries({ ...json, source: 'close', length }, bars).at(-1);
      for (const indicator of [
        'sma',
        'wma',
        'ema',
        'rma',
        'hma',
        'dema',
        'tema',
        'zlema',
        'alma',
        'linreg',
      ]) {
        const value = last({ indicator });
        expect([price, length, indicator, value]).toEqual([price, length, indicator, price]);
      }
      expect([price, length, last({ indicator: 'stddev' })]).toEqual([price, length, 0]);
      expect([price, length, last({ indicator: 'cci' })]).toEqual([price, length, 0]);
    }
  }
});

test('an indicator has the same values whatever else rules compute', () => {
  const bars = randomBars(3, 200);
  const operands = Object.entries(LABELS)
    .flatMap(([indicator, { lines }]) => [
      { indicator },
      ...Object.keys(lines).map((output) => ({ indicator, output })),
    ])
    .flatMap((operand) => [operand, { ...operand, length: 7 }])
    .filter((operand) => indicatorSchema.safeParse(operand).success);
  const alone = operands.map((operand) => indicatorSeries(operand, bars));
  expect(indicatorsSeries(operands, bars)).toEqual(alone);
  expect(indicatorsSeries(operands.toReversed(), bars)).toEqual(alone.toReversed());
});

/** Returns the arguments of an indicator that are numbers of bars. */
const lengthsOf = ({ schema }: (typeof DECLARATIONS)[keyof typeof DECLARATIONS]): string[] => {
  const lengths = new Set<unknown>();
  const names: string[] = [];
  schema({
    ...INDICATOR_ARGS,
    length: (...args) => {
      const made = INDICATOR_ARGS.length(...args);
      lengths.add(made);
      return made;
    },
    operand: (name, args) => {
      names.push(...Object.keys(args).filter((key) => lengths.has(args[key])));
      return INDICATOR_ARGS.operand(name, args);
    },
  });
  return names;
};

test('each length of an indicator asks for bars before the first that is evaluated', () => {
  const warmUp = (left: object) => warmUpOf(plainRules(rulesWith({ left, op: 'gt', right: 0 })), '1m');
  const ignored = Object.entries(DECLARATIONS).flatMap(([indicator, declaration]) =>
    lengthsOf(declaration)
      .filter((name) => name !== 'minutes')
      .filter((name) => {
        const operand = { indicator, timeframe: '1w' };
        return warmUp({ ...operand, [name]: 490 }) < warmUp({ ...operand, [name]: 90 }) * 2;
      })
      .map((name) => `${indicator} ${name}`),
  );
  expect(ignored).toEqual([]);
});

test('averages do not drift over long series', () => {
  const bars = randomBars(11, 20_000);
  const at = barCount(bars) - 1;
  for (const length of [7, 200]) {
    const closes = windowOf(bars.close, at, length);
    const weighted = closes.reduce((sum, close, index) => sum + close * (index + 1), 0);
    const lastOf = (indicator: string) => indicatorSeries({ indicator, length }, bars).at(-1) ?? 0;
    expect(Math.abs(lastOf('sma') / meanOf(closes) - 1)).toBeLessThan(1e-14);
    expect(Math.abs(lastOf('wma') / (weighted / ((length * (length + 1)) / 2)) - 1)).toBeLessThan(1e-12);
  }
});
