import { createECDH, randomBytes } from 'node:crypto';
import { encryptNotification } from '@block65/webcrypto-web-push';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { decryptWebPush } from '../../../infra/local/services/web-push-decrypt.ts';
import { fitted } from '../../../shared/channels/push-note.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

const receiver = () => {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return { keys, auth: randomBytes(16) };
};

/** RFC 8291, section 5 and appendix A. */
test('the message of RFC 8291 is decrypted', () => {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'));
  expect(keys.getPublicKey('base64url')).toBe(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  );
  const message = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  const plain = decryptWebPush({ keys, auth: bytes('BTBZMqHH6r4Tts7J_aSIgg') }, message);
  expect(plain.toString()).toBe('When I grow up, I want to be a watermelon');
});

test('only the subscription’s browser can read a message, and all messages have one length', async () => {
  const [one, other] = [receiver(), receiver()];
  const subscription = {
    endpoint: 'https://push.example/1',
    expirationTime: null,
    keys: { p256dh: one.keys.getPublicKey('base64url'), auth: one.auth.toString('base64url') },
  };
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3500 }), async (plain) => {
      const message = Buffer.from(await encryptNotification(subscription, plain));
      expect(message.length).toBe(4096);
      expect(decryptWebPush(one, message)).toEqual(Buffer.from(plain));
      expect(() => decryptWebPush(other, message)).toThrow();
      expect(() => decryptWebPush({ ...one, auth: other.auth }, message)).toThrow();
    }),
    { numRuns: 25 },
  );
});

test('any note fits a push message, shortened if necessary', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1000 }),
    fc.string({ unit: 'grapheme', maxLength: 1000 }),
    fc.constantFrom('"'.repeat(1000), '\u0001'.repeat(1000), '🚀'.repeat(500), 'a'.repeat(1000)),
  );
  fc.assert(
    fc.property(words, words, (title, body) => {
      const note = { deliveryId: 'd', title, body, data: { kind: 'signal_buy' }, urgent: true, ttlS: 1 };
      const cut = fitted(note);
      expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(3700);
      expect(title.startsWith(cut.title.replace(/…$/, ''))).toBe(true);
      if (cut.body === body) return;
      expect(cut.body.endsWith('…')).toBe(true);
      expect(body.startsWith(cut.body.slice(0, -1))).toBe(true);
      // One more character would exceed the limit.
      expect(Buffer.byteLength(JSON.stringify(cut))).toBeGreaterThan(3400);
    }),
  );
});
