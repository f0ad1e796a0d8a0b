import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { OPERATIONS } from '../../functions/operations.ts';
import { signAccessToken } from '../../shared/auth/access-tokens.ts';
import { bearerOf } from '../../shared/auth/authenticate.ts';
import { usedBy } from '../bench/meter.ts';
import { SCENARIOS } from '../bench/scenarios.ts';
import { startWorld, type World } from '../bench/world.ts';
import type { Request } from '../support/hub.ts';
import { bearer } from '../support/people.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

/** Whose request it is, by the user that it names or by its token. */
const userOf = ({ query = {}, headers = {} }: Request): string | undefined => {
  const named = Object.fromEntries(Array.isArray(query) ? query : Object.entries(query)).user_id;
  const token = bearerOf(headers);
  return named ?? (token && decodeJwt(token).sub);
};

/** A token as we sign them, of a session that the user does not hold. */
const endedToken = async (userId: string): Promise<string> => {
  const { keyRing, settings, clock } = world.hub.runtime;
  const expiresAt = Math.floor(clock().getTime() / 1000) + 600;
  return signAccessToken(
    await keyRing(),
    settings.HUB_PUBLIC_URL,
    { userId, sid: 'ended', expiresAt },
    clock(),
  );
};

const callers = new Map(OPERATIONS.map(({ routeKey, caller }) => [routeKey, caller]));
const lookingAtSessions = Object.keys(SCENARIOS).filter((name) => {
  const caller = callers.get(name.split(' (')[0] ?? '');
  return caller === 'user' || caller === 'session';
});

test.each(lookingAtSessions)('%s reads no more than it takes, and does nothing', async (name) => {
  const [routeKey = ''] = name.split(' (');
  world.hub.advance(1000);
  const request = await SCENARIOS[name]?.(world);
  const userId = request && userOf(request);
  if (!userId) throw new Error('the scenario is nobody’s');
  const headers = { ...request.headers, ...bearer(await endedToken(userId)) };
  const { result, names } = await usedBy(() => world.hub.call(routeKey, { ...request, headers }));
  expect(result).toMatchObject({ status: 401, body: { code: 'session_invalid' }, cookies: [] });
  expect(names.filter((call) => !['Get', 'BatchGet', 'Query'].includes(call))).toEqual([]);
});

test('the operations that look at a session have a scenario', () => {
  const looking = OPERATIONS.filter(({ caller }) => caller === 'user' || caller === 'session');
  const tried = new Set(lookingAtSessions.map((name) => name.split(' (')[0]));
  expect(looking.filter(({ routeKey }) => !tried.has(routeKey)).map(({ routeKey }) => routeKey)).toEqual([]);
});
