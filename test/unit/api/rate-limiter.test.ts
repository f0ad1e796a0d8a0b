import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as z from 'zod';
import { defineOperation } from '../../../shared/api/operation.ts';
import { rateHeaders } from '../../../shared/api/rate-headers.ts';
import { rateKeyOf } from '../../../shared/api/rate-key.ts';
import { type RateKey, RateLimiter } from '../../../shared/api/rate-limiter.ts';

const LIMITS = {
  window_s: 10,
  credential: { read: 3, write: 2, work: 1 },
  network: { read: 5, write: 4, work: 2 },
};
const NOW = Date.parse('2026-03-02T10:00:00Z');
const salt = Buffer.alloc(32, 1);

const limiter = () => new RateLimiter(LIMITS, salt);
const user = (name: string): RateKey => ({ verified: name, network: '198.51.100.0/24' });
const claim = (name: string): RateKey => ({ claimed: name, network: '198.51.100.0/24' });

test('a verified caller has a quota per class in a window that begins with the first request', () => {
  const limits = limiter();
  const read = (at: number) => limits.admit('read', user('ada'), NOW + at);
  expect(rateHeaders(read(0))).toEqual({
    'ratelimit-policy': '"read";q=3;w=10',
    ratelimit: '"read";r=2;t=10',
  });
  expect([read(2500), read(9000)].map((one) => rateHeaders(one))).toMatchObject([
    { ratelimit: '"read";r=1;t=8' },
    { ratelimit: '"read";r=0;t=1' },
  ]);
  expect(read(9999)).toMatchObject({ isAdmitted: false, remaining: 0, resetS: 1 });
  expect(limits.admit('write', user('ada'), NOW + 9999)).toMatchObject({ isAdmitted: true, remaining: 1 });
  expect(read(10_000)).toMatchObject({ isAdmitted: true, remaining: 2, resetS: 10 });
});

test('a clock that is set back begins a new window', () => {
  const limits = limiter();
  for (let i = 0; i < 3; i++) limits.admit('read', user('ada'), NOW);
  expect(limits.admit('read', user('ada'), NOW - 60_000)).toMatchObject({ isAdmitted: true, resetS: 10 });
});

test('credentials count for the network until an answer proves them, and alone from then on', () => {
  const limits = limiter();
  const first = limits.admit('read', claim('key-1'), NOW);
  expect(first).toMatchObject({ policy: 'network-read', remaining: 4 });
  first.prove();
  expect(limits.admit('read', claim('key-1'), NOW)).toMatchObject({ policy: 'read', remaining: 2 });
  for (let i = 0; i < 5; i++) limits.admit('read', claim(`invented-${i}`), NOW);
  expect(limits.admit('read', claim('invented-5'), NOW)).toMatchObject({ isAdmitted: false });
  expect(limits.admit('read', claim('key-1'), NOW)).toMatchObject({ isAdmitted: true });
  expect(limits.admit('read', { ...claim('invented-5'), network: '203.0.113.0/24' }, NOW).isAdmitted).toBe(
    true,
  );
});

test('credentials of one name share its quota once they are proven, and lose it when they have ended', () => {
  const limits = limiter();
  const token = (text: string): RateKey => ({ ...claim(text), counted: 'grant' });
  const read = (text: string) => limits.admit('read', token(text), NOW);
  for (const text of ['first', 'second']) read(text).prove();
  expect(read('first')).toMatchObject({ policy: 'read', remaining: 2 });
  expect(read('second')).toMatchObject({ policy: 'read', remaining: 1 });
  expect(read('invented')).toMatchObject({ policy: 'network-read' });
  read('first').refute();
  expect(read('first')).toMatchObject({ policy: 'network-read' });
  expect(read('second')).toMatchObject({ policy: 'read', isAdmitted: false });
  limits.admit('read', claim('hook'), NOW).prove();
  limits.admit('read', claim('hook'), NOW).refute();
  expect(limits.admit('read', claim('hook'), NOW)).toMatchObject({ policy: 'read' });
});

test('valid credentials do not use up the quota of their network', () => {
  const limits = limiter();
  for (let i = 0; i < 50; i++) {
    const admission = limits.admit('write', claim(`hook-${i}`), NOW);
    expect(admission.isAdmitted).toBe(true);
    admission.prove();
  }
  for (let i = 0; i < LIMITS.network.write; i++) {
    expect(limits.admit('write', claim(`invented-${i}`), NOW).isAdmitted).toBe(true);
  }
  expect(limits.admit('write', claim('invented'), NOW).isAdmitted).toBe(false);
});

test('a verified caller within the quota is admitted while others send any number of requests', () => {
  const sent = fc.array(fc.tuple(fc.constantFrom('verified', 'claimed'), fc.nat(4)), { maxLength: 60 });
  fc.assert(
    fc.property(sent, (others) => {
      const limits = limiter();
      for (const [kind, name] of others) {
        limits.admit('read', kind === 'verified' ? user(`other-${name}`) : claim(`other-${name}`), NOW);
      }
      for (let i = 0; i < LIMITS.credential.read; i++) {
        expect(limits.admit('read', user('ada'), NOW).isAdmitted).toBe(true);
      }
      expect(limits.admit('read', user('ada'), NOW).isAdmitted).toBe(false);
    }),
  );
});

test('of too many callers, the longest unused are forgotten first', () => {
  const limits = limiter();
  for (let i = 0; i < 3; i++) limits.admit('read', user('used'), NOW);
  for (let i = 0; i < 9_999; i++) limits.admit('read', user(`u${i}`), NOW);
  expect(limits.admit('read', user('used'), NOW).isAdmitted).toBe(false);
  for (let i = 0; i < 10_000; i++) limits.admit('read', user(`v${i}`), NOW);
  expect(limits.admit('read', user('used'), NOW).isAdmitted).toBe(true);
});

test('an API key is a credential of its own, which only an answer proves', () => {
  const operation = defineOperation({
    method: 'GET',
    path: '/kept',
    name: 'kept',
    summary: 'Kept',
    caller: 'user',
    scope: 'read',
    input: {},
    output: z.object({}),
    errors: [],
    table: 'read',
    handler: async () => ({}),
  });
  const of = (kind: 'session' | 'api_key', accessToken: string) =>
    rateKeyOf(operation, {
      presented: {
        params: {},
        query: { user_id: 'ada' },
        form: {},
        headers: {},
        cookies: {},
        foreign: false,
        settings: { HUB_PUBLIC_URL: 'https://hub.example', HUB_CORS_ORIGINS: [] },
      },
      session: { sid: '1', kind, userId: 'ada', expiresAt: 0, signedIn: true, accessToken },
      authorized: undefined,
      sourceIp: '198.51.100.7',
    });
  const ids = `${'u'.repeat(22)}.${'k'.repeat(12)}`;
  const [one, two] = ['1', '2'].map((each) => `hub_key_${ids}.${each.repeat(43)}`);
  const counted = `key ${ids.replace('.', ' ')}`;
  expect(of('api_key', one ?? '')).toEqual({ ...claim(`key ${one}`), counted });
  expect(of('api_key', two ?? '')).toEqual({ ...claim(`key ${two}`), counted });
  expect(of('session', 'one')).toEqual(user('session ada'));
});
