import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Sha256Node } from '../../infra/bundle/sdk-stand-ins.ts';

const bytes = fc.oneof(fc.string(), fc.uint8Array());

test('requests are signed with what SHA-256 and its HMAC are, however the text comes', async () => {
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
        // A key that has been seen is not read again.
        const again = new Sha256Node(secret);
        for (const part of parts) again.update(part);
        expect(await again.digest()).toEqual(digest);
      },
    ),
  );
});

test('a hash that is reset begins anew', async () => {
  const hash = new Sha256Node();
  hash.update('something');
  hash.reset();
  hash.update('abc');
  const digest = Buffer.from(await hash.digest()).toString('hex');
  expect(digest).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
