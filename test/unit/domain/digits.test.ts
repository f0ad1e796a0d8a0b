import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { atDigits, shownFields, shownNumbers, takenNumbers } from '../../../shared/domain/digits.ts';

const nested = (depth: number): unknown => {
  let value: unknown = 0.1 + 0.2;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe('a number at 15 digits', () => {
  test.each([
    [0.1 + 0.2, 0.3],
    [95.94999999999999, 95.95],
    [100 / 3, 33.3333333333333],
    [2.9999999999999996, 3],
    [-1e-9 - 2e-25, -1e-9],
    [373_384_390_672_384, 373_384_390_672_384],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_VALUE, Number.MAX_VALUE],
    [123_456_789_012_345.67, 123_456_789_012_346],
    [Number.NaN, Number.NaN],
  ])('%d is %d', (value, expected) => {
    expect(atDigits(value)).toBe(expected);
  });

  test('has no more digits, whatever the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const expected = Number.isInteger(value) ? value : Number(value.toPrecision(15));
        expect(atDigits(value)).toBe(expected);
        expect(atDigits(atDigits(value))).toBe(atDigits(value));
      }),
    );
  });

  test('keeps every decimal of 15 digits', () => {
    const digits = fc.integer({ min: -(1e15 - 1), max: 1e15 - 1 });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 40 }), (whole, places) => {
        const value = Number(`${whole}e-${places}`);
        expect(atDigits(value)).toBe(value);
      }),
    );
  });
});

describe('the numbers of a JSON value', () => {
  test('are rounded at any place, and its texts keep their digits', () => {
    const value = { a: [1, { b: 0.1 + 0.2 }], c: '0.30000000000000004', d: null };
    expect(shownNumbers(value)).toEqual({ a: [1, { b: 0.3 }], c: '0.30000000000000004', d: null });
    expect(value.a[1]).toEqual({ b: 0.1 + 0.2 });
    expect(shownFields({ a: 0.1 + 0.2 })).toEqual({ a: 0.3 });
  });

  test('a value without noise stays the same', () => {
    const value = { a: [1, 0.3, { b: 'x' }] };
    expect(takenNumbers(value)).toBe(value);
  });

  test('an identifier with a fraction does not become another identifier', () => {
    expect(takenNumbers({ id: 373_384_390_672_384.5 })).toEqual({ id: 373_384_390_672_384.5 });
  });

  test('keys of every object do no harm', () => {
    const value: unknown = JSON.parse('{"__proto__": {"a": 0.30000000000000004}, "b": 1}');
    expect(JSON.stringify(takenNumbers(value))).toBe('{"__proto__":{"a":0.3},"b":1}');
  });

  test('a deep value is taken without its numbers', () => {
    expect(takenNumbers(nested(50))).not.toEqual(nested(50));
    const deep = nested(100_000);
    expect(takenNumbers(deep)).toBe(deep);
  });
});
