import { beforeEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { newEngineMemory } from '../../../functions/engine/engine-runtime.ts';
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
import { advanceSeries, takeEngineEvent } from '../../support/functions/engine.ts';
import { BITCOIN, expectedFills, feed, fillsOf, setStatus, setupOf } from '../../support/hub-deployments.ts';
import { worker } from '../../support/hub-engine.ts';
import { openPaperDeployments } from '../../support/paper-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';

const WARM = 30;
const BARS = randomBars(11, WARM + soakable(36, 120));
const FIRST = BARS.start[0] ?? 0;
const EXITS = { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] };
const QUICK = { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] };
const NEVER = rulesWith({ left: { price: 'close' }, op: 'gt', right: 1e9 });

const ANYTHING = z.record(z.string(), z.unknown());

const papers = await openPaperDeployments(BARS, WARM);
const { hub, start, oneBar, feedBars, expectAllFills } = papers;

/** Number of the test, which gives each its own program. */
let round = 0;
beforeEach(() => {
  round += 1;
});

const rules = (more: Readonly<Record<string, unknown>> = EXITS) => crossRules(2, 4 + round, more);

const subsOfProgram = async (setup: BacktestSetup, ids: readonly number[]): Promise<(Sub | undefined)[]> => {
  const [programId = ''] = programIdsOf(setup, storedRules(setup));
  return Promise.all(ids.map((id) => readSub(hub.runtime.store, programId, id)));
};

/** Counts the failures of workers that die, and expects no others. */
const deaths = () => {
  const counted = { count: 0 };
  const note = (error: unknown): void => {
    expect(String(error)).toMatch(/AggregateError|died/);
    counted.count += 1;
  };
  return { counted, note };
};

test('several workers, repeats and workers that die in the middle leave the fills of the backtest', async () => {
  const setup = setupOf(rules());
  const ids = await start(worker(hub), setup, 3);
  const warm = worker(hub);
  const { counted, note } = deaths();
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    const dying = new DyingStore(hub.runtime.store, 1 + (bar % 4), bar % 2 === 0);
    await feed(hub, oneBar(bar), [worker(hub, { store: dying })]).catch(note);
    // A cold container and a warm one at once; the warm one then takes the repeat.
    if (bar % 3 !== 0) await feed(hub, oneBar(bar), [warm, worker(hub), worker(hub)]);
    if (bar % 5 === 0) await feed(hub, oneBar(bar), [warm]);
  }
  await feed(hub, oneBar(BARS.start.length - 1), [warm]);
  expect(counted.count).toBeGreaterThan(3);
  await expectAllFills(ids, 3);
});

test('a worker that dies between two single writes loses nothing', async () => {
  const setup = setupOf(rules());
  const ids = await start(worker(hub), setup, 1);
  const { counted, note } = deaths();
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    const dying = new DyingStore(hub.runtime.store, 1 + (bar % 3), bar % 2 === 0, 'single');
    await feed(hub, oneBar(bar), [worker(hub, { store: dying })]).catch(note);
  }
  await feed(hub, oneBar(BARS.start.length - 1), [worker(hub)]);
  expect(counted.count).toBeGreaterThan(3);
  await expectAllFills(ids, 3);
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
  const [id = 0] = await start(worker(hub), setupOf(rising), 1);
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
  const ids = await start(one, setup, 1);
  // The first shard is full, so the next program gets another.
  await hub.runtime.store.update(
    keys.programShards('BTCUSD', '1d'),
    { update: 'SET counts = :full, rev = rev + :one', values: { ':full': [250], ':one': 1 } },
    ANYTHING,
  );
  ids.push(...(await start(one, setupOf(crossRules(3, 7, EXITS)), 1)));
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    await feed(hub, oneBar(bar), [one]);
    expect(one.events).toMatchObject([{ 'detail-type': SERIES_DUE, detail: { shard: 1, timeframe: '1d' } }]);
    for (const event of one.events.splice(0)) await takeEngineEvent(worker(hub).engine, event);
  }
  for (const id of ids) await expectAllFills([id], 1);
});

test('a catch-up after an outage trades every bar', async () => {
  const setup = setupOf(rules({ ...EXITS, reverse: true }));
  const ids = await start(worker(hub), setup, 1);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, WARM, BARS.start.length - 1));
  await feed(hub, oneBar(BARS.start.length - 1), [worker(hub)]);
  await expectAllFills(ids, 3);
});

test('a deployment that fails is marked with the reason; the others trade on', async () => {
  const rising = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } }, QUICK);
  const setup = setupOf(rising);
  const one = worker(hub);
  const ids = await start(one, setup, soakable(30, 1000));
  const failing = ids[Math.floor(ids.length / 2)] ?? 0;
  // Its ledger refuses fills without an exchange rate.
  const foreign = { quote_currencies: { BTCUSD: 'JPY' } };
  await hub.runtime.store.transact([{ key: keys.deployment(failing), set: foreign }]);
  hub.log.length = 0;
  const end = WARM + soakable(6, 4);
  for (let bar = WARM; bar < end; bar++) {
    // At one moment there are 4,096 identifiers of orders.
    hub.advance(1000);
    await feed(hub, oneBar(bar), [one]);
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
    await start(one, setupOf(NEVER), count);
    hub.takeCalls();
    await feedBars(WARM, WARM + 20, () => [one]);
    return hub.takeCalls();
  };

  test('cost no call', async () => {
    const few = await callsOf(1);
    await papers.reset();
    expect(await callsOf(soakable(20, 200))).toEqual(few);
  });
});

test('a deployment that has ended takes no fills, and is no longer served', async () => {
  const setup = setupOf(rules());
  const one = worker(hub);
  const [id = 0] = await start(one, setup, 1);
  await hub.runtime.store.transact([{ key: keys.deployment(id), set: { status: 'stopped' } }]);
  await feedBars(WARM, BARS.start.length, () => [one]);
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
  const [id = 0] = await start(one, setup, 1);
  await setStatus(hub, id, 'paused');
  const middle = WARM + 25;
  await feedBars(WARM, middle, () => [one]);
  await setStatus(hub, id, 'active');
  await feedBars(middle, BARS.start.length, () => [worker(hub)]);
  const expected = await expectedFills(hub, id, BARS);
  const later = (await fillsOf(hub, id)).map(({ at }) => at);
  const isLater = (at: number) => at > (BARS.start[middle - 1] ?? FIRST);
  expect(expected.some(({ at }) => !isLater(at))).toBe(true);
  expect(later.filter((at) => !isLater(at))).toEqual([]);
});
