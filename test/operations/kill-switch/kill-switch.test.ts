import { beforeEach, describe, expect, test } from '@jest/globals';
import { riskGrantWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { reArmSwitch, throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { approvedBroker, linkAccount, type TestBroker, tokenOf } from '../../support/brokers.ts';
import type { Response } from '../../support/hub.ts';
import { askForAccess, authorizerOf } from '../../support/integrators.ts';
import { runJob } from '../../support/jobs.ts';
import { haltAll, signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { itemsOf, putItem } from '../../support/next-version.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report } from '../../support/trading.ts';

const MINUTE = 60_000;
const SERVICE = { subject: { level: 'service' }, actor: { by: 'operator' } } as const;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

type Owner = Awaited<ReturnType<typeof signedTrader>>;

const deployNotification = ({ keygen }: Owner): Promise<Response> =>
  hub.call('POST /deploy_notification_strategy', { query: { keygen } });

const deployScanner = ({ keygen }: Owner): Promise<Response> =>
  hub.call('POST /deploy_scanner', { query: { keygen, universe_id: 'forex-majors' } });

const idOf = ({ status, body }: Response): number => {
  expect(status).toBe(200);
  return body.deployment_id;
};

/** Deploys one of each kind. */
const deployAll = async (owner: Owner): Promise<number[]> => {
  const ids = [
    idOf(await deployTrading(hub, owner.keygen)),
    idOf(await deployNotification(owner)),
    idOf(await deployScanner(owner)),
  ];
  for (const id of ids) await report(hub, 'Deployment Started', id);
  hub.advance(1000);
  return ids;
};

const stateOf = async (id: number) => (await findDeployments(hub.runtime.store, [id]))[0];

const resume = ({ user_id }: Owner, id: number): Promise<Response> =>
  hub.call('POST /resume_deployment', {
    query: { user_id, deployment_id: String(id), reason: 'It is safe again.' },
  });

const stateFor = async ({ user_id }: Owner): Promise<Response['body']> =>
  (await hub.call('GET /get_kill_switch', { query: { user_id } })).body;

const notices = async ({ user_id }: Owner): Promise<Response['body'][]> =>
  (await hub.call('GET /get_deployment_notifications', { query: { user_id } })).body.items.filter(
    ({ kind }: Response['body']) => kind === 'kill_switch',
  );

const trail = async ({ user_id }: Owner, more: Record<string, string> = {}): Promise<string[]> =>
  (await hub.call('GET /get_audit_trail', { query: { user_id, ...more } })).body.items.map(
    ({ action, by }: Response['body']) => `${action} by ${by}`,
  );

/** Calls the hub over a store that throws a switch right before the first transaction of a request. */
const racing = (throwIt: () => Promise<unknown>) => {
  class RacingStore extends Store {
    #raced = false;
    override async transact(writes: readonly Write[]): Promise<void> {
      if (!this.#raced) {
        this.#raced = true;
        await throwIt();
      }
      return super.transact(writes);
    }
  }
  const { client, table } = hub.runtime.store;
  return hub.over(new RacingStore(client, table));
};

describe('the kill switch of a user', () => {
  test('halts deployments of every kind exactly once, and notifies once', async () => {
    const owner = await signedTrader(hub);
    const ids = await deployAll(owner);
    hub.takeCalls();
    expect(await switchOwn(hub, owner, 'throw')).toMatchObject({
      status: 200,
      body: { thrown: true, changed: true },
    });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    await haltAll(hub);
    const versions = [];
    for (const id of ids) {
      const state = await stateOf(id);
      versions.push(state?.version);
      expect(state).toMatchObject({ status: 'halted', stop_reason: 'kill_switch' });
      expect(await trail(owner, { deployment_id: String(id) })).toEqual(['deployment_halted by kill_switch']);
    }
    await haltAll(hub);
    hub.advance(2 * MINUTE);
    await runJob(hub.runtime, { job: 'halt-deployments' });
    expect((await Promise.all(ids.map(stateOf))).map((state) => state?.version)).toEqual(versions);
    expect(await notices(owner)).toHaveLength(1);
    expect(await trail(owner)).toEqual(['kill_switch_thrown by user']);
    const events = (await outbox(hub)).flatMap(({ message }) =>
      message?.kind === 'domain_event' && message.detail_type === 'Deployment Halted' ? [message.detail] : [],
    );
    expect(events.filter(({ deployment_id }) => ids.some((id) => id === deployment_id))).toHaveLength(3);
    expect(await stateFor(owner)).toEqual({
      thrown: true,
      switches: [
        {
          level: 'user',
          by: 'user',
          broker_id: null,
          since: expect.any(String),
          reason: 'Something is wrong.',
          flatten: false,
        },
      ],
      halting: { halted: 3, finished_at: expect.any(String) },
    });
  });

  test('refuses to deploy and to resume until it is re-armed, in the same calls', async () => {
    const owner = await signedTrader(hub);
    const [id = 0] = await deployAll(owner);
    hub.takeCalls();
    await deployTrading(hub, owner.keygen);
    const usual = hub.takeCalls();
    await switchOwn(hub, owner, 'throw');
    await haltAll(hub);
    hub.takeCalls();
    const refused = { status: 409, body: { code: 'kill_switch' } };
    expect(await deployTrading(hub, owner.keygen)).toMatchObject(refused);
    expect(hub.takeCalls()).toEqual(usual.slice(0, -1));
    expect(await deployNotification(owner)).toMatchObject(refused);
    expect(await deployScanner(owner)).toMatchObject(refused);
    expect(await resume(owner, id)).toMatchObject(refused);
    expect(await switchOwn(hub, owner, 're_arm')).toMatchObject({ body: { thrown: false, changed: true } });
    expect((await stateOf(id))?.status).toBe('halted');
    hub.takeCalls();
    expect(await resume(owner, id)).toMatchObject({ status: 200, body: { status: 'active' } });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    idOf(await deployTrading(hub, owner.keygen));
    expect(await trail(owner)).toEqual([
      'deployment_resumed by user',
      'kill_switch_re_armed by user',
      'kill_switch_thrown by user',
    ]);
    expect(await switchOwn(hub, owner, 're_arm')).toMatchObject({ body: { thrown: false, changed: false } });
    expect(await stateFor(owner)).toEqual({ thrown: false, switches: [], halting: null });
  });

  test('notifies again of another reason, or if positions are closed now, and not of a repeat', async () => {
    const owner = await signedTrader(hub);
    const deployment = (await deployTrading(hub, owner.keygen)).body.deployment_id;
    const throwIt = async (more: object = {}): Promise<number> => {
      await switchOwn(hub, owner, 'throw', { ...more });
      await haltAll(hub);
      return (await notices(owner)).length;
    };
    expect([await throwIt(), await throwIt()]).toEqual([1, 1]);
    const version = Number((await stateOf(deployment))?.version);
    expect([await throwIt({ flatten: true }), await throwIt({ flatten: true })]).toEqual([2, 2]);
    // A repeat flattens again.
    expect((await stateOf(deployment))?.version).toBe(version + 2);
    expect(await throwIt({ flatten: true, reason: 'Another one.' })).toBe(3);
  });

  test('needs the session of the owner and a reason', async () => {
    const owner = await signedTrader(hub);
    const other = await signedTrader(hub);
    const attempt = (headers: Record<string, string>, json: unknown = { action: 'throw', reason: 'x' }) =>
      hub.call('POST /kill_switch', { query: { user_id: owner.user_id }, headers, json });
    expect(await attempt({})).toMatchObject({ status: 401, body: { code: 'session_required' } });
    expect(await attempt(other.headers)).toMatchObject({ status: 403, body: { code: 'session_mismatch' } });
    const { body } = await hub.call('POST /generate_token', { query: { user_id: owner.user_id } });
    expect(await attempt(bearer(body.token ?? body.access_token))).toMatchObject({
      status: 403,
      body: { code: 'platform_token_insufficient' },
    });
    for (const json of [
      { action: 'throw' },
      { action: 'throw', reason: ' ' },
      { action: 'stop', reason: 'x' },
    ]) {
      expect((await attempt(owner.headers, json)).status).toBe(422);
    }
    expect((await stateFor(owner)).thrown).toBe(false);
  });

  test('is not lifted by the report of an engine', async () => {
    const owner = await signedTrader(hub);
    const [id = 0] = await deployAll(owner);
    await switchOwn(hub, owner, 'throw');
    await haltAll(hub);
    hub.advance(1000);
    await report(hub, 'Deployment Started', id);
    expect((await stateOf(id))?.status).toBe('halted');
  });

  test('lets no deployment slip past a throw in the middle of a request', async () => {
    const owner = await signedTrader(hub);
    const [id = 0] = await deployAll(owner);
    await hub.call('POST /pause_deployment', {
      query: { user_id: owner.user_id, deployment_id: String(id) },
    });
    const isRefused = { status: 409, body: { code: 'kill_switch' } };
    const query = { user_id: owner.user_id, deployment_id: String(id) };
    const attempts = [
      (on: typeof hub) => deployTrading(on, owner.keygen),
      (on: typeof hub) => on.call('POST /resume_deployment', { query }),
    ];
    for (const attempt of attempts) {
      expect(await attempt(racing(() => switchOwn(hub, owner, 'throw')))).toMatchObject(isRefused);
      await switchOwn(hub, owner, 're_arm');
      expect(
        await attempt(racing(() => throwSwitch(hub.runtime, { ...SERVICE, reason: 'x', flatten: false }))),
      ).toMatchObject(isRefused);
      await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'x' });
    }
    expect((await stateOf(id))?.status).toBe('paused');
  });

  test('goes on halting after a crash or a time limit', async () => {
    const owner = await signedTrader(hub);
    const ids = await deployAll(owner);
    await switchOwn(hub, owner, 'throw');
    class DyingStore extends Store {
      #left = 3;
      override async transact(writes: readonly Write[]): Promise<void> {
        if (--this.#left < 0) throw new Error('the process was killed');
        return super.transact(writes);
      }
    }
    const { client, table } = hub.runtime.store;
    await expect(haltAll(hub, { ...hub.runtime, store: new DyingStore(client, table) })).rejects.toThrow();
    await haltAll(hub, hub.runtime, () => 0);
    hub.advance(2 * MINUTE);
    expect(await runJob(hub.runtime, { job: 'halt-deployments' })).toMatchObject({ more: false });
    for (const id of ids) expect((await stateOf(id))?.status).toBe('halted');
    expect(await notices(owner)).toHaveLength(1);
    expect(await stateFor(owner)).toMatchObject({ halting: { finished_at: expect.any(String) } });
  });
});

test('a deployment that cannot be read holds up no other one of its user', async () => {
  const owner = await signedTrader(hub);
  const ids = await deployAll(owner);
  const stored = (await itemsOf(hub)).find(
    ({ entity, deployment_id }) => entity === 'deployment' && deployment_id === ids[1],
  );
  await putItem(hub, { ...stored, user_id: 7 });
  await switchOwn(hub, owner, 'throw');
  await expect(haltAll(hub)).rejects.toThrow('1 deployments or owners of a kill switch failed');
  for (const id of [ids[0], ids[2]]) expect((await stateOf(id ?? 0))?.status).toBe('halted');
  expect(await stateFor(owner)).toMatchObject({ halting: { finished_at: null } });
  await putItem(hub, { ...stored });
  hub.advance(2 * MINUTE);
  await runJob(hub.runtime, { job: 'halt-deployments' });
  expect((await stateOf(ids[1] ?? 0))?.status).toBe('halted');
  expect(await stateFor(owner)).toMatchObject({ halting: { finished_at: expect.any(String) } });
});

describe('the kill switch of a broker', () => {
  let desk: TestBroker;
  let owner: Owner;
  let atDesk: number;
  let elsewhere: number;

  const linked = async (): Promise<Owner> => {
    const user = await signedTrader(hub);
    const token = await tokenOf(hub, desk, `A-${user.user_id.slice(0, 6)}`);
    expect((await linkAccount(hub, user.email, desk.subdomain, token)).status).toBe(200);
    return user;
  };

  beforeEach(async () => {
    desk = await approvedBroker(hub);
    await hub.runtime.store.transact([riskGrantWrite(desk.subdomain, hub.runtime.clock())]);
    owner = await linked();
    // With two brokers, a deployment is at one only if it names it.
    const second = await approvedBroker(hub);
    await linkAccount(
      hub,
      owner.email,
      second.subdomain,
      await tokenOf(hub, second, `second-${owner.email}`),
    );
    atDesk = idOf(await deployTrading(hub, owner.keygen, { broker_id: String(desk.broker_id) }));
    elsewhere = idOf(await deployTrading(hub, owner.keygen));
  });

  const asBroker = async (
    route: string,
    query: Record<string, string> = {},
    json?: unknown,
    scope = 'broker:risk',
    at = desk,
  ): Promise<Response> => {
    const form = { grant_type: 'client_credentials', scope };
    const { body } = await askForAccess(hub, at, { form });
    const verdict = await authorizerOf(hub)(body.access_token);
    const authorized = verdict.isAuthorized ? verdict.context : undefined;
    return hub.call(route, {
      query,
      headers: bearer(body.access_token),
      authorized,
      ...(json !== undefined && { json }),
    });
  };

  const turn = (action: string, query: Record<string, string> = {}) =>
    asBroker('POST /broker/kill_switch', query, { action, reason: 'Risk desk.' });

  test('halts only deployments at the broker, and refuses others there', async () => {
    hub.takeCalls();
    expect(await turn('throw')).toMatchObject({ status: 200, body: { thrown: true } });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
    await haltAll(hub);
    expect(await stateOf(atDesk)).toMatchObject({ status: 'halted', stop_reason: 'kill_switch' });
    expect((await stateOf(elsewhere))?.status).toBe('requested');
    const isRefused = { status: 409, body: { code: 'kill_switch' } };
    expect(await deployTrading(hub, owner.keygen, { broker_id: String(desk.broker_id) })).toMatchObject(
      isRefused,
    );
    idOf(await deployTrading(hub, owner.keygen));
    expect(await resume(owner, atDesk)).toMatchObject(isRefused);
    expect(await stateFor(owner)).toMatchObject({
      thrown: true,
      switches: [{ level: 'broker', by: 'broker', broker_id: desk.broker_id, reason: 'Risk desk.' }],
      halting: null,
    });
    expect(await notices(owner)).toHaveLength(1);
    expect(await trail(owner)).toEqual(['kill_switch_thrown by broker']);
    // The owner holds another switch, and cannot clear this one.
    await switchOwn(hub, owner, 'throw');
    await switchOwn(hub, owner, 're_arm');
    expect((await stateFor(owner)).switches).toHaveLength(1);
    expect(await turn('re_arm')).toMatchObject({ body: { thrown: false, changed: true } });
    hub.takeCalls();
    expect((await resume(owner, atDesk)).status).toBe(200);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  });

  test('can be that of one user, and is in the trail of the broker', async () => {
    const other = await linked();
    const others = idOf(await deployTrading(hub, other.keygen, { broker_id: String(desk.broker_id) }));
    await turn('throw', { user_email: owner.email });
    await haltAll(hub);
    expect((await stateOf(atDesk))?.status).toBe('halted');
    for (const id of [others, elsewhere]) expect((await stateOf(id))?.status).toBe('requested');
    const read = await asBroker('GET /broker/get_kill_switch', { user_email: owner.email });
    expect(read.body).toMatchObject({
      thrown: true,
      switches: [{ level: 'user', by: 'broker', broker_id: desk.broker_id }],
      items: [{ action: 'kill_switch_thrown', by: 'broker', user_email: owner.email, reason: 'Risk desk.' }],
      total: 1,
    });
    expect(read.text).not.toContain(owner.user_id);
    await turn('re_arm', { user_email: owner.email });
    expect((await asBroker('GET /broker/get_kill_switch')).body).toMatchObject({
      thrown: false,
      switches: [],
      items: [{ action: 'kill_switch_re_armed' }, { action: 'kill_switch_thrown' }],
    });
  });

  test('that of one user is re-armed by the user only after leaving the broker', async () => {
    await turn('throw', { user_email: owner.email });
    await haltAll(hub);
    expect((await switchOwn(hub, owner, 're_arm')).body).toMatchObject({ changed: false });
    const query = { broker_domain: desk.subdomain };
    const left = await hub.call('POST /unlink_broker', { query, headers: owner.headers });
    expect(left).toMatchObject({ status: 200 });
    const switches = [{ level: 'user', by: 'broker', broker_id: desk.broker_id }];
    expect(await stateFor(owner)).toMatchObject({ thrown: true, switches });
    expect(await resume(owner, atDesk)).toMatchObject({ status: 409, body: { code: 'kill_switch' } });
    expect((await switchOwn(hub, owner, 're_arm')).body).toMatchObject({ thrown: false, changed: true });
    expect(await stateFor(owner)).toMatchObject({ thrown: false, switches: [] });
    expect((await resume(owner, atDesk)).status).toBe(200);
    expect((await trail(owner))[1]).toBe('kill_switch_re_armed by user');
    // To return does not get rid of the hold.
    const token = await tokenOf(hub, desk, 'A-again');
    const link = (by = hub) => linkAccount(by, owner.email, desk.subdomain, token);
    expect(await link(racing(() => switchOwn(hub, owner, 'throw')))).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    });
    await switchOwn(hub, owner, 're_arm');
    expect((await link()).status).toBe(200);
    expect(await stateFor(owner)).toMatchObject({ thrown: true, switches });
    expect((await trail(owner)).slice(0, 2)).toEqual([
      'kill_switch_thrown by broker',
      'kill_switch_re_armed by user',
    ]);
    expect((await stateOf(atDesk))?.status).not.toBe('halted');
    await haltAll(hub);
    expect(await stateOf(atDesk)).toMatchObject({ status: 'halted' });
    expect((await switchOwn(hub, owner, 're_arm')).body).toMatchObject({ changed: false });
    const again = await deployTrading(hub, owner.keygen, { broker_id: String(desk.broker_id) });
    expect(again).toMatchObject({ status: 409, body: { code: 'kill_switch' } });
    await turn('re_arm', { user_email: owner.email });
    expect(await stateFor(owner)).toMatchObject({ thrown: false, switches: [] });
  });

  test('answers a user of another broker and an unknown one alike', async () => {
    const stranger = await signedTrader(hub);
    const answers = [
      await turn('throw', { user_email: stranger.email }),
      await turn('throw', { user_email: 'nobody@example.com' }),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, answers[1]?.body]);
    }
  });

  test('needs the scope, and the grant of the operator at every use', async () => {
    const insufficient = { status: 403, body: { code: 'scope_insufficient' } };
    const body = { action: 'throw', reason: 'x' };
    expect(await asBroker('POST /broker/kill_switch', {}, body, 'broker:read')).toMatchObject(insufficient);
    const form = { grant_type: 'client_credentials', scope: 'broker:risk' };
    const token = (await askForAccess(hub, desk, { form })).body.access_token;
    const verdict = await authorizerOf(hub)(token);
    await hub.runtime.store.transact([riskGrantWrite(desk.subdomain, undefined)]);
    const authorized = verdict.isAuthorized ? verdict.context : undefined;
    for (const query of [{}, { user_email: owner.email }]) {
      expect(await hub.call('POST /broker/kill_switch', { query, authorized, json: body })).toMatchObject(
        insufficient,
      );
    }
    expect((await stateFor(owner)).thrown).toBe(false);
  });

  test('lets no resume slip past a throw in the middle of it', async () => {
    await hub.call('POST /pause_deployment', {
      query: { user_id: owner.user_id, deployment_id: String(elsewhere) },
    });
    await report(hub, 'Deployment Started', atDesk);
    hub.advance(1000);
    const query = { user_id: owner.user_id, deployment_id: String(atDesk) };
    expect((await hub.call('POST /pause_deployment', { query })).status).toBe(200);
    const raced = await racing(() => turn('throw')).call('POST /resume_deployment', { query });
    expect(raced).toMatchObject({ status: 409, body: { code: 'kill_switch' } });
    expect((await stateOf(atDesk))?.status).toBe('paused');
  });
});

describe('the kill switch of the service', () => {
  test('halts all deployments of all users, is seen in the log every minute, and only the operator re-arms it', async () => {
    const owners = [await signedTrader(hub), await signedTrader(hub)];
    const ids = [];
    for (const owner of owners) ids.push(...(await deployAll(owner)));
    await throwSwitch(hub.runtime, { ...SERVICE, reason: 'A bad release.', flatten: false });
    await haltAll(hub);
    for (const id of ids) expect((await stateOf(id))?.status).toBe('halted');
    for (const owner of owners) {
      expect(await notices(owner)).toHaveLength(1);
      expect(await trail(owner)).toEqual(['kill_switch_thrown by operator']);
      await switchOwn(hub, owner, 're_arm');
      expect((await stateFor(owner)).switches).toEqual([
        expect.objectContaining({ level: 'service', by: 'operator', reason: 'A bad release.' }),
      ]);
      expect((await deployTrading(hub, owner.keygen)).status).toBe(409);
    }
    const stopped = () =>
      hub.log.filter(({ message }) => message === 'the kill switch of the service is thrown');
    hub.log.length = 0;
    await runJob(hub.runtime, { job: 'halt-deployments' });
    expect(stopped()).toHaveLength(1);
    await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'Fixed.' });
    await runJob(hub.runtime, { job: 'halt-deployments' });
    expect(stopped()).toHaveLength(1);
    for (const owner of owners) idOf(await deployTrading(hub, owner.keygen));
  });

  test('stops halting when it is re-armed', async () => {
    const owner = await signedTrader(hub);
    const [id = 0] = await deployAll(owner);
    await throwSwitch(hub.runtime, { ...SERVICE, reason: 'A mistake.', flatten: false });
    await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'A mistake.' });
    await haltAll(hub);
    expect((await stateOf(id))?.status).toBe('active');
  });
});
