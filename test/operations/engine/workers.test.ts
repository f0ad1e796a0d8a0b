import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { advanceSeries } from '../../../functions/engine/advance-series.ts';
import { newEngineMemory } from '../../../functions/engine/engine-runtime.ts';
import { takeEngineEvent } from '../../../functions/engine/take-event.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { SERIES_DUE } from '../../../shared/data/engine/events.ts';
import { programIdsOf } from '../../../shared/data/engine/program-ids.ts';
import { readSub, type Sub } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BITCOIN,
  copyDeployment,
  expectedFills,
  feed,
  fillsOf,
  hubDeployed,
  setupOf,
} from '../../support/hub-deployments.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader } from '../../support/trading.ts';

const WARM = 30;
const BARS = randomBars(11, WARM + soakable(36, 120));
const FIRST = BARS.start[0] ?? 0;
const EXITS = { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] };
const QUICK = { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] };
const NEVER = rulesWith({ left: { price: 'close' }, op: 'gt', right: 1e9 });

const ANYTHING = z.record(z.string(), z.unknown());

let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
/** Number of the test, which gives each its own program. */
let round = 0;

beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
afterAll(() => hub.close());

beforeEach(async () => {
  round += 1;
  // Copies of a deployment have the identifiers after its own.
  hub.advance(1000);
  owner = await trader(hub, { symbol: 'BTCUSD' });
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
});

const rules = (more: Readonly<Record<string, unknown>> = EXITS) => crossRules(2, 4 + round, more);

let started: number[] = [];

/** Ends the deployments of a test, so that their programs are removed. */
const endAll = async (): Promise<void> => {
  const one = worker(hub);
  for (const id of started) {
    await hub.runtime.store.transact([{ key: keys.deployment(id), set: { status: 'stopped' } }]);
    await endEngine(one, id);
  }
  started = [];
};
afterEach(endAll);

/** Starts copies of a deployment. */
const startMany = async (on: Worker, setup: BacktestSetup, count: number): Promise<number[]> => {
  const first = await hubDeployed(hub, owner, setup);
  const ids = [first];
  for (let copy = 1; copy < count; copy++) ids.push(await copyDeployment(hub, first, copy, setup));
  for (const id of ids) await startEngine(on, id);
  started.push(...ids);
  return ids;
};

const barAfter = (bar: number) => sliceBars(BARS, bar, bar + 1);

const subsOfProgram = async (setup: BacktestSetup, ids: readonly number[]): Promise<(Sub | undefined)[]> => {
  const [programId = ''] = programIdsOf(setup, storedRules(setup));
  return Promise.all(ids.map((id) => readSub(hub.runtime.store, programId, id)));
};

test('several workers, repeats and workers that die in the middle leave the fills of the backtest', async () => {
  const setup = setupOf(rules());
  const ids = await startMany(worker(hub), setup, 3);
  const warm = worker(hub);
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    const dying = new DyingStore(hub.runtime.store, 1 + (bar % 4), bar % 2 === 0);
    await feed(hub, barAfter(bar), [worker(hub, { store: dying })]).catch((error: unknown) => {
      expect(String(error)).toMatch(/AggregateError|died/);
    });
    // A cold container and a warm one at once; the warm one then takes the repeat.
    if (bar % 3 !== 0) await feed(hub, barAfter(bar), [warm, worker(hub), worker(hub)]);
    if (bar % 5 === 0) await feed(hub, barAfter(bar), [warm]);
  }
  await feed(hub, barAfter(BARS.start.length - 1), [warm]);
  const [first = 0] = ids;
  const expected = await expectedFills(hub, first, BARS);
  expect(expected.length).toBeGreaterThan(3);
  for (const id of ids) expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a worker that dies between two single writes loses nothing', async () => {
  const setup = setupOf(rules());
  const [id = 0] = await startMany(worker(hub), setup, 1);
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    const dying = new DyingStore(hub.runtime.store, 1 + (bar % 3), bar % 2 === 0, 'single');
    await feed(hub, barAfter(bar), [worker(hub, { store: dying })]).catch((error: unknown) => {
      expect(String(error)).toMatch(/AggregateError|died/);
    });
  }
  await feed(hub, barAfter(BARS.start.length - 1), [worker(hub)]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(3);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

/** Store that lets another worker run before active accounts are read for the first time. */
class OvertakenStore extends Store {
  #other: (() => Promise<void>) | undefined;

  constructor({ client, table }: Store, other: () => Promise<void>) {
    super(client, table);
    this.#other = other;
  }

  override async queryItems(input: Parameters<Store['queryItems']>[0]): ReturnType<Store['queryItems']> {
    const isOfActive = input.ExpressionAttributeValues?.[':to'] === 'A~';
    const other = isOfActive ? this.#other : undefined;
    if (other) this.#other = undefined;
    await other?.();
    return super.queryItems(input);
  }
}

test('an account that a worker of an earlier bar closes meanwhile enters at the later bar', async () => {
  const rising = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } }, QUICK);
  // Every fourth bar rises: a trade is closed at the first bar of a pair, and the second one gives a signal.
  const close = BARS.open.map((open, bar) => (bar % 4 === 3 ? open + 1 : open - 1));
  const [high, low] = [BARS.open.map((open) => open + 1), BARS.open.map((open) => open - 1)];
  const bars = { ...BARS, high, low, close };
  const { store } = hub.runtime;
  await removeSeries(store, BITCOIN);
  await appendBars(store, BITCOIN, sliceBars(bars, 0, WARM));
  const [id = 0] = await startMany(worker(hub), setupOf(rising), 1);
  const memory = newEngineMemory();
  const end = WARM + 16;
  for (let bar = WARM; bar < end; bar += 2) {
    const { series } = await appendBars(store, BITCOIN, sliceBars(bars, bar, bar + 1));
    const other = () => advanceSeries(worker(hub).engine, series, ['1d']);
    const overtaken = worker(hub, { store: new OvertakenStore(store, other), memory });
    await feed(hub, sliceBars(bars, bar + 1, bar + 2), [overtaken]);
    expect(await fillsOf(hub, id)).toEqual(await expectedFills(hub, id, sliceBars(bars, 0, bar + 2)));
  }
  expect((await fillsOf(hub, id)).length).toBeGreaterThan(3);
});

test('programs beyond the first shard are advanced by workers of their own', async () => {
  const setup = setupOf(rules());
  const one = worker(hub);
  const ids = await startMany(one, setup, 1);
  // The first shard is full, so the next program gets another.
  await hub.runtime.store.update(
    keys.programShards('BTCUSD', '1d'),
    { update: 'SET counts = :full, rev = rev + :one', values: { ':full': [250], ':one': 1 } },
    ANYTHING,
  );
  ids.push(...(await startMany(one, setupOf(crossRules(3, 7, EXITS)), 1)));
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    await feed(hub, barAfter(bar), [one]);
    expect(one.events).toMatchObject([{ 'detail-type': SERIES_DUE, detail: { shard: 1, timeframe: '1d' } }]);
    for (const event of one.events.splice(0)) await takeEngineEvent(worker(hub).engine, event);
  }
  for (const id of ids) {
    const expected = await expectedFills(hub, id, BARS);
    expect(expected.length).toBeGreaterThan(1);
    expect(await fillsOf(hub, id)).toEqual(expected);
  }
});

test('a catch-up after an outage trades every bar', async () => {
  const setup = setupOf(rules({ ...EXITS, reverse: true }));
  const [id = 0] = await startMany(worker(hub), setup, 1);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, WARM, BARS.start.length - 1));
  await feed(hub, barAfter(BARS.start.length - 1), [worker(hub)]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(3);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a deployment that fails is marked with the reason; the others trade on', async () => {
  const rising = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } }, QUICK);
  const setup = setupOf(rising);
  const one = worker(hub);
  const ids = await startMany(one, setup, soakable(30, 1000));
  const failing = ids[Math.floor(ids.length / 2)] ?? 0;
  // Its ledger refuses fills without an exchange rate.
  const foreign = { quote_currencies: { BTCUSD: 'JPY' } };
  await hub.runtime.store.transact([{ key: keys.deployment(failing), set: foreign }]);
  hub.log.length = 0;
  const end = WARM + soakable(6, 4);
  for (let bar = WARM; bar < end; bar++) {
    // At one moment there are 4,096 identifiers of orders.
    hub.advance(1000);
    await feed(hub, barAfter(bar), [one]);
  }
  const [first = 0] = ids;
  const expected = await expectedFills(hub, first, sliceBars(BARS, 0, end));
  expect(expected.length).toBeGreaterThan(1);
  for (const id of ids) expect(await fillsOf(hub, id)).toEqual(id === failing ? [] : expected);
  expect(await findDeployments(hub.runtime.store, [failing, first])).toMatchObject([
    { status: 'error' },
    { status: 'active' },
  ]);
  expect(await subsOfProgram(setup, [failing])).toMatchObject([{ error: 'rate is missing: JPY to USD' }]);
  expect(hub.log.filter(({ level }) => level === 'error')).toHaveLength(1);
});

describe('idle deployments', () => {
  const callsOf = async (count: number): Promise<string[]> => {
    const one = worker(hub);
    await startMany(one, setupOf(NEVER), count);
    hub.takeCalls();
    for (let bar = WARM; bar < WARM + 20; bar++) await feed(hub, barAfter(bar), [one]);
    return hub.takeCalls();
  };

  test('cost no call', async () => {
    const few = await callsOf(1);
    await endAll();
    await removeSeries(hub.runtime.store, BITCOIN);
    await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
    expect(await callsOf(soakable(20, 200))).toEqual(few);
  });
});

test('a deployment that has ended takes no fills, and is no longer served', async () => {
  const setup = setupOf(rules());
  const one = worker(hub);
  const [id = 0] = await startMany(one, setup, 1);
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { status: 'stopped' } }]);
  for (let bar = WARM; bar < BARS.start.length; bar++) await feed(hub, barAfter(bar), [one]);
  expect(await fillsOf(hub, id)).toEqual([]);
  expect(await subsOfProgram(setup, [id])).toEqual([undefined]);
  const [programId = ''] = programIdsOf(setup, storedRules(setup));
  expect(await hub.runtime.store.getMany([keys.programState(programId)], { consistent: true })).toEqual([
    undefined,
  ]);
});

test('a paused deployment enters no trade, and makes up for none', async () => {
  const setup = setupOf(rules());
  const one = worker(hub);
  const [id = 0] = await startMany(one, setup, 1);
  const setStatus = (status: string) =>
    hub.runtime.store.update(
      keys.deployment(id),
      {
        update: 'SET #status = :status, version = version + :one',
        names: { '#status': 'status' },
        values: { ':status': status, ':one': 1 },
      },
      ANYTHING,
    );
  await setStatus('paused');
  const middle = WARM + 25;
  for (let bar = WARM; bar < middle; bar++) await feed(hub, barAfter(bar), [one]);
  await setStatus('active');
  for (let bar = middle; bar < BARS.start.length; bar++) await feed(hub, barAfter(bar), [worker(hub)]);
  const expected = await expectedFills(hub, id, BARS);
  const later = (await fillsOf(hub, id)).map(({ at }) => at);
  const isLater = (at: number) => at > (BARS.start[middle - 1] ?? FIRST);
  expect(expected.some(({ at }) => !isLater(at))).toBe(true);
  expect(later.filter((at) => !isLater(at))).toEqual([]);
});
