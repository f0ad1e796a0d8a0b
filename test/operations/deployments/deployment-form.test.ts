import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asDeployment, changedDeploymentWrite } from '../../../shared/data/deployments/deployments.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployedTrader,
  deployTrading,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../../support/trading.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['AAPL', 'MSFT']);
});
afterAll(() => hub.close());

const itemOf = async (id: number): Promise<Item> => {
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
  if (!item) throw new Error('the deployment is missing');
  return item;
};

/** Returns the service with functions that write the form of earlier versions. */
const former = () => hub.with({ HUB_DEPLOYMENT_FORM: 'attributes' });

const deployed = async (on: TestHub): Promise<{ id: number; user_id: string }> => {
  const owner = await trader(hub);
  const { body } = await deployTrading(on, owner.keygen);
  const id: number = body.deployment_id;
  await setDeploymentLimits(on.runtime, id, owner.user_id, { orders_per_day: 5 }, undefined);
  return { id, user_id: owner.user_id };
};

const order = (id: number, name: string, second: number) => ({
  deployment_id: id,
  client_order_id: name,
  occurred_at: new Date(hub.runtime.clock().getTime() + second * 1000).toISOString(),
});

const shown = async (user_id: string, id: number): Promise<unknown> => {
  const query = { user_id, deployment_id: String(id) };
  const { body } = await hub.call('GET /get_risk_limits', { query });
  return body;
};

test('a deployment has few attributes, with limits too', async () => {
  const { id } = await deployed(hub);
  await reportOrder(hub, id, order(id, 'one', 1));
  expect(Object.keys(await itemOf(id)).sort()).toEqual([
    'deployment_id',
    'entity',
    'facts',
    'ledger',
    'pk',
    'progress',
    'sk',
    'unread',
    'user_id',
    'version',
  ]);
});

test('a deployment of an earlier version moves with its next event, and nothing of it is lost', async () => {
  const { id, user_id } = await deployed(former());
  await reportOrder(former(), id, order(id, 'one', 1));
  const before = await itemOf(id);
  expect(before).toMatchObject({ status: 'requested', limits: { merged: { orders_per_day: 5 } } });
  expect(before).not.toHaveProperty('facts');
  const limits = await shown(user_id, id);
  const known = asDeployment(before);
  await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 101 });
  const after = await itemOf(id);
  expect(after).toHaveProperty('facts');
  for (const name of ['limits', 'risk', 'status', 'symbols', 'kind']) expect(after).not.toHaveProperty(name);
  const { version = 0, ...now } = asDeployment(after) ?? {};
  expect(now).toMatchObject({ limits: known?.kind === 'live' && known.limits, status: 'requested' });
  expect(version).toBe((known?.version ?? 0) + 1);
  expect(await shown(user_id, id)).toEqual(limits);
});

test('a packed deployment moves back, so that earlier versions read it, and keeps fields of a newer version', async () => {
  const { id, user_id } = await deployed(hub);
  await reportOrder(hub, id, order(id, 'one', 1));
  const limits = await shown(user_id, id);
  const { progress } = await itemOf(id);
  const newer = { ...JSON.parse(String(progress)), from_next: { a: 1 } };
  await hub.runtime.store.transact([
    { key: keys.deployment(id), set: { progress: JSON.stringify(newer), apart_from_next: 2 } },
  ]);
  await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 101 });
  const kept = await itemOf(id);
  expect(JSON.parse(String(kept.progress))).toMatchObject({ from_next: { a: 1 } });
  expect(kept.apart_from_next).toBe(2);
  await report(former(), 'Quote Marked', id, { symbol: 'AAPL', price: 102 });
  const item = await itemOf(id);
  expect(item).not.toHaveProperty('facts');
  expect(item).not.toHaveProperty('progress');
  expect(item).toMatchObject({ kind: 'live', from_next: { a: 1 }, apart_from_next: 2 });
  expect(await shown(user_id, id)).toEqual(limits);
});

test('the update that moves a deployment back names no part of its key, which DynamoDB refuses', async () => {
  const { id } = await deployed(hub);
  const before = asDeployment(await itemOf(id));
  if (!before) throw new Error('the deployment is missing');
  const write = changedDeploymentWrite(before, { ...before, phase: 'entered' }, 'attributes');
  expect(write).toMatchObject({ set: { phase: 'entered', kind: 'live', version: before.version + 1 } });
  expect(write).not.toHaveProperty('set.pk');
  expect(write).not.toHaveProperty('set.sk');
});

test('a packed deployment that moves back as it ends leaves the index of expiry', async () => {
  const expires_at = new Date(hub.runtime.clock().getTime() + 86_400_000).toISOString();
  const { id, user_id } = await deployedTrader(hub, { expires_at });
  expect(await itemOf(id)).toMatchObject({ due_kind: 'deployment_expiry' });
  expect((await undeployTrading(former(), user_id, id)).status).toBe(200);
  const item = await itemOf(id);
  expect(item).toMatchObject({ status: 'stopped' });
  expect(item).not.toHaveProperty('due_kind');
  expect(item).not.toHaveProperty('due_at');
});

test('an attribute that a moved deployment no longer has is removed', async () => {
  const { id } = await deployed(hub);
  const loose = { by: 'user', status: 'paused', reason: 'Lunch', at: hub.runtime.clock().toISOString() };
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { held: loose } }]);
  const before = asDeployment(await itemOf(id));
  if (!before?.held) throw new Error('the deployment is not held');
  const { held: _, ...after } = before;
  await hub.runtime.store.transact([changedDeploymentWrite(before, after, 'attributes')]);
  expect(asDeployment(await itemOf(id))?.held).toBeUndefined();
});

test('an attribute of its own prevails, and the next write packs it', async () => {
  const { id } = await deployed(hub);
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { status: 'paused' } }]);
  expect(asDeployment(await itemOf(id))?.status).toBe('paused');
  await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 101 });
  const item = await itemOf(id);
  expect(item).not.toHaveProperty('status');
  expect(asDeployment(item)?.status).toBe('paused');
});
