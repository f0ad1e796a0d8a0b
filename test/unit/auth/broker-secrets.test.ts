import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  isBrokerSecret,
  matchBrokerSecret,
  newBrokerSecret,
  subdomainOfSecret,
} from '../../../shared/auth/broker-secrets.ts';
import { fingerprint } from '../../../shared/auth/key-ring.ts';
import { subdomainOf } from '../../../shared/domain/broker-names.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const nowS = NOW.getTime() / 1000;

describe("a broker's secret", () => {
  test('has 256 random bits after the sub-domain', () => {
    const secret = newBrokerSecret('north', randomBytes);
    const [, , proof = ''] = secret.split('.');
    expect(Buffer.from(proof, 'base64url')).toHaveLength(32);
    expect([isBrokerSecret(secret), subdomainOfSecret(secret)]).toEqual([true, 'north']);
    expect(newBrokerSecret('north', randomBytes)).not.toBe(secret);
  });

  test.each(['', 'hub_bs.north.short', 'hub_bs.North.x', `hub_bs..${'a'.repeat(43)}`, 'eyJh.eyJz.sig'])(
    'is not %p',
    (text) => {
      expect(subdomainOfSecret(text)).toBeUndefined();
    },
  );

  test('matches by its fingerprint; the previous one matches while it is valid', () => {
    const [present, previous, other] = [1, 2, 3].map(() => newBrokerSecret('north', randomBytes));
    if (!present || !previous || !other) throw new Error('there are three');
    const held = (valid_until: number) => ({
      secret: fingerprint(present),
      previous_secret: { fingerprint: fingerprint(previous), valid_until },
    });
    expect(matchBrokerSecret(held(nowS + 1), present, NOW)).toBe('present');
    expect(matchBrokerSecret(held(nowS + 1), previous, NOW)).toBe('previous');
    expect(matchBrokerSecret(held(nowS), previous, NOW)).toBeUndefined();
    expect(matchBrokerSecret(held(nowS + 1), other, NOW)).toBeUndefined();
    expect(matchBrokerSecret({}, present, NOW)).toBeUndefined();
  });
});

test.each([
  ['North Broker', 'north-broker'],
  ['  Société Générale & Co. ', 'societe-generale-co'],
  ['x', 'x'],
  ['ＦＵＬＬ', 'full'],
  ['a'.repeat(70), 'a'.repeat(63)],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ['東京', undefined],
  ['WWW', undefined],
  ['---', undefined],
])('the name %p gives the sub-domain %p', (name, subdomain) => {
  expect(subdomainOf(name)).toBe(subdomain);
});
