import { beforeEach, describe, expect, test } from '@jest/globals';
import { suspensionWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { sourceOfAdapter } from '../../../shared/domain/deployments/event-source.ts';
import {
  approve,
  approvedBroker,
  broker,
  linkAccount,
  registerAtBroker,
  type TestBroker,
  tokenOf,
} from '../../support/brokers.ts';
import type { Response } from '../../support/hub.ts';
import { accessOf, readAs } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, freshEmail, login, loginSteppedUp, register, sentCode } from '../../support/people.ts';
import { build, copy, furnishWithInstruments, person, setState } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder } from '../../support/trading.ts';

const STRATEGIES = 'GET /broker/get_user_strategies';
const DEPLOYMENTS = 'GET /broker/get_all_user_deployments';
const SCANNERS = 'GET /broker/get_all_user_scanners';
const ROUTES = [STRATEGIES, DEPLOYMENTS, SCANNERS] as const;

interface Customer {
  readonly user_id: string;
  readonly user_key: string;
  readonly email: string;
}

const hub = await openHub(furnishWithInstruments);
let desk: TestBroker;
let token: string;
let customer: Customer;
beforeEach(async () => {
  hub.advance(1000);
  desk = await approvedBroker(hub);
  token = await accessOf(hub, desk);
  customer = (await registerAtBroker(hub, desk.subdomain)).body;
});

const read = (route: string, user_email: string, query: Record<string, string> = {}, by = token) =>
  readAs(hub, by, route, { user_email, ...query });

const deploy = async ({ user_id }: Customer, symbol = 'AAPL') => {
  const strategy = (await build(hub, { user_id, symbol })).body;
  const query = { keygen: strategy.keygen };
  const { status, body } = await hub.call('POST /deploy_notification_strategy', { query, form: {} });
  expect(status).toBe(200);
  return { ...body, keygen: strategy.keygen };
};

const scan = async ({ user_id }: Customer) => {
  const strategy = (await build(hub, { user_id, symbol: 'EURUSD' })).body;
  const query = { keygen: strategy.keygen, universe_id: 'forex-majors' };
  const { status, body } = await hub.call('POST /deploy_scanner', { query });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

const undeploy = (kind: 'notification_strategy' | 'scanner', user_id: string, id: number) =>
  hub.call(`POST /undeploy_${kind}`, { query: { user_id, deployment_id: String(id) } });

const ids = ({ body }: Response, field = 'deployment_id') =>
  body.items.map((item: Record<string, unknown>) => item[field]);

describe('an integrator reads', () => {
  test('the strategies of a user: private ones and copies too, newest first, without their keys', async () => {
    const author = await person(hub);
    const shared = (await build(hub, { user_id: author.user_id })).body;
    await setState(hub, author.user_id, shared.strategy_id, 1);
    const own = (await build(hub, { user_id: customer.user_id, symbol: 'AAPL,MSFT' })).body;
    hub.advance(1000);
    const copied = (await copy(hub, customer.user_id, shared.strategy_key)).body;
    const { status, body, text } = await read(STRATEGIES, customer.email);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total: 2,
      page: 1,
      size: 50,
      pages: 1,
      items: [
        { strategy_id: copied.strategy_id, is_copied: 1, parent_strategy_id: shared.strategy_id },
        { strategy_id: own.strategy_id, symbols: ['AAPL', 'MSFT'], publish_state: 0, is_listed: false },
      ],
    });
    const hidden = [customer.user_id, customer.user_key, own.keygen, own.strategy_key, copied.keygen];
    for (const key of hidden) expect(text).not.toContain(key);
    expect(text).not.toMatch(/user_id|keygen|strategy_key/);
  });

  test('the deployments of a user, of every kind, running and ended, newest first', async () => {
    const first = await deploy(customer);
    hub.advance(1000);
    const second = await scan(customer);
    hub.advance(1000);
    const third = await deploy(customer);
    await undeploy('notification_strategy', customer.user_id, first.deployment_id);
    await report(hub, 'Deployment Started', third.deployment_id);
    const { body, text } = await read(DEPLOYMENTS, customer.email);
    expect(body).toMatchObject({
      total: 3,
      items: [
        { deployment_id: third.deployment_id, type: 'notification', status: 'active', symbols: ['AAPL'] },
        { deployment_id: second.deployment_id, type: 'scanner', universe_id: 'forex-majors' },
        { deployment_id: first.deployment_id, status: 'stopped', stop_reason: 'user' },
      ],
    });
    for (const key of [customer.user_id, customer.user_key, first.keygen]) expect(text).not.toContain(key);

    const scanners = await read(SCANNERS, customer.email);
    expect(scanners.body).toMatchObject({
      total: 1,
      items: [
        { deployment_id: second.deployment_id, type: 'scanner', status: 'requested', matches_count: 0 },
      ],
    });
  });

  test('the live and paper deployments among them, with positions and results', async () => {
    const { keygen } = (await build(hub, { user_id: customer.user_id })).body;
    const { deployment_id } = (await deployTrading(hub, keygen)).body;
    await report(hub, 'Deployment Started', deployment_id);
    await reportOrder(hub, deployment_id, { client_order_id: 'o-1', quantity: '3', fees: '1.5' });
    await report(hub, 'Quote Marked', deployment_id, { symbol: 'AAPL', price: '104' });
    const { body, text } = await read(DEPLOYMENTS, customer.email);
    expect(body.items).toEqual([
      expect.objectContaining({
        deployment_id,
        type: 'live',
        mode: 'virtual',
        status: 'active',
        symbols: ['AAPL'],
        account_id: null,
        currency: 'USD',
        starting_capital: 10_000,
        fees: 1.5,
        realized_pnl: -1.5,
        unrealized_pnl: 12,
        total_pnl: 10.5,
        positions: [expect.objectContaining({ symbol: 'AAPL', side: 'long', quantity: 3, last_price: 104 })],
      }),
    ]);
    expect(text).not.toContain(customer.user_id);
    expect(text).not.toContain(keygen);
  });

  test('a user by any spelling of the e-mail', async () => {
    await deploy(customer);
    const { email } = customer;
    for (const spelling of [email.toUpperCase(), ` ${email} `, email.replace('p', 'P')]) {
      expect((await read(DEPLOYMENTS, spelling)).body.total).toBe(1);
    }
  });

  test('empty lists of a user without data', async () => {
    for (const route of ROUTES) {
      const { status, body } = await read(route, customer.email, { page: '3', size: '7' });
      expect({ status, body }).toEqual({
        status: 200,
        body: { items: [], total: 0, page: 3, size: 7, pages: 0 },
      });
    }
  });

  test('pages of a user’s lists, which together are complete, each with the same calls', async () => {
    const made: number[] = [];
    for (let n = 0; n < 4; n++) {
      hub.advance(1000);
      const { deployment_id } = n % 2 === 0 ? await deploy(customer) : await scan(customer);
      made.unshift(deployment_id);
    }
    for (const [route, total] of [
      [DEPLOYMENTS, 4],
      [SCANNERS, 2],
      [STRATEGIES, 4],
    ] as const) {
      const seen: unknown[] = [];
      for (let page = 1; page <= total; page++) {
        hub.takeCalls();
        const answer = await read(route, customer.email, { page: String(page), size: '1' });
        // A container reads the user of an e-mail once.
        const first = route === DEPLOYMENTS && page === 1 ? ['BatchGetItem'] : [];
        expect(hub.takeCalls()).toEqual([...first, 'BatchGetItem', 'Query', 'BatchGetItem']);
        expect(answer.body).toMatchObject({ total, page, size: 1, pages: total });
        seen.push(...ids(answer, route === STRATEGIES ? 'strategy_id' : 'deployment_id'));
      }
      expect(new Set(seen).size).toBe(total);
      if (route === DEPLOYMENTS) expect(seen).toEqual(made);
      const beyond = await read(route, customer.email, { page: String(10 ** 9), size: '100' });
      expect(beyond.body).toMatchObject({ items: [], total });
    }
  });

  test.each(['page', 'size'])('no page whose %s is out of bounds or no integer', async (name) => {
    for (const route of ROUTES) {
      for (const value of ['0', '-1', 'x', '1.5', '', ...(name === 'size' ? ['101'] : [])]) {
        hub.takeCalls();
        const { status, body } = await read(route, customer.email, { [name]: value });
        expect({ route, value, status, loc: body.detail[0].loc }).toEqual({
          route,
          value,
          status: 422,
          loc: ['query', name],
        });
        expect(hub.takeCalls()).toEqual([]);
      }
    }
  });
});

describe('an integrator does not learn', () => {
  /** Users without a link to the broker, each with all kinds of data. */
  const strangers = async (): Promise<Record<string, string>> => {
    const rival = await broker(hub);
    const theirs: Customer = (await registerAtBroker(hub, rival.subdomain)).body;
    const unlinked: Customer = (await register(hub)).body;
    for (const somebody of [theirs, unlinked]) {
      await deploy(somebody);
      await scan(somebody);
    }
    return {
      'another broker’s user': theirs.email,
      'a user without a broker': unlinked.email,
      nobody: freshEmail(),
      'no e-mail at all': 'x',
      'an empty text': '',
      'a text beyond all bounds': `${'x'.repeat(3000)}@example.com`,
      'a user_id for e-mail': unlinked.user_id,
      'a key of the table': 'EMAIL#x',
    };
  };

  test('whether an e-mail exists outside the broker: same status, body, headers and calls', async () => {
    const others = Object.values(await strangers());
    for (const route of ROUTES) {
      const answers: unknown[] = [];
      for (const email of others) {
        hub.takeCalls();
        const { status, text, headers } = await read(route, email);
        answers.push({ status, text, headers, calls: hub.takeCalls() });
      }
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(answers[0]).toMatchObject({
        status: 404,
        text: expect.stringContaining('"code":"user_unknown"'),
        calls: ['BatchGetItem', 'BatchGetItem'],
      });
    }
  });

  test('anything of a user after a reset of the password, until the user links again', async () => {
    const { email } = customer;
    await build(hub, { user_id: customer.user_id });
    expect((await read(STRATEGIES, email)).body.total).toBe(1);
    await hub.call('POST /send_otp_password_reset', { query: { email } });
    const otp = (await sentCode(hub, email)) ?? '';
    const reset = { email, new_password: 'another-password', otp };
    expect((await hub.call('POST /reset_password', { query: reset })).status).toBe(200);
    expect((await read(STRATEGIES, email)).status).toBe(404);

    const partner_token = await tokenOf(hub, desk, 'account-7');
    const linked = await linkAccount(hub, email, desk.subdomain, partner_token, 'another-password');
    expect(linked.status).toBe(200);
    expect((await read(STRATEGIES, email)).body.total).toBe(1);
  });

  test('anything of a user who has left the broker', async () => {
    const { body: session } = await login(hub, customer.email);
    expect((await read(STRATEGIES, customer.email)).status).toBe(200);
    const left = await hub.call('POST /unlink_broker', {
      query: { broker_domain: desk.subdomain },
      headers: bearer(session.access_token),
    });
    expect(left.status).toBe(200);
    expect((await read(STRATEGIES, customer.email)).status).toBe(404);
    // The refusal also clears the container's memory: the user looks like an unknown one.
    hub.takeCalls();
    const former = await read(STRATEGIES, customer.email);
    const callsOfFormer = hub.takeCalls();
    const nobody = await read(STRATEGIES, freshEmail());
    expect([former.text, former.headers, callsOfFormer]).toEqual([
      nobody.text,
      nobody.headers,
      hub.takeCalls(),
    ]);
  });

  test('of a user who registered with it, after more than a day, unless an operator approves the broker', async () => {
    const rookie = await broker(hub);
    const { email } = (await registerAtBroker(hub, rookie.subdomain)).body;
    const readByRookie = async () => read(STRATEGIES, email, {}, await accessOf(hub, rookie));
    expect((await readByRookie()).status).toBe(200);
    hub.advance(24 * 3_600_000);
    const stranger = await read(STRATEGIES, freshEmail(), {}, await accessOf(hub, rookie));
    const refused = await readByRookie();
    expect([refused.status, refused.text]).toEqual([404, stranger.text]);
    await approve(hub, rookie);
    expect((await readByRookie()).status).toBe(200);
    await approve(hub, rookie, false);
    expect((await readByRookie()).status).toBe(404);
  });

  test('anything through another broker of the same user: each has its own link', async () => {
    const rival = await approvedBroker(hub);
    const rivals = await accessOf(hub, rival);
    expect((await read(STRATEGIES, customer.email, {}, rivals)).status).toBe(404);
    const partner_token = await tokenOf(hub, rival, 'account-9');
    expect((await linkAccount(hub, customer.email, rival.subdomain, partner_token)).status).toBe(200);
    for (const by of [token, rivals]) {
      expect((await read(STRATEGIES, customer.email, {}, by)).status).toBe(200);
    }
  });

  test('the account that a user trades on at another broker', async () => {
    const own_token = await tokenOf(hub, desk, 'DESK-77');
    const client = (await registerAtBroker(hub, desk.subdomain, { partner_token: own_token })).body;
    const rival = await approvedBroker(hub);
    const partner_token = await tokenOf(hub, rival, 'RIVAL-9');
    expect((await linkAccount(hub, client.email, rival.subdomain, partner_token)).status).toBe(200);
    const { keygen } = (await build(hub, { user_id: client.user_id })).body;
    const at = { mode: 'live', broker_id: String(desk.broker_id) };
    const session = bearer((await loginSteppedUp(hub, client.email)).body.access_token);
    const { status, body } = await deployTrading(hub, keygen, at, session);
    expect([status, body.account_id]).toEqual([200, 'DESK-77']);
    const own = await read(DEPLOYMENTS, client.email);
    expect(own.body.items[0]).toMatchObject({ broker_id: desk.broker_id, account_id: 'DESK-77' });
    const rivals = await read(DEPLOYMENTS, client.email, {}, await accessOf(hub, rival));
    expect(rivals.body.items[0]).toMatchObject({ broker_id: desk.broker_id, account_id: null });
    expect(rivals.text).not.toContain('DESK-77');
    // The account at which an execution adapter places orders is not at the broker, whoever the user names as broker.
    const account = 'PA3-ELSEWHERE';
    const execution = { adapter: 'alpaca', source: sourceOfAdapter('alpaca'), account };
    const key = keys.deployment(body.deployment_id);
    await hub.runtime.store.transact([{ key, set: { engine: 'hub', account_id: account, execution } }]);
    expect((await read(DEPLOYMENTS, client.email)).text).not.toContain(account);
  });
});

describe('a token whose authorization the gateway still caches', () => {
  const kept = (query: Record<string, string>, context: unknown) =>
    hub.call(STRATEGIES, { query, authorized: context });

  test('is refused at once when the broker is suspended, and accepted afterwards', async () => {
    const suspend = (since: Date | undefined) =>
      hub.runtime.store.transact([suspensionWrite(desk.subdomain, since)]);
    await suspend(hub.runtime.clock());
    hub.takeCalls();
    for (const email of [customer.email, freshEmail()]) {
      const { status, body } = await read(STRATEGIES, email);
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'broker_suspended' });
    }
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem']);
    await suspend(undefined);
    expect((await read(STRATEGIES, customer.email)).status).toBe(200);
  });

  test('is refused after it expires', async () => {
    const now = hub.runtime.clock().getTime() / 1000;
    const context = { broker: desk.subdomain, expires_at: now, scope: 'broker:read' };
    const { status, body, headers } = await kept({ user_email: customer.email }, context);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'access_token_invalid' });
    expect(headers['www-authenticate']).toBe('Bearer');
    const valid = await kept({ user_email: customer.email }, { ...context, expires_at: now + 1 });
    expect(valid.status).toBe(200);
  });

  test('is refused for an unknown broker', async () => {
    const context = { broker: 'gone', expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' };
    expect((await kept({ user_email: customer.email }, context)).status).toBe(403);
  });

  test.each([
    undefined,
    {},
    { broker: 7 },
    'north',
    { expires_at: Number.MAX_SAFE_INTEGER },
    { broker: 'north', expires_at: Number.MAX_SAFE_INTEGER },
  ])('opens nothing where the authorizer says %p', async (context) => {
    hub.takeCalls();
    expect((await kept({ user_email: customer.email }, context)).status).toBe(401);
    expect(hub.takeCalls()).toEqual([]);
  });
});
