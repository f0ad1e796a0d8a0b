import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';
import type { Operation } from '../../../shared/api/operation.ts';
import { keys as keysOf } from '../../../shared/data/table/keys.ts';
import { SCENARIOS } from '../../bench/scenarios.ts';
import type { Request, Response } from '../../support/hub.ts';
import { bearer } from '../../support/people.ts';
import { world } from './world.ts';

const POSTS = OPERATIONS.filter(({ keepsAnswers }) => keepsAnswers);
let keys = 0;

const textsOf = (texts: Request['query'] = {}): Record<string, string> =>
  Object.fromEntries(Array.isArray(texts) ? texts : Object.entries(texts));

const withKey = (request: Request, key: string): Request => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': key },
});

/** Returns all requests that differ from a given one in a single text of a part. */
const otherTexts = (texts: Record<string, string>): Record<string, string>[] =>
  Object.keys(texts).map((name) => ({ ...texts, [name]: `${texts[name]}x` }));

const without = (headers: Request['headers'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));

/** Returns the request with other credentials in its headers. */
const otherCredentials = (request: Request): Request[] => [
  { ...request, headers: { ...request.headers, ...bearer('somebody-elses') } },
  { ...request, headers: without(request.headers) },
  { ...request, headers: without(request.headers), cookies: ['__Secure-refresh_token=another-ones'] },
];

/** Returns requests of other callers, each with another credential. */
const strangersOf = async ({ caller, credential }: Operation, request: Request): Promise<Request[]> => {
  const { settings } = world.hub.runtime;
  const { params = {}, form = {}, json, headers = {} } = request;
  const query = textsOf(request.query);
  if (caller === 'user') return [{ ...request, query: { ...query, user_id: 'somebody-else' } }];
  if (caller === 'session') {
    return [{ ...request, headers: { ...headers, ...bearer((await world.person()).access_token) } }];
  }
  if (caller === 'deploy_key') {
    const other = (await world.person()).access_token;
    return [
      { ...request, query: { ...query, keygen: `${query.keygen}x` } },
      { ...request, headers: { ...headers, ...bearer(other) } },
    ];
  }
  const secretOf = (texts: { params: typeof params; query: typeof query }) =>
    credential?.({ ...texts, form, headers, cookies: {}, foreign: false, settings });
  const secret = secretOf({ params, query });
  if (secret !== undefined) {
    const inAddress = [
      ...otherTexts(params).map((changed) => ({ params: changed, query })),
      ...otherTexts(query).map((changed) => ({ params, query: changed })),
    ].filter((texts) => secretOf(texts) !== secret);
    if (inAddress.length > 0) return inAddress.map((texts) => ({ ...request, ...texts }));
    return otherCredentials(request).filter((each) => each.headers?.authorization !== headers.authorization);
  }
  return [
    ...otherTexts(query).map((changed) => ({ ...request, query: changed })),
    ...otherTexts({ ...form }).map((changed) => ({ ...request, form: changed })),
    ...(json === undefined ? [] : [{ ...request, json: { ...Object(json), extra: 1 } }]),
    { ...request, headers: { ...headers, ...bearer('somebody-elses') } },
    { ...request, cookies: ['session=somebody-elses'] },
    { ...request, cookies: ['__Secure-refresh_token=somebody-elses'] },
  ];
};

/** Signs in an answer that show that the key is known. */
const metBefore = ({ status, headers, text }: Response): boolean =>
  headers['idempotent-replayed'] !== undefined ||
  (status === 422 && text.includes('idempotency-key')) ||
  (status === 409 && text.includes('request_in_flight'));

describe.each(POSTS.map((operation) => ({ routeKey: operation.routeKey, operation })))(
  'an Idempotency-Key of $routeKey',
  ({ routeKey, operation }) => {
    const prepare = async (): Promise<Request> => {
      world.hub.advance(1000);
      const request = await SCENARIOS[routeKey]?.(world);
      if (!request) throw new Error('the operation has no scenario');
      return request;
    };

    test('repeats the answer to its caller, and has no effect for others', async () => {
      const request = await prepare();
      const key = `same-${++keys}`;
      const first = await world.hub.call(routeKey, withKey(request, key));
      expect({ isMade: [200, 201].includes(first.status), met: metBefore(first) }).toEqual({
        isMade: true,
        met: false,
      });
      const strangers = await strangersOf(operation, request);
      expect(strangers.length).toBeGreaterThan(0);
      for (const one of strangers) {
        const { query, form, headers, cookies, json } = one;
        const met = metBefore(await world.hub.call(routeKey, withKey(one, key)));
        expect({ met, query, form, headers, cookies, json }).toMatchObject({ met: false });
      }
      const again = await world.hub.call(routeKey, withKey(request, key));
      expect(metBefore(again)).toBe(true);
      if (again.status < 300) expect(again.text).toBe(first.text);
      else expect(again.body.code).toBe('answer_shown_once');
    });
  },
);

describe('a credential', () => {
  test('with another request is a 422 that changes nothing', async () => {
    const { keygen, owner } = await world.strategy();
    const send = (channels: string) =>
      world.hub.call('POST /deploy_notification_strategy', {
        query: { keygen },
        form: { channels },
        headers: { 'idempotency-key': 'deploy' },
      });
    expect((await send('push')).status).toBe(200);
    const { status, body } = await send('push,push');
    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'idempotency-key']]);
    const { user_id } = owner;
    const all = await world.hub.call('GET /get_all_notification_deployments', { query: { user_id } });
    expect(all.body.total).toBe(1);
  });

  test('of a refused request may try again once the cause has ended, also with another request', async () => {
    const { keygen } = await world.strategy();
    const send = (query: Record<string, string>) =>
      world.hub.call('POST /deploy_scanner', {
        query: { keygen, ...query },
        headers: { 'idempotency-key': 'refused' },
      });
    const late = { universe_id: 'a-late-universe' };
    const refused = await send(late);
    expect([refused.status, refused.body.code]).toEqual([404, 'universe_unknown']);
    const { store } = world.hub.runtime;
    const { universe_id } = late;
    const universe = { universe_id, name: 'Late', description: '', symbols: ['AAPL'] };
    await store.put({ ...keysOf.universe(universe_id), ...universe, entity: 'universe' });
    expect((await send({ universe_id: 'another' })).status).toBe(404);
    const first = await send(late);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    const again = await send(late);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect((await send({ universe_id: 'another' })).status).toBe(422);
  });

  test('that is a cookie of renewal is recognized only with that cookie', async () => {
    const [one, two] = [await world.person(), await world.person()];
    const renew = (token: string) =>
      world.hub.call('POST /session/relogin', {
        cookies: [`__Secure-refresh_token=${token}`],
        headers: { 'idempotency-key': 'renew' },
      });
    const first = await renew(one.refresh_token);
    const other = await renew(two.refresh_token);
    expect([first.body.user_id, other.body.user_id]).toEqual([one.user_id, two.user_id]);
    expect((await renew(one.refresh_token)).text).toBe(first.text);
  });
});

test('a stranger who knows the e-mail and the key of a sign-in does not disturb it', async () => {
  const { email } = await world.person();
  const send = (password: string) =>
    world.hub.call('POST /login', {
      form: { username: email, password },
      headers: { 'idempotency-key': 'sign-in' },
    });
  expect((await send('a wrong password')).status).toBe(401);
  expect((await send('correct horse battery')).status).toBe(200);
});
