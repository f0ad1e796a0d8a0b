import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fromAttributes, toAttributes } from '../../../shared/data/table/attributes.ts';

/** The edges refuse this key, and the SDK cannot pass it. */
const isKey = (name: string): boolean => name !== '__proto__';

/** Names that every object has, except `__proto__`, which no object literal can hold. */
const NAMES = Object.getOwnPropertyNames(Object.prototype).filter((name) => isKey(name));

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...NAMES)).filter(isKey), tie('any'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).any;

describe('an item in the form of DynamoDB', () => {
  test('is read back unchanged', () => {
    fc.assert(
      fc.property(value, (held) => {
        expect(fromAttributes(toAttributes({ held }))).toEqual({ held });
      }),
    );
  });

  test.each(NAMES)('accepts records with the key %s', (name) => {
    const item = { [name]: { [name]: 'text' }, brokers: { [name]: { name: 'a broker' } } };
    expect(fromAttributes(toAttributes(item))).toEqual(item);
  });

  test('accepts sets of numbers and of texts', () => {
    const item = { liked: new Set([3, 1]), words: new Set(['a', 'b']) };
    expect(fromAttributes(toAttributes(item))).toEqual(item);
  });

  test('omits undefined values at any depth', () => {
    expect(toAttributes({ a: undefined, b: { c: undefined, d: 1 } })).toEqual({
      b: { M: { d: { N: '1' } } },
    });
  });

  test('is read with sorted keys, in any order of storage', () => {
    const one = fromAttributes({ b: { M: { y: { S: '1' }, x: { S: '2' } } }, a: { NULL: true } });
    const other = fromAttributes({ a: { NULL: true }, b: { M: { x: { S: '2' }, y: { S: '1' } } } });
    expect(JSON.stringify(one)).toBe('{"a":null,"b":{"x":"2","y":"1"}}');
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
  });

  test.each([
    ['a date', new Date(0)],
    ['not a number', Number.NaN],
    ['a number that is not exact', 2 ** 53],
    ['a function', () => undefined],
    ['a set of several types', new Set(['a', 1])],
  ])('is refused with %s', (_what, held) => {
    expect(() => toAttributes({ held })).toThrow(/^a stored/);
  });
});
