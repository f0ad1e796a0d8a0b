import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startHub, type TestHub } from '../../support/hub.ts';
import { furnish, signUp } from '../../support/people.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnish(hub);
});
afterAll(() => hub.close());

const stateOf = async (cookies: readonly string[], headers: Record<string, string> = {}, on = hub) => {
  const { status, body } = await on.call('GET /session/state', { cookies: [...cookies], headers });
  return { status, ...body };
};
const NONE = { status: 200, has_session: false, expires_in: 0 };

test('a stranger, and cookies of no session, are no error', async () => {
  expect(await stateOf([])).toEqual(NONE);
  expect(await stateOf(['__Host-session=x', '__Secure-refresh_token=y'])).toEqual(NONE);
  const { body } = await signUp(hub);
  expect(await stateOf([`__Host-session=${body.refresh_token}`])).toEqual(NONE);
});

test('a valid session is told with its time, an expired one as long as it can be renewed', async () => {
  const { body } = await signUp(hub);
  const access = `__Host-session=${body.access_token}`;
  const refresh = `__Secure-refresh_token=${body.refresh_token}`;
  expect(await stateOf([access])).toEqual({ status: 200, has_session: true, expires_in: 900 });
  hub.advance(15 * 60_000);
  expect(await stateOf([access])).toEqual(NONE);
  expect(await stateOf([access, refresh])).toEqual({ status: 200, has_session: true, expires_in: 0 });
});

test('the state of a session is not told to pages of other origins', async () => {
  const { body } = await signUp(hub);
  const cookies = [`__Host-session=${body.access_token}`];
  expect(await stateOf(cookies, { 'sec-fetch-site': 'cross-site' })).toMatchObject({
    status: 403,
    code: 'cross_site_refused',
  });
});
