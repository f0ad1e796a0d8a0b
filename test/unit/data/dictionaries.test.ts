import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import { DICTIONARIES, type DictionaryName } from '../../../shared/data/table/dictionaries.ts';
import { NewerRecordError } from '../../../shared/data/table/newer-record.ts';
import {
  hasDictionary,
  pack,
  packOrText,
  packParts,
  unpack,
  unpackJson,
  unpackOrParse,
} from '../../../shared/data/table/packed.ts';
import { writeForm } from '../../../shared/data/table/stored-form.ts';

beforeEach(() => writeForm('compact'));
afterAll(() => writeForm('listed'));

const NAMES: readonly DictionaryName[] = [
  'ledger',
  'order',
  'summary',
  'entries',
  'facts',
  'progress',
  'trade',
  'ledger_values',
  'summary_values',
];

const name = fc.constantFrom(...NAMES);
const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2_000 }), { maxLength: 30 });

test('the dictionaries are those with which stored records were written', () => {
  const digests = Object.entries(DICTIONARIES).map(([kind, { id, text }]) => [
    id,
    kind,
    createHash('sha256').update(text).digest('hex'),
  ]);
  // With another text, stored records cannot be read: add a dictionary with a new number instead.
  expect(digests).toEqual([
    [1, 'ledger', 'd9824b697995f09236f59981129225a320e2be3b25f58e845c944581e95d312d'],
    [2, 'order', '0d81c51409a128dadf65551eeec2f238acbfb573f969b7109b2532ea5533e4b3'],
    [3, 'summary', '1b6462dc7f39bd7e9661b8881efeaa1af19903c24a7fb862cbad3e8c53e9ade9'],
    [4, 'entries', 'c8d2a3a38ed22ff87603da5c17f38c21a94e3af822199993fbf9dcbab8f3cc74'],
    [5, 'facts', 'cbba8ddcecf1ae91cf6c688fb0a09481be73a942810abc21efe38100b903798d'],
    [6, 'progress', '1b39563156ede6dd4473aafd3c8dba41d2d0b85f6208342541a0d6ae029da951'],
    [7, 'trade', '1b0eef4632770ad6acde74603e0c1b10dd0e9ec2fdfe7f15d640d47b3805b2c3'],
    [8, 'ledger_values', '86afe3fdaa468b330e02a420512990f8fe61b95cd6eea2dff5bcb326b729da4e'],
    [9, 'summary_values', '13d8cf0c8622967880353e081135132b9c01dd7922a5ce7c524d1b55e0075aee'],
  ]);
  expect(Object.keys(DICTIONARIES)).toEqual(NAMES);
});

test('a record that was packed with a dictionary is read again, whole or in parts', () => {
  fc.assert(
    fc.property(name, texts, (kind, list) => {
      const stored: unknown = JSON.parse(JSON.stringify({ list }));
      const packed = pack({ list }, kind);
      expect(hasDictionary(packed)).toBe(true);
      expect(unpackJson(packed)).toEqual(stored);
      expect(unpackOrParse(packOrText({ list }, kind))).toEqual(stored);
      expect(unpackJson(packParts({ more: 1 }, { list: list.map((text) => [text]) }, kind))).toEqual({
        more: 1,
        list: list.map((text) => [text]),
      });
    }),
    { numRuns: 50 },
  );
});

test('what follows the mark is raw Deflate after the text of the dictionary', () => {
  for (const kind of NAMES) {
    const { id, text: dictionary } = DICTIONARIES[kind];
    const packed = pack({ kind, version: 1 }, kind);
    expect(packed[0]).toBe(id * 8 + 6);
    expect(inflateRawSync(packed.subarray(1), { dictionary }).toString()).toBe(
      JSON.stringify({ kind, version: 1 }),
    );
  }
});

test('a stream without a dictionary is not taken for one with a dictionary', () => {
  fc.assert(
    fc.property(texts, (list) => {
      expect(hasDictionary(pack({ list }))).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test.each(['packed', 'attributes'] as const)('the form %s uses no dictionary', (form) => {
  writeForm(form);
  for (const kind of NAMES) {
    expect(pack({ kind }, kind)).toEqual(pack({ kind }));
    expect(packOrText({ kind }, kind)).toBe(JSON.stringify({ kind }));
  }
});

test('a record with the dictionary of a newer version is left to that version', () => {
  const packed = Buffer.from(pack({ a: 1 }, 'order'));
  packed[0] = 31 * 8 + 6;
  expect(() => unpackJson(packed)).toThrow(NewerRecordError);
  expect(() => unpack(z.object({ a: z.number() }), packed)).toThrow(NewerRecordError);
});

test('a packed record that was cut off cannot be read', () => {
  const packed = pack({ list: Array.from({ length: 50 }, (_, index) => `${index * 7919}`) }, 'order');
  expect(() => unpackJson(packed.subarray(0, packed.length >> 1))).toThrow('unexpected end of file');
});
