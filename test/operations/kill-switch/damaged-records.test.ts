import { beforeEach, describe, expect, test } from '@jest/globals';
import { auditList } from '../../../shared/data/audit/audit-trail.ts';
import { activeKey } from '../../../shared/data/books/active-deployments.ts';
import { riskGrantWrite } from '../../../shared/data/brokers/broker-changes.ts';
import { deploymentList, findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { entryKey, headKey, type NumberedList } from '../../../shared/data/numbered-list/numbered-list.ts';
import { brokerTrail } from '../../../shared/data/switches/switch-trail.ts';
import { switchKeys } from '../../../shared/data/switches/switches.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { reArmSwitch, throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { approvedBroker, linkAccount, registerAtBroker, tokenOf } from '../../support/brokers.ts';
import type { Response } from '../../support/hub.ts';
import { askForAccess, readAs } from '../../support/integrators.ts';
import { runJob } from '../../support/jobs.ts';
import { haltAll, signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { openHub } from '../../support/open-hub.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report } from '../../support/trading.ts';

const SERVICE = { subject: { level: 'service' }, actor: { by: 'operator' } } as const;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => {
  hub.advance(1000);
  hub.log.length = 0;
});

/** Deploys two trading deployments of a user. */
const deployTwo = async () => {
  const owner = await signedTrader(hub);
  const { body: other } = await build(hub, {
    user_id: owner.user_id,
    symbol: 'AAPL',
    strategy_name: 'Other',
  });
  const ids: number[] = [];
  for (const keygen of [owner.keygen, other.keygen]) {
    const { status, body } = await deployTrading(hub, keygen);
    expect(status).toBe(200);
    await report(hub, 'Deployment Started', body.deployment_id);
    ids.push(body.deployment_id);
  }
  return { owner, ids };
};

const damage = async (key: Key, change: Item): Promise<void> => {
  const [item] = await hub.runtime.store.getMany([key]);
  if (!item) throw new Error('there is no item to damage');
  await hub.runtime.store.put({ ...item, ...change });
};

const statusesOf = async (ids: readonly number[]): Promise<string[]> =>
  (await findDeployments(hub.runtime.store, ids)).map(({ status }) => status);

const named = (): unknown[] =>
  hub.log.flatMap(({ message, extra }) => (message === 'a record cannot be read' ? [extra.record] : []));

test('a damaged entry of the walk over all deployments does not stop it, and its deployment is halted, too', async () => {
  const { ids } = await deployTwo();
  for (const id of ids) await damage(activeKey('LIVE', id), { deployment_id: undefined, broker_id: 'x' });
  await throwSwitch(hub.runtime, { ...SERVICE, reason: 'A bad release.', flatten: false });
  await haltAll(hub);
  expect(await statusesOf(ids)).toEqual(['halted', 'halted']);
  await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'Fixed.' });
});

test('a damaged entry among the deployments of a user hides only itself, and is named', async () => {
  const { owner, ids } = await deployTwo();
  await damage(entryKey(deploymentList('all', owner.user_id), 0), { deployment_id: undefined });
  expect((await switchOwn(hub, owner, 'throw')).status).toBe(200);
  await expect(haltAll(hub)).rejects.toThrow();
  expect(await statusesOf(ids)).toEqual(['active', 'halted']);
  hub.advance(120_000);
  await expect(runJob(hub.runtime, { job: 'halt-deployments' })).rejects.toThrow();
  expect(named()).toEqual([
    'the entry 000000000000 of all deployments of a user cannot be read: deployment_id: field required',
  ]);
  await damage(entryKey(deploymentList('all', owner.user_id), 0), { deployment_id: ids[0] });
  hub.advance(3_600_000);
  await runJob(hub.runtime, { job: 'halt-deployments' });
  expect(await statusesOf(ids)).toEqual(['halted', 'halted']);
});

test('a damaged trail does not stop a throw, and is named without its user', async () => {
  const { owner, ids } = await deployTwo();
  const head = headKey(auditList(owner.user_id));
  const [stored] = await hub.runtime.store.getMany([head]);
  await hub.runtime.store.put({ ...head, entity: 'list', head: { next: 0 } });
  expect(await switchOwn(hub, owner, 'throw')).toMatchObject({ status: 200, body: { thrown: true } });
  expect(named()).toEqual([
    expect.stringMatching(/^the head of the trail of a user cannot be read: gone: field required/),
  ]);
  await haltAll(hub);
  expect(await statusesOf(ids)).toEqual(['halted', 'halted']);
  await (stored ? hub.runtime.store.put({ ...head, ...stored }) : hub.runtime.store.delete(head));
});

test.each([0, 3])('a damaged copy of the switch of the service does not stop a throw: %d', async (copy) => {
  const { ids } = await deployTwo();
  await throwSwitch(hub.runtime, { ...SERVICE, reason: 'A drill.', flatten: false });
  await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'It is over.' });
  await damage(keys.serviceSwitch(copy), { holds: undefined, rev: undefined });
  await throwSwitch(hub.runtime, { ...SERVICE, reason: 'A bad release.', flatten: false });
  const found = await hub.runtime.store.getMany([0, 1, 3].map(keys.serviceSwitch));
  for (const one of found) expect(one).toMatchObject({ holds: { operator: { reason: 'A bad release.' } } });
  await damage(keys.serviceSwitch(copy), { holds: undefined });
  await haltAll(hub);
  expect(await statusesOf(ids)).toEqual(['halted', 'halted']);
  await runJob(hub.runtime, { job: 'halt-deployments' });
  expect(hub.log.map(({ message }) => message)).toContain('the kill switch of the service is thrown');
  await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'Fixed.' });
});

test.each<[string, 'user' | 'broker', Item, boolean]>([
  ['a hold that cannot be read', 'user', { holds: { user: { at: 7 } } }, true],
  ['lost holders', 'user', { holds: undefined }, true],
  ['lost holders, thrown by a broker', 'broker', { holds: undefined }, true],
  ['no hold of its thrower any more', 'user', { holds: {}, rev: 'x' }, false],
])(
  'a switch that is damaged before its deployments are halted, with %s',
  async (_name, by, change, isHeld) => {
    const { owner, ids } = await deployTwo();
    const desk = by === 'broker' ? await approvedBroker(hub) : undefined;
    if (desk) {
      await linkAccount(hub, owner.email, desk.subdomain, await tokenOf(hub, desk, `acc-${owner.email}`));
      const { body } = await deployTrading(hub, owner.keygen, { broker_id: String(desk.broker_id) });
      await report(hub, 'Deployment Started', body.deployment_id);
      ids.splice(0, ids.length, body.deployment_id);
    }
    const subject = { level: 'user', user_id: owner.user_id } as const;
    const actor = desk ? ({ by: 'broker', broker_id: desk.broker_id } as const) : ({ by: 'user' } as const);
    await throwSwitch(hub.runtime, { subject, actor, reason: 'A bad day.', flatten: false });
    await damage(keys.userSwitch(owner.user_id), change);
    await haltAll(hub);
    expect(await statusesOf(ids)).toEqual(ids.map(() => (isHeld ? 'halted' : 'active')));
    expect(named()).toContainEqual(
      expect.stringMatching(/^the kill switch of a user cannot be read: (holds|rev)/),
    );
  },
);

const userSwitch = async (owner: { readonly user_id: string }): Promise<Item | undefined> =>
  (await hub.runtime.store.getMany([keys.userSwitch(owner.user_id)], { consistent: true }))[0];

const newestOf = async (list: NumberedList): Promise<Item | undefined> => {
  const [newest] = await hub.runtime.store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk < :end',
    ExpressionAttributeValues: { ':pk': list.pk, ':end': 'A' },
    ScanIndexForward: false,
    Limit: 1,
  });
  return newest;
};

const isThrown = async ({ user_id, headers }: Awaited<ReturnType<typeof signedTrader>>): Promise<boolean> =>
  (await hub.call('GET /get_kill_switch', { query: { user_id }, headers })).body.thrown;

describe.each<[string, Item]>([
  ['with a hold that cannot be read', { holds: { user: { at: 7 } } }],
  ['without a revision', { rev: undefined }],
  ['with a revision that is a text', { rev: 'x' }],
])('a damaged switch of a user %s', (_name, change) => {
  const damagedSwitch = async () => {
    const owner = await signedTrader(hub);
    expect((await switchOwn(hub, owner, 'throw')).status).toBe(200);
    await damage(keys.userSwitch(owner.user_id), change);
    hub.log.length = 0;
    return owner;
  };

  test('stops orders until its owner re-arms it, which is in the audit trail', async () => {
    const owner = await damagedSwitch();
    expect((await deployTrading(hub, owner.keygen)).status).toBe(500);
    expect(await switchOwn(hub, owner, 're_arm')).toMatchObject({ status: 200, body: { changed: true } });
    expect(named()).toEqual([
      expect.stringMatching(/^the kill switch of a user cannot be read, and is replaced: (holds|rev)/),
    ]);
    expect(JSON.stringify(hub.log)).not.toContain(owner.user_id);
    expect(await newestOf(auditList(owner.user_id))).toMatchObject({
      action: 'kill_switch_re_armed',
      by: 'user',
      details: { was_damaged: true },
    });
    expect(await isThrown(owner)).toBe(false);
    expect((await deployTrading(hub, owner.keygen)).status).toBe(200);
  });

  test('is thrown again by its owner, and halts', async () => {
    const owner = await damagedSwitch();
    expect((await switchOwn(hub, owner, 'throw', { reason: 'Once more.' })).status).toBe(200);
    expect(await userSwitch(owner)).toMatchObject({ holds: { user: { reason: 'Once more.' } } });
    await haltAll(hub);
    expect(await isThrown(owner)).toBe(true);
    expect((await switchOwn(hub, owner, 're_arm')).body).toMatchObject({ changed: true });
    expect(await isThrown(owner)).toBe(false);
  });

  test('is re-armed by an operator', async () => {
    const owner = await damagedSwitch();
    const subject = { level: 'user', user_id: owner.user_id } as const;
    const command = { subject, actor: { by: 'operator' }, reason: 'Mended.' } as const;
    expect(await reArmSwitch(hub.runtime, command)).toBe(true);
    expect(await newestOf(auditList(owner.user_id))).toMatchObject({ by: 'operator', reason: 'Mended.' });
    // The hold of the owner, if it can be read, is not the operator's to end.
    expect(await isThrown(owner)).toBe('rev' in change);
    await switchOwn(hub, owner, 're_arm');
    expect(await isThrown(owner)).toBe(false);
    expect((await deployTrading(hub, owner.keygen)).status).toBe(200);
  });
});

test.each([
  ['that can be read', { reason: 'A bad account.' }, {}],
  ['that cannot be read', {}, { at: 7 }],
])('the owner of a damaged switch does not end the hold of an operator %s', async (_name, shown, hold) => {
  const owner = await signedTrader(hub);
  const subject = { level: 'user', user_id: owner.user_id } as const;
  const operator = { subject, actor: { by: 'operator' } } as const;
  await throwSwitch(hub.runtime, { ...operator, reason: 'A bad account.', flatten: false });
  const thrown = { at: '2026-01-01T00:00:00.000Z', reason: 'A bad account.', flatten: false };
  await damage(keys.userSwitch(owner.user_id), {
    holds: { user: { reason: 7 }, operator: { ...thrown, ...hold } },
  });
  expect((await switchOwn(hub, owner, 're_arm')).body).toMatchObject({ changed: true });
  const { holds } = (await userSwitch(owner)) ?? {};
  expect(holds).toEqual({ operator: expect.objectContaining(shown) });
  expect(await isThrown(owner)).toBe(true);
  expect(await reArmSwitch(hub.runtime, { ...operator, reason: 'Checked.' })).toBe(true);
  expect(await isThrown(owner)).toBe(false);
});

test.each(['user', 'operator', 'broker'] as const)(
  'a switch whose holders are lost, thrown by %s, stops orders until its owner and an operator re-arm it',
  async (by) => {
    const owner = await signedTrader(hub);
    const key = keys.userSwitch(owner.user_id);
    const subject = { level: 'user', user_id: owner.user_id } as const;
    const actor = by === 'broker' ? ({ by, broker_id: 4711 } as const) : { by };
    await throwSwitch(hub.runtime, { subject, actor, reason: 'A bad account.', flatten: false });
    await damage(key, { holds: undefined });
    expect((await deployTrading(hub, owner.keygen)).status).toBe(500);
    hub.log.length = 0;
    expect(await switchOwn(hub, owner, 're_arm')).toMatchObject({ status: 200, body: { changed: true } });
    expect(named()).toEqual([
      expect.stringMatching(/^the kill switch of a user cannot be read, and is replaced: holds/),
    ]);
    expect(JSON.stringify(hub.log)).not.toContain(owner.user_id);
    expect(await newestOf(auditList(owner.user_id))).toMatchObject({ details: { was_damaged: true } });
    expect(await isThrown(owner)).toBe(true);
    for (const action of ['throw', 're_arm'] as const) {
      expect((await switchOwn(hub, owner, action)).status).toBe(200);
      expect(await isThrown(owner)).toBe(true);
    }
    expect((await deployTrading(hub, owner.keygen)).status).toBe(409);
    const operator = { subject, actor: { by: 'operator' } } as const;
    expect(await reArmSwitch(hub.runtime, { ...operator, reason: 'Checked.' })).toBe(true);
    expect(await isThrown(owner)).toBe(false);
    expect((await deployTrading(hub, owner.keygen)).status).toBe(200);
  },
);

test('an operator alone re-arms a switch whose holders are lost', async () => {
  const owner = await signedTrader(hub);
  await switchOwn(hub, owner, 'throw');
  await damage(keys.userSwitch(owner.user_id), { holds: undefined });
  const subject = { level: 'user', user_id: owner.user_id } as const;
  const command = { subject, actor: { by: 'operator' }, reason: 'Mended.' } as const;
  expect(await reArmSwitch(hub.runtime, command)).toBe(true);
  expect(await isThrown(owner)).toBe(false);
});

test('an operator who ends an own throw does not end what the owner of a switch whose holders are lost may hold', async () => {
  const owner = await signedTrader(hub);
  await switchOwn(hub, owner, 'throw');
  await damage(keys.userSwitch(owner.user_id), { holds: undefined });
  const subject = { level: 'user', user_id: owner.user_id } as const;
  const operator = { subject, actor: { by: 'operator' } } as const;
  await throwSwitch(hub.runtime, { ...operator, reason: 'A drill.', flatten: false });
  expect(await reArmSwitch(hub.runtime, { ...operator, reason: 'It is over.' })).toBe(true);
  expect(await isThrown(owner)).toBe(true);
  await switchOwn(hub, owner, 're_arm');
  expect(await isThrown(owner)).toBe(false);
});

test('a damaged switch of a broker is thrown and re-armed by an operator', async () => {
  const subject = { level: 'broker', broker_id: 4711 } as const;
  const operator = { subject, actor: { by: 'operator' } } as const;
  const key = keys.brokerSwitch(4711);
  await throwSwitch(hub.runtime, { ...operator, reason: 'A drill.', flatten: false });
  await damage(key, { holds: undefined });
  expect(await reArmSwitch(hub.runtime, { ...operator, reason: 'It is over.' })).toBe(true);
  expect(await newestOf(brokerTrail(4711))).toMatchObject({ action: 'kill_switch_re_armed', by: 'operator' });
  expect((await hub.runtime.store.getMany([key]))[0]).toMatchObject({ holds: {}, rev: 2 });
  await damage(key, { holds: 'x' });
  await throwSwitch(hub.runtime, { ...operator, reason: 'Another one.', flatten: false });
  expect((await hub.runtime.store.getMany([key]))[0]).toMatchObject({
    holds: { operator: { reason: 'Another one.' }, broker: { reason: expect.stringContaining('damaged') } },
  });
});

test('a damaged switch that another writer mends meanwhile is not replaced', async () => {
  const owner = await signedTrader(hub);
  await switchOwn(hub, owner, 'throw');
  const whole = await userSwitch(owner);
  const key = keys.userSwitch(owner.user_id);
  await damage(key, { rev: 'x' });
  const { store } = hub.runtime;
  class Racing extends Store {
    isMended = false;
    override async getMany(...read: Parameters<Store['getMany']>) {
      const items = await super.getMany(...read);
      if (!this.isMended) {
        this.isMended = true;
        const operator = { at: '2026-01-01T00:00:00.000Z', reason: 'Meanwhile.', flatten: false };
        await store.put({ ...whole, ...key, holds: { operator } });
      }
      return items;
    }
  }
  const racing = new Racing(store.client, store.table);
  const subject = { level: 'user', user_id: owner.user_id } as const;
  const command = { subject, actor: { by: 'user' }, reason: 'Mine.' } as const;
  expect(await reArmSwitch({ ...hub.runtime, store: racing }, command)).toBe(false);
  expect(await userSwitch(owner)).toMatchObject({ holds: { operator: { reason: 'Meanwhile.' } } });
});

const shownTo = ({ user_id, headers }: Awaited<ReturnType<typeof signedTrader>>): Promise<Response> =>
  hub.call('GET /get_kill_switch', { query: { user_id }, headers });

describe('GET /get_kill_switch shows a damaged switch as thrown', () => {
  const damagedReason = expect.stringContaining('damaged');

  test.each<[string, Item, object[]]>([
    [
      'of the user, with the holds that can be read',
      {
        holds: { user: { at: 7 }, operator: { at: '2026-01-01T00:00:00.000Z', reason: 'A.', flatten: true } },
      },
      [
        { level: 'user', by: 'user', broker_id: null, reason: damagedReason, flatten: false },
        {
          level: 'user',
          by: 'operator',
          broker_id: null,
          reason: 'A.',
          flatten: true,
          since: '2026-01-01T00:00:00.000Z',
        },
      ],
    ],
    [
      'of the user, if its holders are lost',
      { holds: undefined },
      [
        { level: 'user', by: 'user', reason: damagedReason },
        { level: 'user', by: 'operator', reason: damagedReason },
      ],
    ],
    [
      'of the user, if nobody holds it',
      { holds: {}, rev: 'x' },
      [{ level: 'user', by: 'user', broker_id: null, reason: damagedReason }],
    ],
  ])('%s', async (_name, change, shown) => {
    const owner = await signedTrader(hub);
    await switchOwn(hub, owner, 'throw');
    await damage(keys.userSwitch(owner.user_id), change);
    expect((await deployTrading(hub, owner.keygen)).status).toBe(500);
    hub.log.length = 0;
    const { status, body } = await shownTo(owner);
    expect([status, body.thrown, body.halting]).toEqual([200, true, null]);
    expect(body.switches).toHaveLength(shown.length);
    for (const one of shown) expect(body.switches).toContainEqual(expect.objectContaining(one));
    expect(named()).toEqual([
      expect.stringMatching(/^the kill switch of a user cannot be read: (holds|rev)/),
    ]);
    expect(JSON.stringify(hub.log)).not.toContain(owner.user_id);
    expect((await switchOwn(hub, owner, 're_arm')).body).toMatchObject({ changed: true });
  });

  test('of the service, to those whose orders it stops', async () => {
    const owner = await signedTrader(hub);
    const [key] = switchKeys(owner);
    if (!key) throw new Error('there is no switch of the service');
    await throwSwitch(hub.runtime, { ...SERVICE, reason: 'A drill.', flatten: false });
    await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'It is over.' });
    expect((await shownTo(owner)).body).toEqual({ thrown: false, switches: [], halting: null });
    await damage(key, { rev: undefined });
    expect((await deployTrading(hub, owner.keygen)).status).toBe(500);
    expect(await shownTo(owner)).toMatchObject({
      status: 200,
      body: { thrown: true, switches: [{ level: 'service', by: 'operator', reason: damagedReason }] },
    });
    expect(named()).toContain('the kill switch of the service cannot be read: rev: field required');
    expect(await reArmSwitch(hub.runtime, { ...SERVICE, reason: 'Mended.' })).toBe(true);
    expect((await shownTo(owner)).body.thrown).toBe(false);
  });

  test('of a broker, and a damaged work of halting hides only itself', async () => {
    const desk = await approvedBroker(hub);
    await hub.runtime.store.transact([riskGrantWrite(desk.subdomain, hub.runtime.clock())]);
    const form = { grant_type: 'client_credentials', scope: 'broker:risk' };
    const token = (await askForAccess(hub, desk, { form })).body.access_token;
    const { user_id, email } = (await registerAtBroker(hub, desk.subdomain)).body;
    const read = (more: Readonly<Record<string, string>> = {}) =>
      readAs(hub, token, 'GET /broker/get_kill_switch', more);
    const subject = { level: 'broker', broker_id: desk.broker_id } as const;
    const operator = { by: 'operator' } as const;
    await throwSwitch(hub.runtime, { subject, actor: operator, reason: 'A drill.', flatten: false });
    await damage(keys.brokerSwitch(desk.broker_id), { holds: undefined });
    const thrown = ['broker', 'operator'].map((by) =>
      expect.objectContaining({ level: 'broker', by, broker_id: desk.broker_id, reason: damagedReason }),
    );
    const { status, body } = await read();
    expect([status, body.thrown, body.switches]).toEqual([200, true, thrown]);

    const own = { level: 'user', user_id: String(user_id) } as const;
    const id = await throwSwitch(hub.runtime, {
      subject: own,
      actor: { by: 'user' },
      reason: 'Mine.',
      flatten: false,
    });
    await damage(keys.halt(id), { halted: 'x' });
    const shown = await hub.call('GET /get_kill_switch', { query: { user_id: String(user_id) } });
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({
      thrown: true,
      switches: [expect.objectContaining({ level: 'user', by: 'user', reason: 'Mine.' }), ...thrown],
      halting: null,
    });

    // The broker may have held the switch of the user, but does not learn that the user does.
    expect((await read({ user_email: email })).body.switches).toEqual(thrown);
    await damage(keys.userSwitch(String(user_id)), { holds: undefined });
    expect((await read({ user_email: email })).body.switches).toEqual([
      ...thrown,
      expect.objectContaining({ level: 'user', by: 'broker', reason: damagedReason }),
    ]);
  });
});
