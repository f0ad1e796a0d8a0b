import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { RETURN_POINTS, returnCurve } from '../../../shared/domain/metrics/return-curve.ts';

describe('the return curve of cards', () => {
  test('has returns since the first point, in percent', () => {
    expect(returnCurve(['10000', '10100', '9900', '11000'])).toEqual([0, 1, -1, 10]);
  });

  test('shows a small range with more decimals than a large one', () => {
    expect(returnCurve(['10000', '10000.5', '10001.234'])).toEqual([0, 0.005, 0.0123]);
    expect(returnCurve(['3', '4', '9'])).toEqual([0, 33, 200]);
  });

  test('of a flat equity is flat, and has no negative zero', () => {
    expect(returnCurve(['100', '100'])).toEqual([0, 0]);
    const [, , third] = returnCurve(['100', '200', '99.9999']);
    expect(Object.is(third, 0)).toBe(true);
  });

  test.each([
    ['no point', []],
    ['one point', ['100']],
    ['no starting capital', ['0', '10']],
  ])('is empty with %s', (_case, equity) => {
    expect(returnCurve(equity)).toEqual([]);
  });

  test('keeps the first and the last point of a long curve, its high and its low, and a bounded size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 500 }),
        (equity) => {
          const curve = returnCurve(equity.map(String));
          expect(curve.length).toBeLessThanOrEqual(Math.min(RETURN_POINTS, equity.length));
          expect(curve.length).toBeGreaterThan(Math.min(RETURN_POINTS, equity.length) / 2);
          const [first = 1, last = 1] = [equity[0], equity.at(-1)];
          const returns = equity.map((each) => (each / first - 1) * 100);
          const range = Math.max(...returns) - Math.min(...returns);
          expect(curve[0]).toBe(0);
          for (const extreme of [Math.max, Math.min]) {
            expect(Math.abs(extreme(...curve) - extreme(...returns))).toBeLessThanOrEqual(
              Math.max(1, range / 100),
            );
          }
          expect(Math.abs((curve.at(-1) ?? 0) - (last / first - 1) * 100)).toBeLessThanOrEqual(
            Math.max(1, range / 100),
          );
        },
      ),
    );
  });
});
