import { expect, test } from '@jest/globals';
import { newEngineMemory } from '../../../functions/engine/engine-runtime.ts';
import { BookMemory, type Recalled } from '../../../shared/data/books/book-memory.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { SERIES_UNSETTLED } from '../../../shared/data/engine/events.ts';
import { programIdsOf } from '../../../shared/data/engine/program-ids.ts';
import { findPrograms } from '../../../shared/data/engine/programs.ts';
import { readSub, type Sub, storeSub, subKey } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { storedAmount } from '../../../shared/domain/risk/amount.ts';
import { expectEntry, startRisk } from '../../../shared/domain/risk/state.ts';
import { commandDeployment } from '../../../shared/lifecycle/deployment-commands.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { expectedFills, feed, fillsOf, setupOf } from '../../support/hub-deployments.ts';
import { commandEngine, endEngine, worker } from '../../support/hub-engine.ts';
import { openPaperDeployments } from '../../support/paper-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { allInUse } from '../../support/series-in-use.ts';

const WARM = 30;
/** More bars than lie between two saved states. */
const FAULTY_UNTIL = WARM + 20;
const BARS = randomBars(11, WARM + 30);
const SAVED_AT_FIRST = BARS.start[WARM - 1];
const SETUP = setupOf(crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] }));
const OTHER_SETUP = setupOf(crossRules(2, 6, { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] }));

const UNSETTLED = {
  'detail-type': SERIES_UNSETTLED,
  detail: { version: 1, symbol: 'BTCUSD', timeframe: '1d' },
};

/** Books at which the engine has a fault for one deployment. */
class FaultyBooks extends BookMemory {
  faulty: number | undefined;

  override recall(deploymentId: number): Recalled | undefined {
    if (deploymentId === this.faulty) throw new RangeError('Invalid array length');
    return super.recall(deploymentId);
  }
}

const papers = await openPaperDeployments(BARS, WARM);
const { hub } = papers;

const startTwo = async (): Promise<readonly [failing: number, other: number]> => {
  const [failing = 0, other = 0] = await papers.start(worker(hub), SETUP, 2);
  return [failing, other];
};

const startOne = async (setup: typeof SETUP): Promise<number> => {
  const [id = 0] = await papers.start(worker(hub), setup, 1);
  return id;
};

const faultyWorker = () => {
  const books = new FaultyBooks();
  return { books, one: worker(hub, { memory: { ...newEngineMemory(), books } }) };
};

const feedBars = (one: ReturnType<typeof worker>, from: number, to: number): Promise<void> =>
  papers.feedBars(from, to, () => [one]);

const subOf = async (id: number): Promise<Sub> => {
  const [programId = ''] = programIdsOf(SETUP, storedRules(SETUP));
  const sub = await readSub(hub.runtime.store, programId, id);
  if (!sub) throw new Error('there is no subscription');
  return sub;
};

const explained = async (id: number) => {
  const query = { user_id: papers.owner().user_id, deployment_id: String(id) };
  return (await hub.call('GET /get_deployment_engine', { query })).body.symbols[0];
};

const statusesOf = async (...of: readonly number[]) =>
  (await findDeployments(hub.runtime.store, of)).map(({ status }) => status);

const savedAt = async () => (await findPrograms(hub.runtime.store, 'BTCUSD', '1d', 0)).programs[0]?.saved_at;

const expected = (id: number, to = BARS.start.length) => expectedFills(hub, id, sliceBars(BARS, 0, to));

test('a fault of the engine leaves a deployment active; it catches up, and the others trade on meanwhile', async () => {
  const [failing, other] = await startTwo();
  const { books, one } = faultyWorker();
  books.faulty = failing;
  await feedBars(one, WARM, FAULTY_UNTIL);
  const soFar = await expected(other, FAULTY_UNTIL);
  expect(soFar.length).toBeGreaterThan(1);
  expect([await fillsOf(hub, failing), await fillsOf(hub, other)]).toEqual([[], soFar]);
  expect(await statusesOf(failing, other)).toEqual(['active', 'active']);
  expect(await subOf(failing)).toHaveProperty('failing');
  expect(await explained(failing)).toMatchObject({
    failing_since: expect.any(String),
    waits_for: expect.stringContaining('tries again'),
    error: null,
  });
  expect(await explained(other)).toMatchObject({ failing_since: null });
  await takeEngineEvent(one.engine, UNSETTLED);
  expect((await allInUse(hub.runtime.store))[0]?.settled_rev).toBeUndefined();
  books.faulty = undefined;
  await takeEngineEvent(one.engine, UNSETTLED);
  expect(await fillsOf(hub, failing)).toEqual(soFar);
  expect((await allInUse(hub.runtime.store))[0]?.settled_rev).toBeDefined();
  await feedBars(worker(hub), FAULTY_UNTIL, BARS.start.length);
  const all = await expected(other);
  expect([await fillsOf(hub, failing), await fillsOf(hub, other)]).toEqual([all, all]);
  expect(await subOf(failing)).not.toHaveProperty('failing');
  expect(await explained(failing)).toMatchObject({ failing_since: null });
  expect(await savedAt()).toBeGreaterThan(SAVED_AT_FIRST ?? 0);
});

test('an account that fails for an hour at all its bars ends with its deployment, and the program goes on', async () => {
  const [failing, other] = await startTwo();
  const { books, one } = faultyWorker();
  books.faulty = failing;
  await feedBars(one, WARM, FAULTY_UNTIL);
  expect(await savedAt()).toBe(SAVED_AT_FIRST);
  hub.advance(3_600_000);
  hub.log.length = 0;
  await feedBars(one, FAULTY_UNTIL, BARS.start.length);
  expect(await statusesOf(failing, other)).toEqual(['error', 'active']);
  expect(await subOf(failing)).toMatchObject({
    error: 'the engine has failed at the account for an hour',
  });
  expect(hub.log.filter(({ level }) => level === 'error')).toHaveLength(2);
  expect(await fillsOf(hub, other)).toEqual(await expected(other));
  expect(await savedAt()).toBeGreaterThan(SAVED_AT_FIRST ?? 0);
});

test('a damaged subscription is reported and does not block its program', async () => {
  const [damaged, other] = await startTwo();
  const sub = await subOf(damaged);
  await hub.runtime.store.transact([{ key: subKey(sub), set: { joined_at: 'damaged' } }]);
  hub.log.length = 0;
  await feedBars(worker(hub), WARM, BARS.start.length);
  expect(await fillsOf(hub, other)).toEqual(await expected(other));
  expect(hub.log).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'a subscription cannot be read' }),
  );
  expect(await savedAt()).toBeGreaterThan(SAVED_AT_FIRST ?? 0);
  await hub.runtime.store.transact([{ key: subKey(sub), set: { joined_at: sub.joined_at } }]);
});

const CUT = new Uint8Array([1, 91, 48]);

test.each([
  ['damaged deployment', { user_id: 7 }],
  ['deployment with a damaged part', { latest_order: 'one' }],
  ['deployment with a damaged ledger', { ledger: CUT }],
])('a %s is skipped, and does not block its program', async (_, damage) => {
  const [damaged, other] = await startTwo();
  const key = keys.deployment(damaged);
  const [before = {}] = await hub.runtime.store.getMany([key]);
  await hub.runtime.store.put({ ...before, ...damage });
  await feedBars(worker(hub), WARM, BARS.start.length);
  expect(await fillsOf(hub, other)).toEqual(await expected(other));
  expect(await subOf(damaged)).toMatchObject({ error: 'the stored account cannot be read' });
  expect(await savedAt()).toBeGreaterThan(SAVED_AT_FIRST ?? 0);
  await hub.runtime.store.put(before);
});

test('a damaged program does not block the others of its shard', async () => {
  const [id] = await startTwo();
  const other = await startOne(OTHER_SETUP);
  const [programId = ''] = programIdsOf(SETUP, storedRules(SETUP));
  const key = keys.program('BTCUSD', '1d', 0, programId);
  await hub.runtime.store.transact([{ key, set: { at: 'damaged' } }]);
  const one = worker(hub);
  for (let bar = WARM; bar < BARS.start.length; bar += 1) {
    await expect(feed(hub, papers.oneBar(bar), [one])).rejects.toThrow('programs of BTCUSD');
  }
  expect(await fillsOf(hub, other)).toEqual(await expected(other));
  expect(await fillsOf(hub, id)).toEqual([]);
  await hub.runtime.store.transact([{ key, set: { at: SAVED_AT_FIRST } }]);
});

test('a failed account releases the entries that it reserved, and no others', async () => {
  const [failing] = await startTwo();
  const value = storedAmount('100');
  const own = expectEntry(startRisk({ calendars: ['always'] }, 0), 'BTCUSD:1:e0', {
    symbol: 'BTCUSD',
    value,
  });
  const risk = expectEntry(own, 'ETHUSD:1:e0', { symbol: 'ETHUSD', value });
  // Its ledger refuses fills without an exchange rate.
  const foreign = { quote_currencies: { BTCUSD: 'JPY' } };
  await hub.runtime.store.transact([{ key: keys.deployment(failing), set: { ...foreign, risk } }]);
  await feedBars(worker(hub), WARM, BARS.start.length);
  expect(await findDeployments(hub.runtime.store, [failing])).toMatchObject([
    { status: 'error', risk: { entering: { 'ETHUSD:1:e0': { symbol: 'ETHUSD' } } } },
  ]);
  const [deployment] = await findDeployments(hub.runtime.store, [failing]);
  expect(deployment).not.toHaveProperty(['risk', 'entering', 'BTCUSD:1:e0']);
});

const damageAccount = async (setup: ReturnType<typeof setupOf>, id: number): Promise<void> => {
  const [programId = ''] = programIdsOf(setup, storedRules(setup));
  const sub = await readSub(hub.runtime.store, programId, id);
  if (!sub || sub.kind === 'N') throw new Error('there is no account');
  await storeSub(hub.runtime.store, sub, { ...sub, paper: { ...sub.paper, saved: '{}' } });
};

/** Starts a deployment and lets it fail at a bar while it holds. */
const failHolding = async (rules: unknown): Promise<{ readonly id: number; readonly at: number }> => {
  const setup = setupOf(rules);
  const id = await startOne(setup);
  let at = WARM;
  while ((await heldBy(id)) === '0' && at < BARS.start.length) {
    await feedBars(worker(hub), at, at + 1);
    at += 1;
  }
  await damageAccount(setup, id);
  await feedBars(worker(hub), at, at + 1);
  expect(await statusesOf(id)).toEqual(['error']);
  return { id, at: at + 1 };
};

const heldBy = async (id: number): Promise<string> => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return unpackLedger(deployment.ledger).head.symbols.BTCUSD?.position?.quantity ?? '0';
};

test('a halt that flattens closes the position of a failed paper account at the newest close', async () => {
  const { id, at } = await failHolding(crossRules(2, 5));
  const held = await heldBy(id);
  expect(held).not.toBe('0');
  const command = { action: 'halt', by: 'kill_switch', reason: 'test', flatten: true } as const;
  for (let repeat = 0; repeat < 2; repeat += 1) {
    await commandDeployment(hub.runtime, id, command);
    await Promise.all([commandEngine(worker(hub), id), commandEngine(worker(hub), id)]);
  }
  expect(await heldBy(id)).toBe('0');
  const [last] = (await findAllOrders(hub.runtime.store, id)).filter(({ side }) => side === 'sell');
  expect(last).toMatchObject({
    quantity: held,
    average_price: String(BARS.close[at - 1]),
    status_message: 'all positions are closed',
  });
});

test('a stop of a failed paper account without flatten leaves its position', async () => {
  const { id } = await failHolding(crossRules(2, 5));
  const held = await heldBy(id);
  await commandDeployment(hub.runtime, id, { action: 'stop', by: 'user', reason: 'test' });
  await endEngine(worker(hub), id);
  expect([await heldBy(id), await statusesOf(id)]).toEqual([held, ['stopped']]);
});

/** Places an order that nothing fills. */
const RESTING = setupOf({
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'gt', right: 0 },
      limit: { percent: -90 },
      size: { type: 'units', units: 1 },
    },
  ],
});

test('the orders of a paper account that fails are cancelled in the books', async () => {
  const id = await startOne(RESTING);
  await feedBars(worker(hub), WARM, WARM + 2);
  expect(await findAllOrders(hub.runtime.store, id)).toMatchObject([{ status: 'open' }]);
  await damageAccount(RESTING, id);
  await feedBars(worker(hub), WARM + 2, WARM + 3);
  expect(await statusesOf(id)).toEqual(['error']);
  expect(await findAllOrders(hub.runtime.store, id)).toMatchObject([
    { status: 'cancelled', status_message: 'the deployment has failed' },
  ]);
});

test('a failed account that cannot be settled does not block its program, and is settled once it can be', async () => {
  const id = await startOne(RESTING);
  await feedBars(worker(hub), WARM, WARM + 2);
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { user_id: 7 } }]);
  await damageAccount(RESTING, id);
  const one = worker(hub);
  await feedBars(one, WARM + 2, BARS.start.length - 1);
  await takeEngineEvent(one.engine, UNSETTLED);
  expect((await allInUse(hub.runtime.store))[0]?.settled_rev).toBeDefined();
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { user_id: papers.owner().user_id } }]);
  await feedBars(one, BARS.start.length - 1, BARS.start.length);
  expect(await findAllOrders(hub.runtime.store, id)).toMatchObject([{ status: 'cancelled' }]);
});
