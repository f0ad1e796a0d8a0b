import { expect, test } from '@jest/globals';
import { createRandom } from '../../../shared/random.ts';

const LENGTHS = [2, 16, 7, 32, 1, 16, 1000, 3];

test('random bytes have the length asked for, and no short ones are given twice', () => {
  const random = createRandom();
  const given = Array.from({ length: 400 }, (_, n) => random(LENGTHS[n % LENGTHS.length] ?? 16));
  expect(given.map(({ length }) => length)).toEqual(given.map((_, n) => LENGTHS[n % LENGTHS.length]));
  const texts = given.filter(({ length }) => length === 16).map((bytes) => bytes.toString('hex'));
  expect(new Set(texts).size).toBe(100);
  // Each byte of those drawn at once belongs to one caller.
  const places = given
    .filter(({ length }) => length <= 16)
    .map(({ buffer, byteOffset, length }) => ({ buffer, from: byteOffset, to: byteOffset + length }));
  for (const [n, { buffer, from, to }] of places.entries()) {
    const later = places.slice(n + 1).filter((other) => other.buffer === buffer);
    expect(later.filter((other) => other.from < to && other.to > from)).toEqual([]);
  }
});
