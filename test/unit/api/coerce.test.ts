import * as z from 'zod';
import { coerceStrings, parseInteger } from '../../../shared/api/coerce.ts';
import { integer } from '../../../shared/api/fields.ts';
import { computesLessThan } from '../../support/durations.ts';
import oracle from '../data/integers.json' with { type: 'json' };

const cases = oracle.cases.map(([text = '', value]) => ({ text: text ?? '', value }));

describe('parseInteger', () => {
  test.each(cases)('reads $text like the contract’s stack', ({ text, value }) => {
    const expected = typeof value === 'string' ? Number(value) : undefined;
    const parsed = parseInteger(text);
    expect(parsed === undefined ? parsed : parsed + 0).toBe(expected === undefined ? expected : expected + 0);
  });

  test('reads the decimal digits of every script', () => {
    for (const zero of oracle.digitRuns) {
      const digits = Array.from({ length: 10 }, (_, value) => String.fromCodePoint(zero + value));
      expect(digits.map(parseInteger)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(parseInteger(digits.toReversed().join(''))).toBe(9_876_543_210);
    }
  });

  test('reads as many digits as the contract’s stack', () => {
    expect(parseInteger('9'.repeat(oracle.maxDigits))).toBe(Number.MAX_VALUE);
    expect(parseInteger(`-${'9'.repeat(oracle.maxDigits)}`)).toBe(-Number.MAX_VALUE);
    expect(parseInteger('1_'.repeat(oracle.maxDigits - 1).concat('1'))).toBe(Number.MAX_VALUE);
    expect(parseInteger('0'.repeat(oracle.maxDigits + 1))).toBeUndefined();
    expect(parseInteger('1'.repeat(oracle.maxDigits + 1))).toBeUndefined();
  });

  test('takes time proportional to the length of the text', () =>
    computesLessThan(1000, async () => {
      for (const part of [' ', '1', '1_', '𝟿', '\u3000']) parseInteger(`${part.repeat(200_000)}x`);
    }));
});

describe('coerceStrings', () => {
  const schema = z.object({
    count: integer({ min: 1 }).default(1),
    id: integer().optional(),
    flag: z.boolean().default(false),
    limit: integer().nullish(),
    name: z.string(),
    mode: z.enum(['live', 'virtual']).optional(),
  });

  test('converts texts to the types that the schema declares, also within wrappers', () => {
    expect(
      coerceStrings(schema, { count: '007', id: ' +7', limit: '1_0', flag: 'Yes', name: '7', mode: 'live' }),
    ).toEqual({ count: 7, id: 7, limit: 10, flag: true, name: '7', mode: 'live' });
  });

  test('keeps a text that does not match its type, so that the schema reports it', () => {
    expect(coerceStrings(schema, { count: '', id: '1.5', flag: 'maybe', name: '' })).toEqual({
      count: '',
      id: '1.5',
      flag: 'maybe',
      name: '',
    });
  });

  test('drops fields that the schema does not name', () => {
    expect(coerceStrings(schema, { name: 'a', constructor: 'x', other: 'y' })).toEqual({ name: 'a' });
  });

  test.each(['1', 'true', 'TRUE', 't', 'yes', 'Y', 'on', 'On'])('reads %s as true', (flag) => {
    expect(coerceStrings(schema, { flag })).toEqual({ flag: true });
  });

  test.each(['0', 'false', 'False', 'f', 'no', 'N', 'off', 'OFF'])('reads %s as false', (flag) => {
    expect(coerceStrings(schema, { flag })).toEqual({ flag: false });
  });

  test.each(['', ' true', '2', 'ja', 'null', 'tru'])('does not read %p as a boolean', (flag) => {
    expect(coerceStrings(schema, { flag })).toEqual({ flag });
  });
});
