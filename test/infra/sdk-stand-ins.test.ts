import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  calculateBodyLength,
  dateToUtcString,
  getHttpOperationBindings,
  parseEpochTimestamp,
  parseRfc3339DateTimeWithOffset,
  parseRfc7231DateTime,
  Sha256Node,
  streamCollector,
} from '../../infra/bundle/sdk-stand-ins.ts';

const bytes = fc.oneof(fc.string(), fc.uint8Array());

test('the SHA-256 and HMAC of requests equal those of Node, for texts in any number of parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.oneof(fc.string({ minLength: 1 }), fc.uint8Array({ minLength: 1 })), { nil: undefined }),
      fc.array(bytes, { maxLength: 4 }),
      async (secret, parts) => {
        const ours = new Sha256Node(secret);
        const known = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
        for (const part of parts) {
          ours.update(part);
          known.update(part);
        }
        const digest = await ours.digest();
        expect(Buffer.from(digest).toString('hex')).toBe(known.digest('hex'));
        // The second time the key comes from the cache.
        const again = new Sha256Node(secret);
        for (const part of parts) again.update(part);
        expect(await again.digest()).toEqual(digest);
      },
    ),
  );
});

test('a hash that is reset forgets its earlier input', async () => {
  const hash = new Sha256Node();
  hash.update('something');
  hash.reset();
  hash.update('abc');
  const digest = Buffer.from(await hash.digest()).toString('hex');
  expect(digest).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('the length of a body is counted in bytes', () => {
  expect(calculateBodyLength(undefined)).toBe(0);
  expect(calculateBodyLength('')).toBe(0);
  expect(calculateBodyLength('Zürich')).toBe(7);
  expect(calculateBodyLength(new Uint8Array(5))).toBe(5);
});

test('a response is collected completely, and its failure is passed on', async () => {
  const parts = ['in ', 'three ', 'parts'].map((part) => Buffer.from(part));
  expect(Buffer.from(await streamCollector(Readable.from(parts))).toString()).toBe('in three parts');
  expect(await streamCollector(Readable.from([]))).toHaveLength(0);
  const broken = new Readable({
    read() {
      this.destroy(new Error('the connection broke'));
    },
  });
  await expect(streamCollector(broken)).rejects.toThrow('the connection broke');
});

const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('2069-12-31'), noInvalidDate: true });

test('dates in texts and seconds are read', () => {
  fc.assert(
    fc.property(dates, (date) => {
      expect(parseEpochTimestamp(date.getTime() / 1000)).toEqual(date);
      expect(parseRfc3339DateTimeWithOffset(date.toISOString())).toEqual(date);
      const http = dateToUtcString(date);
      expect(parseRfc7231DateTime(http)?.getTime()).toBe(Math.floor(date.getTime() / 1000) * 1000);
    }),
  );
});

test.each([
  ['RFC 3339', parseRfc3339DateTimeWithOffset, '1994-11-06T08:49:37Z', 0],
  ['RFC 3339', parseRfc3339DateTimeWithOffset, '1994-11-06t08:49:37.25z', 250],
  ['RFC 3339', parseRfc3339DateTimeWithOffset, '1994-11-06T08:49:37.250999Z', 250],
  ['RFC 3339', parseRfc3339DateTimeWithOffset, '1994-11-06T10:19:37+01:30', 0],
  ['RFC 3339', parseRfc3339DateTimeWithOffset, '1994-11-05T23:49:37-09:00', 0],
  ['HTTP', parseRfc7231DateTime, 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['HTTP', parseRfc7231DateTime, 'Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['HTTP', parseRfc7231DateTime, 'Sun Nov  6 08:49:37 1994', 0],
  ['seconds', parseEpochTimestamp, '784111777.25', 250],
])('a date of %s is read: %#', (_, parse, text, milliseconds) => {
  expect(parse(text)).toEqual(new Date(Date.UTC(1994, 10, 6, 8, 49, 37, milliseconds)));
});

test.each([
  ['RFC 3339', parseRfc3339DateTimeWithOffset],
  ['HTTP', parseRfc7231DateTime],
  ['seconds', parseEpochTimestamp],
])('a date of %s is not read from nothing, and another text is refused', (_, parse) => {
  expect(parse(undefined)).toBeUndefined();
  expect(parse(null)).toBeUndefined();
  expect(() => parse('soon')).toThrow(TypeError);
});

test('a date is written in the form of HTTP', () => {
  expect(dateToUtcString(new Date('1994-11-06T08:49:37.999Z'))).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
});

test('an operation has no prefix of its host, or cannot be sent', () => {
  expect(getHttpOperationBindings({ traits: 0 })).toEqual([]);
  expect(() => getHttpOperationBindings({ traits: { endpoint: ['{account}.'] } })).toThrow('left out');
});
