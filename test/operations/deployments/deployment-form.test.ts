import { inflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { parseListEntries } from '../../../shared/data/books/list-entries.ts';
import { orderKey } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { asDeployment, changedDeploymentWrite } from '../../../shared/data/deployments/deployments.ts';
import { findDeadLetters, reviveDeadLetter } from '../../../shared/data/outbox/dead-letters.ts';
import { postponeDelivery } from '../../../shared/data/outbox/deliveries.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { DICTIONARIES } from '../../../shared/data/table/dictionaries.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import {
  hasDictionary,
  isListed,
  pack,
  unpackJson,
  unpackOrParse,
} from '../../../shared/data/table/packed.ts';
import { type DeploymentForm, writeForm } from '../../../shared/data/table/stored-form.ts';
import { isRecord } from '../../../shared/domain/unknown-fields.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { deliver } from '../../support/functions/deliveries.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployedTrader,
  deployTrading,
  engineEvent,
  enterAll,
  orderDetail,
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
afterEach(() => writeForm('listed'));

const itemOf = async (id: number): Promise<Item> => {
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
  if (!item) throw new Error('the deployment is missing');
  return item;
};

/** Returns the service, which writes a form from then on. */
const writing = (form: DeploymentForm): TestHub => {
  writeForm(form);
  return hub;
};

/** Returns the service, which writes the form of earlier versions from then on. */
const former = () => writing('attributes');

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

const asRecord = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!isRecord(value)) throw new TypeError('the value is no record');
  return value;
};

/** Fields that a report of a fill changes. */
const CHANGED = {
  orders_count: 0,
  latest_order: 0,
  ledger: 0,
  risk: 0,
  phase: 0,
  source: 0,
  updated_at: 0,
  version: 0,
};

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
  await report(writing('compact'), 'Quote Marked', id, { symbol: 'AAPL', price: 101 });
  const after = await itemOf(id);
  expect(after).toHaveProperty('facts');
  for (const name of ['limits', 'risk', 'status', 'symbols', 'kind']) expect(after).not.toHaveProperty(name);
  const { version = 0, ...now } = asDeployment(after) ?? {};
  expect(now).toMatchObject({ limits: known?.kind === 'live' && known.limits, status: 'requested' });
  expect(version).toBe((known?.version ?? 0) + 1);
  expect(await shown(user_id, id)).toEqual(limits);
});

test('a packed deployment moves back, so that earlier versions read it, and keeps fields of a newer version', async () => {
  const packed = writing('packed');
  const { id, user_id } = await deployed(packed);
  await reportOrder(packed, id, order(id, 'one', 1));
  const limits = await shown(user_id, id);
  const { progress } = await itemOf(id);
  const newer = { ...JSON.parse(String(progress)), from_next: { a: 1 } };
  await hub.runtime.store.transact([
    { key: keys.deployment(id), set: { progress: JSON.stringify(newer), apart_from_next: 2 } },
  ]);
  await report(packed, 'Quote Marked', id, { symbol: 'AAPL', price: 101 });
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

/** Attributes that hold packed records, by the item that holds them. */
const compressedOf = async (id: number, name: string): Promise<Record<string, unknown>> => {
  const read = await hub.runtime.store.getMany(
    [
      keys.deployment(id),
      orderKey({ deployment_id: id, client_order_id: name }),
      keys.listedTrading((asDeployment(await itemOf(id)) ?? { user_id: '' }).user_id, false, id),
    ],
    { consistent: true },
  );
  const [deployment, order, listed] = read;
  const message = (await outbox(hub)).find(
    ({ message }) =>
      message?.kind === 'live_entries' && parseListEntries(message.entries).deployment_id === id,
  )?.message;
  return {
    ledger: deployment?.ledger,
    facts: deployment?.facts,
    progress: deployment?.progress,
    order: order?.order,
    summary: listed?.summary,
    entries: message?.kind === 'live_entries' ? message.entries : undefined,
  };
};

const asBytes = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw new TypeError('the value is not packed');
  return value;
};

test('versions without dictionaries can read what the form for them holds', async () => {
  const packed = writing('packed');
  const { id } = await deployed(packed);
  await reportOrder(packed, id, order(id, 'one', 1));
  const { progress, ...others } = await compressedOf(id, 'one');
  expect(JSON.parse(String(progress))).toMatchObject({ orders_count: 1 });
  for (const [name, value] of Object.entries(others)) {
    expect([name, JSON.parse(inflateRawSync(asBytes(value)).toString())]).toEqual([
      name,
      unpackJson(asBytes(value)),
    ]);
  }
});

test('a packed deployment becomes compact with its next event and moves back, and nothing of it is lost', async () => {
  const packed = writing('packed');
  const { id, user_id } = await deployed(packed);
  await reportOrder(packed, id, order(id, 'one', 1));
  const before = asDeployment(await itemOf(id));
  const compact = writing('compact');
  const moving = { ...order(id, 'one', 2), sequence: 2, fees: '1' };
  await reportOrder(compact, id, moving);
  // A message that waits stays as it is.
  const { entries: _, ...moved } = await compressedOf(id, 'one');
  expect(Object.values(moved).every((value) => hasDictionary(asBytes(value)))).toBe(true);
  const after = asDeployment(await itemOf(id));
  // The report changed only the time of the latest order and the ledger.
  expect(JSON.stringify({ ...after, latest_order: null, ledger: null })).toBe(
    JSON.stringify({ ...before, version: (before?.version ?? 0) + 1, latest_order: null, ledger: null }),
  );
  const back = writing('packed');
  await reportOrder(back, id, { ...moving, sequence: 3, fees: '2' });
  const { progress, entries: __, ...others } = await compressedOf(id, 'one');
  expect(JSON.parse(String(progress))).toMatchObject({ orders_count: 1 });
  for (const value of Object.values(others)) expect(() => inflateRawSync(asBytes(value))).not.toThrow();
  expect(await shown(user_id, id)).toMatchObject({ usage: [{ limit: 'orders_per_day', used: 1 }] });
});

test('a compact deployment is listed with its next event and moves back, and nothing of it is lost', async () => {
  const compact = writing('compact');
  const { id, user_id } = await deployed(compact);
  await reportOrder(compact, id, order(id, 'one', 1));
  const key = orderKey({ deployment_id: id, client_order_id: 'one' });
  const { order: bytes } = await compressedOf(id, 'one');
  const newer = { ...asRecord(unpackJson(asBytes(bytes))), order_from_next: { a: [1] } };
  await hub.runtime.store.transact([{ key, set: { order: pack(newer, 'order') } }]);
  const before = asDeployment(await itemOf(id));
  const moving = { ...order(id, 'one', 2), sequence: 2, fees: '1' };
  await reportOrder(writing('listed'), id, moving);
  const { entries: _, facts, ...moved } = await compressedOf(id, 'one');
  expect(hasDictionary(asBytes(facts))).toBe(true);
  for (const [name, value] of Object.entries(moved))
    expect([name, isListed(asBytes(value))]).toEqual([name, true]);
  expect(unpackJson(asBytes(moved.order))).toMatchObject({ fees: '1', order_from_next: { a: [1] } });
  const after = asDeployment(await itemOf(id));
  expect(JSON.stringify({ ...after, latest_order: null, ledger: null })).toBe(
    JSON.stringify({ ...before, version: (before?.version ?? 0) + 1, latest_order: null, ledger: null }),
  );
  await reportOrder(writing('compact'), id, { ...moving, sequence: 3, fees: '2' });
  const { entries: __, ...back } = await compressedOf(id, 'one');
  expect(Object.values(back).every((value) => hasDictionary(asBytes(value)))).toBe(true);
  expect(unpackJson(asBytes(back.order))).toMatchObject({ fees: '2', order_from_next: { a: [1] } });
  expect(await shown(user_id, id)).toMatchObject({ usage: [{ limit: 'orders_per_day', used: 1 }] });
});

test('records of today need no names of fields', async () => {
  const { id } = await deployed(hub);
  await reportOrder(hub, id, order(id, 'one', 1));
  const { order: bytes, summary, progress, ledger } = await compressedOf(id, 'one');
  const plain = [bytes, progress].map((value) => asBytes(value).subarray(1));
  const compressed = (
    [
      [summary, 'summary_values'],
      [ledger, 'ledger_values'],
    ] as const
  ).map(([value, name]) =>
    inflateRawSync(asBytes(value).subarray(2), { dictionary: DICTIONARIES[name].text }),
  );
  for (const values of [...plain, ...compressed]) {
    const text = Buffer.from(values).toString();
    expect(text).toMatch(/^\[(0|\[[\d,]*\]),/);
    expect(text).not.toMatch(/"(symbol|status|quantity|updated_at|more)":/);
  }
});

test('containers that write different forms take turns, with their memories, and nothing of a deployment is lost', async () => {
  const forms = ['attributes', 'packed', 'compact', 'listed'] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { minLength: 6, maxLength: 16 }), async (turns) => {
      const containers = forms.map((form) => ({ form, memory: new BookMemory() }));
      const { id, user_id } = await deployed(writing('packed'));
      await setDeploymentLimits(hub.runtime, id, user_id, { orders_per_day: 100 }, undefined);
      const { facts, progress } = await itemOf(id);
      await hub.runtime.store.transact([
        {
          key: keys.deployment(id),
          set: {
            facts: pack({ ...asRecord(unpackJson(asBytes(facts))), facts_from_next: { a: 1 } }),
            progress: JSON.stringify({ ...JSON.parse(String(progress)), progress_from_next: [2] }),
            apart_from_next: 3,
          },
        },
      ]);
      const before = asDeployment(await itemOf(id));
      for (const [index, turn] of turns.entries()) {
        const { form, memory } = containers[turn] ?? { form: 'listed', memory: new BookMemory() };
        const detail = orderDetail(order(id, `order-${index}`, index + 1));
        await takeEvent(writing(form).runtime, engineEvent(hub, 'Order Updated', id, detail), memory);
      }
      const stored = await itemOf(id);
      const after = asDeployment(stored);
      expect(after).toMatchObject({ kind: 'live', orders_count: turns.length, source: 'engine' });
      expect(await shown(user_id, id)).toMatchObject({
        usage: [{ limit: 'orders_per_day', used: turns.length }],
      });
      const kept = (deployment: object | undefined): unknown =>
        JSON.parse(JSON.stringify({ ...deployment, ...CHANGED }));
      expect(kept(after)).toEqual(kept(before));
      expect(unpackLedger(asBytes(stored.ledger)).head.fills).toBe(turns.length);
      const parts = [stored.facts, stored.progress].map((part) =>
        part instanceof Uint8Array || typeof part === 'string' ? asRecord(unpackOrParse(part)) : {},
      );
      expect(Object.assign({}, stored, ...parts)).toMatchObject({
        facts_from_next: { a: 1 },
        progress_from_next: [2],
        apart_from_next: 3,
      });
    }),
    { numRuns: 8 },
  );
});

test.each([
  ['dictionary', 0b110],
  ['order of fields', 0b111],
])('an item with a %s of a newer version waits for that version', async (_, mark) => {
  const { id, user_id } = await deployed(hub);
  const stored = await itemOf(id);
  const unknown = Buffer.from(asBytes(stored.progress));
  // The bits above the mark are the number.
  unknown[0] = (31 << 3) | mark;
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { progress: unknown } }]);
  const query = { user_id, deployment_id: String(id) };
  const answer = await hub.call('GET /get_risk_limits', { query });
  expect(answer).toMatchObject({ status: 409, body: { code: 'newer_version' } });
  await reportOrder(hub, id, order(id, 'one', 1));
  expect((await itemOf(id)).progress).toEqual(new Uint8Array(unknown));
  // The newer version comes back.
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { progress: stored.progress } }]);
  hub.advance(120_000);
  await runJob(hub.runtime, { job: 'sweep-events' });
  expect(asDeployment(await itemOf(id))).toMatchObject({ orders_count: 1 });
});

test('an order, a summary and a message with a dictionary of a newer version wait for that version', async () => {
  const { id, user_id } = await deployed(hub);
  await reportOrder(hub, id, order(id, 'one', 1));
  await enterAll(hub);
  await reportOrder(hub, id, order(id, 'two', 2));
  const { strategy_id } = asDeployment(await itemOf(id)) ?? {};
  const [waiting] = (await outbox(hub)).filter(({ message }) => message?.kind === 'live_entries');
  const deliveryId = waiting?.delivery_id ?? '';
  const [orderOne, listed] = [
    orderKey({ deployment_id: id, client_order_id: 'one' }),
    keys.listedTrading(user_id, false, id),
  ];
  const { order: bytes, summary, entries } = await compressedOf(id, 'one');
  const write = (unknown: (stored: unknown) => unknown): Promise<void> =>
    hub.runtime.store.transact([
      { key: orderOne, set: { order: unknown(bytes) } },
      { key: listed, set: { summary: unknown(summary) } },
      {
        key: keys.outbox(deliveryId),
        set: { message: { ...waiting?.message, entries: unknown(entries) } },
      },
    ]);
  await write((stored) => {
    const unknown = Buffer.from(asBytes(stored));
    unknown[0] = (31 << 3) | 0b110;
    return unknown;
  });
  const ordersShown = async () => {
    const query = { user_id, deployment_id: String(id), strategy_id: String(strategy_id) };
    const { status, body } = await hub.call('GET /get_live_strategy_order_book', { query });
    return [status, body.items.map((each: { client_order_id: string }) => each.client_order_id)];
  };
  const deploymentsShown = async () => {
    const { status, body } = await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } });
    return [status, body.items.length];
  };
  expect([await ordersShown(), await deploymentsShown()]).toEqual([
    [200, ['two']],
    [200, 0],
  ]);
  const counted: string[] = [];
  const metrics = {
    count: (name: string, { operation }: { operation: string }) => void counted.push(`${name} ${operation}`),
  };
  await deliver({ ...hub.runtime, metrics }, deliveryId, waiting?.attempts ?? 0);
  expect(counted).toEqual(['WaitsForNewerVersion deliveries']);
  // The newer version comes back.
  await write((stored) => stored);
  hub.advance(120_000);
  await runJob(hub.runtime, { job: 'sweep-deliveries' });
  expect((await outbox(hub)).map(({ delivery_id }) => delivery_id)).not.toContain(deliveryId);
  expect([await ordersShown(), await deploymentsShown()]).toEqual([
    [200, ['two', 'one']],
    [200, 1],
  ]);
});

test('entries for the lists take few attributes, wait in any form, and are told apart as dead letters', async () => {
  const { id, user_id } = await deployed(hub);
  const { strategy_id } = asDeployment(await itemOf(id)) ?? {};
  for (const [index, form] of (['listed', 'packed', 'attributes'] as const).entries()) {
    await reportOrder(writing(form), id, order(id, `order-${index}`, index));
  }
  writeForm('listed');
  const waiting = (await outbox(hub)).filter(
    ({ message }) =>
      message?.kind === 'live_entries' && parseListEntries(message.entries).deployment_id === id,
  );
  expect(waiting.map(({ message }) => message)).toMatchObject(waiting.map(() => ({ user_id })));
  const items = await hub.runtime.store.getMany(waiting.map(({ delivery_id }) => keys.outbox(delivery_id)));
  expect(items.map((item) => Object.keys(item ?? {}).length).sort()).toEqual([9, 9, 9]);
  expect(items.filter((item) => item?.message instanceof Uint8Array)).toEqual([
    expect.not.objectContaining({ delivery_id: expect.anything() }),
  ]);
  const now = hub.runtime.clock();
  for (const delivery of waiting) {
    const reason = 'the test gives it up';
    expect(await postponeDelivery(hub.runtime.store, delivery, { reason, final: true, now })).toBe('dead');
  }
  const damaged: unknown[] = [];
  const dead = await findDeadLetters(hub.runtime.store, now, 10, (error) => damaged.push(error));
  expect(dead.map(({ delivery_id, message }) => [delivery_id, message.kind]).sort()).toEqual(
    waiting.map(({ delivery_id }) => [delivery_id, 'live_entries']).sort(),
  );
  expect(damaged).toEqual([]);
  for (const { delivery_id } of dead) {
    expect(await reviveDeadLetter(hub.runtime.store, delivery_id, now)).toBe(true);
  }
  await enterAll(hub);
  const query = { user_id, deployment_id: String(id), strategy_id: String(strategy_id) };
  const { body } = await hub.call('GET /get_live_strategy_order_book', { query });
  expect(body.items).toHaveLength(3);
  expect((await outbox(hub)).filter(({ message }) => message?.kind === 'live_entries')).toEqual([]);
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
