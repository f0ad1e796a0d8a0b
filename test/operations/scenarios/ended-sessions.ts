import { expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';
import { signAccessToken } from '../../../shared/auth/access-tokens.ts';
import { signPlatformToken } from '../../../shared/auth/platform-tokens.ts';
import { openSession } from '../../../shared/data/users/sessions.ts';
import { textId } from '../../../shared/ids.ts';
import { usedBy } from '../../bench/meter.ts';
import { SCENARIOS } from '../../bench/scenarios.ts';
import type { Request } from '../../support/hub.ts';
import { bearer } from '../../support/people.ts';
import { userOf } from './named-user.ts';
import { world } from './world.ts';

/** Correctly signed tokens that are no longer valid: of sessions, and a platform token. */
const endedTokens = async (userId: string): Promise<string[]> => {
  const { keyRing, settings, clock } = world.hub.runtime;
  const [ring, issuer, now] = [await keyRing(), settings.HUB_PUBLIC_URL, clock()];
  const expiresAt = Math.floor(now.getTime() / 1000) + 600;
  return Promise.all([
    ...['ended', 'constructor'].map((sid) =>
      signAccessToken(ring, issuer, { userId, sid, generation: 0, expiresAt }, now),
    ),
    signPlatformToken(ring, issuer, { userId, tokenId: 'ended', expiresAt, bySession: true }, now),
  ]);
};

/** Opens a session of a user. */
const openedToken = async (userId: string): Promise<string> => {
  const { store, keyRing, settings, clock, random } = world.hub.runtime;
  const [now, sid] = [clock(), textId(random)];
  const created_at = Math.floor(now.getTime() / 1000);
  const expiresAt = created_at + 600;
  await openSession(store, userId, {
    sid,
    session: { generation: 0, created_at, expires_at: expiresAt },
    at: now,
  });
  return signAccessToken(
    await keyRing(),
    settings.HUB_PUBLIC_URL,
    { userId, sid, generation: 0, expiresAt },
    now,
  );
};

/** Expects that `me` names the user of the session, and nobody without a session. */
const expectMe = async (routeKey: string, request: Request, userId: string): Promise<void> => {
  const named = Object.fromEntries(
    Array.isArray(request.query) ? request.query : Object.entries(request.query ?? {}),
  );
  const { authorization, ...headers } = request.headers ?? {};
  const asMe = { ...request, query: { ...named, user_id: 'me' } };
  const { result, names } = await usedBy(() => world.hub.call(routeKey, { ...asMe, headers }));
  expect([result.status, result.body.code, names]).toEqual([401, 'session_required', []]);
  const session = authorization ? { authorization } : bearer(await openedToken(userId));
  const own = await world.hub.call(routeKey, { ...asMe, headers: { ...headers, ...session } });
  expect(own.status).toBe(200);
};

/** Headers of requests that browsers send for pages of others: a form, a link, and an image. */
const FOREIGN = [
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
] as const;

/** Expects that a page of others does not act by the cookie. */
const expectNoForeignPage = async (routeKey: string, request: Request, token: string): Promise<void> => {
  const { authorization: _, ...headers } = request.headers ?? {};
  for (const foreign of FOREIGN) {
    const { result, names } = await usedBy(() =>
      world.hub.call(routeKey, {
        ...request,
        headers: { ...headers, ...foreign },
        cookies: [`__Host-session=${token}`],
      }),
    );
    expect([result.status, result.body.code, names]).toEqual([403, 'cross_site_refused', []]);
  }
};

const byUser = new Set(OPERATIONS.filter(({ caller }) => caller === 'user').map(({ routeKey }) => routeKey));
const looking = new Set(
  OPERATIONS.filter(({ caller }) => ['user', 'session', 'deploy_key'].includes(caller)).map(
    ({ routeKey }) => routeKey,
  ),
);
const lookingAtSessions = Object.keys(SCENARIOS).filter((name) => looking.has(name.split(' (')[0] ?? ''));

const READS = ['Get', 'BatchGet', 'Query'];
let keysUsed = 0;

test.each(lookingAtSessions)(
  '%s does nothing for a session that was ended nor for a page of others, and takes `me` from a valid session alone',
  async (name) => {
    const [routeKey = ''] = name.split(' (');
    world.hub.advance(1000);
    const request = await SCENARIOS[name]?.(world);
    const userId = request && (await userOf(request));
    if (!userId) throw new Error('the scenario names no user');
    for (const token of await endedTokens(userId)) {
      for (const key of [{}, { 'idempotency-key': `ended-${++keysUsed}` }]) {
        const headers = { ...request.headers, ...bearer(token), ...key };
        const { result, names } = await usedBy(() => world.hub.call(routeKey, { ...request, headers }));
        expect(result).toMatchObject({ status: 401, body: { code: 'session_invalid' }, cookies: [] });
        expect(names.filter((call) => !READS.includes(call))).toEqual([]);
      }
    }
    await expectNoForeignPage(routeKey, request, await openedToken(userId));
    if (byUser.has(routeKey)) await expectMe(routeKey, request, userId);
  },
);

test('an ended session does not learn the error of its request', async () => {
  const { user_id } = world.rich;
  const [token = ''] = await endedTokens(user_id);
  const { store } = world.hub.runtime;
  const failing = { value: () => Promise.reject(new Error('the table is away')) };
  const broken = world.hub.over(Object.create(store, { query: failing }));
  const asked = { query: { user_id }, headers: bearer(token) };
  expect((await broken.call('GET /get_strategies_by_user', asked)).status).toBe(401);
});

test('every operation that reads a session has a scenario', () => {
  const tried = new Set(lookingAtSessions.map((name) => name.split(' (')[0]));
  expect([...looking].filter((routeKey) => !tried.has(routeKey))).toEqual([]);
});
