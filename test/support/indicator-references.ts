import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import * as talib from 'talib-web';
import { type BarColumns, barCount, columnsOf } from '../../shared/domain/candles/bars.ts';
import { readText } from '../oracle/cases.ts';
import { indicatorSeries } from './indicator-series.ts';
import { randomBars } from './random-bars.ts';
import { soakable } from './soak.ts';

const BARS = 420;
const DATA = join(import.meta.dirname, '../unit/domain/engine/data');
const numRuns = soakable(4, 100);

/** Loads TA-Lib, whose code its library fetches: fetch reads no files. */
export const loadTalib = async (): Promise<void> => {
  const file = createRequire(import.meta.url).resolve('talib-web/lib/talib.wasm');
  const code = await readFile(file);
  await talib.init(`data:application/wasm;base64,${code.toString('base64')}`);
};

const realBars = (file: string): BarColumns => {
  const rows = readText(join(DATA, file)).trim().split('\n').slice(1);
  return columnsOf(
    rows.slice(-2_000).map((row, index) => {
      const [open = 0, high = 0, low = 0, close = 0, volume = 0] = row.split(',').slice(1).map(Number);
      return { start: index * 86_400_000, open, high, low, close, volume };
    }),
  );
};

const slice = (bars: BarColumns, from: number): BarColumns => ({
  start: bars.start.slice(from, from + BARS),
  open: bars.open.slice(from, from + BARS),
  high: bars.high.slice(from, from + BARS),
  low: bars.low.slice(from, from + BARS),
  close: bars.close.slice(from, from + BARS),
  volume: bars.volume.slice(from, from + BARS),
});

const REAL = { spy: realBars('spy-1d.lean.csv.gz'), btcusd: realBars('btcusd-1d.lean.csv.gz') };

type Kind = 'random' | keyof typeof REAL;

/** Bars of a random walk, or a stretch of real bars. */
const barsOf = (kind: Kind, seed: number): BarColumns => {
  if (kind === 'random') return randomBars(seed, BARS);
  return slice(REAL[kind], seed % (barCount(REAL[kind]) - BARS));
};

/** Columns of bars as lists, as libraries take them. */
export interface Lists {
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  readonly volume: number[];
}

interface Reference {
  /** Operand with a window of some bars. */
  readonly operand: (length: number) => object;
  /** Values by bar; NaN, null or undefined without one. */
  readonly values: (bars: Lists, length: number) => readonly (number | null | undefined)[];
  /** Bar of the list's first value, if it does not begin with the first bar. */
  readonly begin?: (length: number) => number;
  readonly lengths?: { readonly min: number; readonly max: number };
  /** Bar from which values are equal: another program has another seed, whose effect fades. Otherwise from the first value on. */
  readonly settled?: number;
  readonly tolerance?: number;
}

/** Adds a test that compares an indicator with a reference. */
export const compare = (
  title: string,
  { operand, values, begin = () => 0, lengths = { min: 5, max: 60 }, settled, tolerance = 1e-8 }: Reference,
): void => {
  test(`${title}${settled === undefined ? '' : ` after ${settled} bars`}`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Kind[]>('random', 'spy', 'btcusd'),
        fc.nat(),
        fc.integer(lengths),
        (kind, seed, length) => {
          const bars = barsOf(kind, seed);
          const actual = indicatorSeries(operand(length), bars);
          const { open, high, low, close, volume } = bars;
          const lists = {
            open: [...open],
            high: [...high],
            low: [...low],
            close: [...close],
            volume: [...volume],
          };
          const given = values(lists, length);
          const expected = actual.map((_, bar) => given[bar - begin(length)] ?? Number.NaN);
          if (settled === undefined) {
            expect(actual.findIndex(Number.isFinite)).toBe(expected.findIndex(Number.isFinite));
          }
          const wrong = actual.flatMap((value, bar) => {
            const other = expected[bar] ?? Number.NaN;
            if (bar < (settled ?? 0) || Object.is(value, other)) return [];
            return Math.abs(value - other) <= tolerance * Math.max(1, Math.abs(other))
              ? []
              : [{ bar, value, other }];
          });
          expect(wrong).toEqual([]);
          expect(actual.filter(Number.isFinite).length).toBeGreaterThan(100);
        },
      ),
      { numRuns },
    );
  });
};

/** Returns a function of the last `length` values of each bar; NaN before. */
export const rolling = (
  values: readonly number[],
  length: number,
  of: (window: readonly number[]) => number,
): number[] =>
  values.map((_, bar) => {
    const window = values.slice(Math.max(0, bar - length + 1), bar + 1);
    return window.length < length || window.some(Number.isNaN) ? Number.NaN : of(window);
  });

/** Returns a function of two series by bar. */
export const zip = (
  left: readonly number[],
  right: readonly number[],
  of: (a: number, b: number) => number,
): number[] => left.map((value, bar) => of(value, right[bar] ?? Number.NaN));

/** Returns the values of some bars before. */
export const lag = (values: readonly number[], bars: number): number[] =>
  values.map((_, bar) => values[bar - bars] ?? Number.NaN);

export const sumOf = (window: readonly number[]): number => window.reduce((sum, value) => sum + value, 0);
export const meanOf = (window: readonly number[]): number => sumOf(window) / window.length;
export const deviationOf = (window: readonly number[]): number => {
  const mean = meanOf(window);
  return Math.sqrt(meanOf(window.map((value) => (value - mean) ** 2)));
};
export const weightedMeanOf = (window: readonly number[]): number =>
  sumOf(window.map((value, index) => value * (index + 1))) / ((window.length * (window.length + 1)) / 2);

/** Returns an average that moves by a part of the distance, seeded with the mean of its first `length` values. */
export const smoothed = (values: readonly number[], length: number, weight = 2 / (length + 1)): number[] => {
  const begin = values.findIndex((value) => !Number.isNaN(value)) + length - 1;
  let last = Number.NaN;
  return values.map((value, bar) => {
    if (bar === begin) last = meanOf(values.slice(begin - length + 1, begin + 1));
    else if (bar > begin) last += weight * (value - last);
    return last;
  });
};

/** Returns true ranges; that of the first bar is NaN. */
export const trueRanges = ({ high, low, close }: Lists): number[] =>
  high.map((top, bar) => {
    const before = close[bar - 1] ?? Number.NaN;
    return Math.max(top, before) - Math.min(low[bar] ?? Number.NaN, before);
  });

interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Returns bars as records, as libraries take them. */
export const candlesOf = ({ open, high, low, close, volume }: Lists): Candle[] =>
  close.map((price, bar) => ({
    open: open[bar] ?? Number.NaN,
    high: high[bar] ?? Number.NaN,
    low: low[bar] ?? Number.NaN,
    close: price,
    volume: volume[bar] ?? Number.NaN,
  }));

/** Fits a line to a window by least squares. `end` is its value at the newest bar, `rest` the sum of the squares that it leaves. */
export const lineOf = (window: readonly number[]) => {
  const middle = (window.length - 1) / 2;
  const mean = meanOf(window);
  const slope =
    sumOf(window.map((y, i) => (i - middle) * (y - mean))) / sumOf(window.map((_, i) => (i - middle) ** 2));
  const rest = sumOf(window.map((y, i) => (y - mean - slope * (i - middle)) ** 2));
  return { mean, slope, end: mean + slope * middle, rest };
};

/** Returns the relative strength of prices, smoothed as Wilder does. */
export const strengthOf = (close: readonly number[], length: number): number[] => {
  const change = zip(close, lag(close, 1), (a, b) => a - b);
  const [up, down] = [1, -1].map((sign) =>
    smoothed(
      change.map((x) => Math.max(0, sign * x)),
      length,
      1 / length,
    ),
  );
  if (!up || !down) throw new Error('there is no change');
  return zip(up, down, (a, b) => (b === 0 ? 100 : 100 - 100 / (1 + a / b)));
};
