import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Bar, type BarColumns, columnsOf, sliceBars } from '../../../../shared/domain/candles/bars.ts';
import { candlesHash } from '../../../../shared/domain/candles/candles-hash.ts';
import { packBars, unpackBars } from '../../../../shared/domain/candles/packing.ts';

const DAY_MS = 86_400_000;

const start = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) });
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 100);
const double = fc.double({ noNaN: true });

const barsOf = (price: fc.Arbitrary<number>, volume: fc.Arbitrary<number>): fc.Arbitrary<BarColumns> =>
  fc
    .array(fc.record({ start, open: price, high: price, low: price, close: price, volume }), {
      maxLength: 40,
    })
    .map(columnsOf);

const anyBars = fc.oneof(barsOf(cents, fc.nat()), barsOf(double, double), barsOf(cents, double));

/** Returns a random walk with prices of two decimals. */
const walk = (count: number): BarColumns => {
  const bars: Bar[] = [];
  let close = 10_000;
  for (let index = 0; index < count; index++) {
    const step = (index * 7919) % 201;
    const open = close + (step % 7) - 3;
    close = open + step - 100;
    const high = Math.max(open, close) + (step % 13);
    const low = Math.min(open, close) - (step % 11);
    const volume = 1_000_000 + step * 9973;
    bars.push({
      start: index * DAY_MS,
      open: open / 100,
      high: high / 100,
      low: low / 100,
      close: close / 100,
      volume,
    });
  }
  return columnsOf(bars);
};

describe('packed bars', () => {
  test('unpack to the same doubles', () => {
    fc.assert(
      fc.property(anyBars, (bars) => {
        expect(unpackBars(packBars(bars))).toEqual(bars);
      }),
    );
  });

  test('keep a negative zero and the largest and smallest doubles', () => {
    const values = [-0, Number.MAX_VALUE, Number.MIN_VALUE, 0.1 + 0.2, 2 ** 53, 1e-12];
    const bars = columnsOf(
      values.map((value, index) => ({
        start: index,
        open: value,
        high: value,
        low: value,
        close: value,
        volume: value,
      })),
    );
    expect(unpackBars(packBars(bars))).toEqual(bars);
  });

  test('keep a negative zero among decimals', () => {
    const bar = { start: 0, open: -0, high: 1.5, low: -0, close: 0, volume: -0 };
    const bars = columnsOf([bar]);
    expect(unpackBars(packBars(bars))).toEqual(bars);
  });

  test('take at most 14 bytes a bar', () => {
    const bars = walk(5000);
    expect(packBars(bars).length / 5000).toBeLessThan(14);
  });

  test('of a newer version, or damaged, are refused', () => {
    const bytes = packBars(walk(3));
    expect(() => unpackBars(bytes.subarray(0, bytes.length - 4))).toThrow();
    expect(() => unpackBars(new Uint8Array())).toThrow();
  });
});

describe('the hash of candles', () => {
  test('does not depend on the parts', () => {
    const bars = walk(9000);
    const whole = candlesHash([bars]);
    expect(candlesHash([sliceBars(bars, 0, 1), sliceBars(bars, 1, 5000), sliceBars(bars, 5000)])).toBe(whole);
    expect(candlesHash([unpackBars(packBars(bars))])).toBe(whole);
  });

  test('changes with every value', () => {
    const bars = walk(50);
    const hashes = new Set([candlesHash([bars]), candlesHash([sliceBars(bars, 1)])]);
    for (const field of ['start', 'open', 'high', 'low', 'close', 'volume'] as const) {
      const changed = bars[field].slice();
      changed[25] = (changed[25] ?? 0) + 1;
      hashes.add(candlesHash([{ ...bars, [field]: changed }]));
    }
    expect(hashes.size).toBe(8);
  });
});
