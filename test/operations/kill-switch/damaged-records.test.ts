import { beforeEach, expect, test } from '@jest/globals';
import { auditList } from '../../../shared/data/audit/audit-trail.ts';
import { activeKey } from '../../../shared/data/books/active-deployments.ts';
import { deploymentList, findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { entryKey, headKey } from '../../../shared/data/numbered-list/numbered-list.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { reArmSwitch, throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
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
