import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calculateBodyLength, Sha256Node, streamCollector } from '../../infra/bundle/sdk-stand-ins.ts';

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
