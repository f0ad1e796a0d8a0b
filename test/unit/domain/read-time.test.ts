import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readTime, readTimeOrDay } from '../../../shared/domain/read-time.ts';

test.each([
  ['2026-03-02T10:00:00Z', '2026-03-02T10:00:00.000Z'],
  ['2026-03-02t10:00z', '2026-03-02T10:00:00.000Z'],
  ['2026-03-02 15:30:00+05:30', '2026-03-02T10:00:00.000Z'],
  ['2026-03-02T04:30:00.123456789-0530', '2026-03-02T10:00:00.123Z'],
  ['2024-02-29T23:59:59,5Z', '2024-02-29T23:59:59.500Z'],
])('%s is %s', (text, expected) => {
  expect(new Date(readTime(text) ?? Number.NaN).toISOString()).toBe(expected);
});

test.each([
  '2026-02-29T10:00:00Z',
  '2026-04-31T10:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T10:60:00Z',
  '2026-03-02T10:00:00',
  '2026-03-02T10:00:00+24:00',
  '2026-03-02T10:00:00+05:60',
  '2026-03-02T10:00.5Z',
  '2026-03-02',
  '1772445600',
  'yesterday',
  '',
])('%j is no time', (text) => {
  expect(readTime(text)).toBeUndefined();
});

test('a day counts from its start in UTC where it is taken', () => {
  expect(readTimeOrDay('2024-02-29')).toBe(Date.parse('2024-02-29T00:00:00Z'));
  expect(readTimeOrDay('2026-02-29')).toBeUndefined();
});

test('every time is read as it was written, in every offset', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true }),
      fc.integer({ min: -840, max: 840 }),
      (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const zone = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':');
        expect(readTime(`${local}${minutes < 0 ? '-' : '+'}${zone}`)).toBe(date.getTime());
      },
    ),
  );
});
