import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATION_GROUPS, OPERATIONS } from '../../functions/operations.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { approve, createBroker, linkAccount, registerAtBroker, tokenOf } from '../support/brokers.ts';
import { startHub, type TestHub } from '../support/hub.ts';
import { BROKER, bearer, CLIENT_KEY, furnish, login, PASSWORD, register } from '../support/people.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { json, startUpstream, type Upstream } from '../support/upstream.ts';

const NAMES = Object.getOwnPropertyNames(Object.prototype);

let upstream: Upstream;
let hub: TestHub;
let userId: string;
beforeAll(async () => {
  upstream = await startUpstream(json({ success: true }));
  hub = (await startHub()).with({
    HUB_CHALLENGE_URL: `${upstream.url}/challenge`,
    HUB_ANALYTICS_URL: `${upstream.url}/collect`,
  });
  await furnish(hub);
  await furnishWithInstruments(hub);
  const { body } = await register(hub);
  userId = body.user_id;
});
afterAll(async () => {
  await hub.close();
  await upstream.close();
});

/** Values of fields that are needed for the others to be checked. */
const known = (): Record<string, string> => ({ user_id: userId, auth: CLIENT_KEY });

/** Returns fields that have a name as their value and as a further field, with a number in one of them if needed. */
const fieldsOf = (
  schema: { shape: object } | undefined,
  name: string,
  other: string,
): Record<string, string> => {
  const names = Object.keys(schema?.shape ?? {});
  const fields = names.map((field): [string, string] => [field, known()[field] ?? other]);
  return Object.fromEntries([...fields, [name, name]]);
};

const request = ({ input, caller }: Operation, name: string, other: string) => ({
  query: Object.entries(fieldsOf(input.query, name, other)),
  ...(input.form && { form: fieldsOf(input.form, name, other) }),
  ...(input.json && { json: { ...fieldsOf(input.json, name, other), params: { [name]: { [name]: name } } } }),
  params: { id: name, file: name, proxy: name },
  headers: { [name.toLowerCase()]: name },
  cookies: [`${name}=${name}`, `__Host-session=${name}`],
  ...(caller === 'integrator' && {
    authorized: { broker: BROKER.subdomain, expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' },
  }),
});

/** Operations of pages, whose files exist only in a bundle. */
const PAGES = [...(OPERATION_GROUPS.docs ?? []), ...(OPERATION_GROUPS.console ?? [])];
const TRIED = OPERATIONS.filter((operation) => !PAGES.includes(operation));

describe.each(TRIED.map((operation) => [operation.routeKey, operation] as const))(
  '%s',
  (route, operation) => {
    test('accepts names of object members in every field', async () => {
      for (const name of NAMES) {
        for (const other of [name, '1', `${name}@example.com`]) {
          const sent = request(operation, name, other);
          // Without its cookie, a request is answered in the same way until the session is looked up.
          const requests = other === name ? [sent, { ...sent, cookies: [] }] : [{ ...sent, cookies: [] }];
          for (const each of requests) {
            const { status, text } = await hub.call(route, each);
            const isFault = status >= 500 && status !== 502;
            expect([name, other, isFault ? text : '']).toEqual([name, other, '']);
          }
        }
      }
    });
  },
);

describe('a broker named like a member of all objects', () => {
  test('links users, signs them in, reads them and is unlinked', async () => {
    const { body: made } = await createBroker(hub, { broker_name: 'constructor' });
    expect(made.subdomain).toBe('constructor');
    await approve(hub, made);

    const { body: customer } = await registerAtBroker(hub, 'constructor', { account_id: 'A-1' });
    expect(customer.brokers).toMatchObject([{ broker_id: made.broker_id, name: 'constructor' }]);
    const query = { email: customer.email, password: PASSWORD, broker_domain: 'constructor' };
    const entered = await hub.call('POST /login_user_broker', { query });
    expect([entered.status, entered.body.broker_id]).toEqual([200, made.broker_id]);

    const { body: person } = await register(hub);
    const stranger = await hub.call('POST /login_user_broker', { query: { ...query, email: person.email } });
    expect(stranger.status).toBe(401);
    const linked = await linkAccount(hub, person.email, 'constructor', await tokenOf(hub, made, 'A-2'));
    expect([linked.status, linked.body.broker_id]).toEqual([200, made.broker_id]);

    for (const route of ['GET /get_broker_specific_tickers', 'GET /get_connected_broker_details_v2']) {
      const asked = { user_id: person.user_id, broker: 'constructor', broker_id: String(made.broker_id) };
      expect([route, (await hub.call(route, { query: asked })).status]).toEqual([route, 200]);
    }
    const authorized = { broker: 'constructor', expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' };
    const read = (email: string) =>
      hub.call('GET /broker/get_user_strategies', { query: { user_email: email }, authorized });
    expect((await read(person.email)).status).toBe(200);
    expect((await read((await register(hub)).body.email)).status).toBe(404);

    const unlink = await hub.call('POST /unlink_broker', {
      query: { broker_domain: 'constructor' },
      headers: bearer(linked.body.access_token),
    });
    expect([unlink.status, (await login(hub, person.email)).body.brokers]).toEqual([200, []]);
  });
});
