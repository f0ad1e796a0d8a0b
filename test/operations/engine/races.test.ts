import { expect, test } from '@jest/globals';
import { newEngineMemory } from '../../../functions/engine/engine-runtime.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { programIdsOf } from '../../../shared/data/engine/program-ids.ts';
import { findPrograms } from '../../../shared/data/engine/programs.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { advanceSeries } from '../../support/functions/engine.ts';
import {
  BITCOIN,
  expectedFills,
  feed,
  fillsOf,
  hubDeployed,
  setStatus,
  setupOf,
  subsOf,
} from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { openPaperDeployments } from '../../support/paper-deployments.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { closeIs } from '../../support/small-backtests.ts';

const WARM = 30;
const BARS = randomBars(11, WARM + 36);
const EXITS = { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] };

const papers = await openPaperDeployments(BARS, WARM);
const { hub, oneBar, feedBars } = papers;

const startOne = async (setup: ReturnType<typeof setupOf>): Promise<number> => {
  const [id = 0] = await papers.start(worker(hub), setup, 1);
  return id;
};

test('a program whose state cannot be read does not block the others', async () => {
  const setups = [setupOf(crossRules(2, 5, EXITS)), setupOf(crossRules(2, 6, EXITS))] as const;
  await startOne(setups[0]);
  const good = await startOne(setups[1]);
  const [programId = ''] = programIdsOf(setups[0], storedRules(setups[0]));
  const key = keys.programState(programId);
  const [item] = await hub.runtime.store.getMany([key]);
  await hub.runtime.store.transact([{ key, set: { program: new Uint8Array([1, 2, 3]) } }]);
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    await expect(feed(hub, oneBar(bar), [worker(hub)])).rejects.toThrow(AggregateError);
  }
  const expected = await expectedFills(hub, good, BARS);
  expect(expected.length).toBeGreaterThan(1);
  expect(await fillsOf(hub, good)).toEqual(expected);
  await hub.runtime.store.transact([{ put: { ...item, ...key } }]);
});

test('an account that only a newer version can read keeps its bars, and does not block the others', async () => {
  const setup = setupOf(rulesWith(closeIs(BARS.close[WARM] ?? 0), EXITS));
  const [newer = 0, id = 0] = await papers.start(worker(hub), setup, 2);
  const one = worker(hub);
  await feed(hub, oneBar(WARM), [one]);
  const [programId = ''] = programIdsOf(setup, storedRules(setup));
  const key = keys.subscriber(programId, 'A', newer);
  const inputs = [{ number: 1, after: 0, type: 'later', order: '', price: 1, client_order_id: '' }];
  await hub.runtime.store.transact([{ key, set: { inputs } }]);
  const middle = WARM + 20;
  await feedBars(WARM + 1, middle, () => [one]);
  const expected = await expectedFills(hub, id, sliceBars(BARS, 0, middle));
  expect(expected.length).toBeGreaterThan(1);
  expect(await fillsOf(hub, id)).toEqual(expected);
  // The newer version works again.
  await hub.runtime.store.transact([{ key, set: { inputs: [] } }]);
  await feed(hub, oneBar(middle), [worker(hub)]);
  expect(await fillsOf(hub, newer)).toEqual(expected);
});

test('a worker of an earlier bar leaves a program busy that expects entries at a later one', async () => {
  const setup = setupOf(crossRules(2, 7, EXITS));
  await startOne(setup);
  const { programs } = await findPrograms(hub.runtime.store, 'BTCUSD', '1d', 0);
  const [program] = programs;
  if (!program) throw new Error('no program');
  const later = BARS.start[WARM + 3] ?? 0;
  const busyOf = async () =>
    (await findPrograms(hub.runtime.store, 'BTCUSD', '1d', 0)).programs.map(({ busy }) => busy);
  await hub.runtime.store.transact([
    {
      key: keys.program('BTCUSD', '1d', program.shard, program.program_id),
      set: { busy: true, entries_at: later, rev: program.rev + 1 },
    },
  ]);
  await feed(hub, oneBar(WARM), [worker(hub)]);
  expect(await busyOf()).toEqual([true]);
});

/** A store that runs something before its n-th transaction. */
class PausingStore extends Store {
  #left: number;
  readonly #before: () => Promise<void>;
  constructor({ client, table }: Store, left: number, before: () => Promise<void>) {
    super(client, table);
    this.#left = left;
    this.#before = before;
  }
  override async transact(writes: readonly Write[]): Promise<void> {
    this.#left -= 1;
    if (this.#left === 0) await this.#before();
    return super.transact(writes);
  }
}

/** A store that runs something before it looks for accounts without a trade. */
class LookingStore extends Store {
  #before: (() => Promise<void>) | undefined;
  constructor({ client, table }: Store, before: () => Promise<void>) {
    super(client, table);
    this.#before = before;
  }
  override async queryItems(input: Parameters<Store['queryItems']>[0]): Promise<Item[]> {
    const before = this.#before;
    if (before && String(input.ExpressionAttributeValues[':from']).startsWith('F#')) {
      this.#before = undefined;
      await before();
    }
    return super.queryItems(input);
  }
}

test('a worker that overtakes another saves no state that the accounts of the other lack bars of', async () => {
  const signal = WARM + 14;
  const setup = setupOf(rulesWith(closeIs(BARS.close[signal] ?? 0), EXITS));
  const id = await startOne(setup);
  const memory = newEngineMemory();
  const warm = worker(hub, { memory });
  await feedBars(WARM, signal, () => [warm]);
  const { series } = await appendBars(hub.runtime.store, BITCOIN, oneBar(signal));
  const before = () => advanceSeries(worker(hub).engine, series, ['1d']);
  const store = new LookingStore(hub.runtime.store, before);
  await feed(hub, oneBar(signal + 1), [worker(hub, { store, memory })]);
  await feedBars(signal + 2, BARS.start.length, () => [worker(hub)]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(1);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a deployment that ends while it starts leaves no program behind', async () => {
  const setup = setupOf(crossRules(2, 8, EXITS));
  const id = await hubDeployed(hub, papers.owner(), setup);
  const end = async () => {
    await setStatus(hub, id, 'stopped');
    await endEngine(worker(hub), id);
  };
  // New program, then the join.
  const store = new PausingStore(hub.runtime.store, 2, end);
  await startEngine(worker(hub, { store }), id);
  expect(await subsOf(hub, setup)).toEqual([]);
  expect((await findPrograms(hub.runtime.store, 'BTCUSD', '1d', 0)).programs).toEqual([]);
});

/** Sums the fills of a deployment to the quantity that it holds. */
const heldBy = async (id: number) =>
  (await fillsOf(hub, id)).reduce(
    (sum, { side, quantity }) => sum + (side === 'buy' ? quantity : -quantity),
    0,
  );

test.each([1, 3])(
  'a pause after %i transactions of a catch-up leaves no trade without its exit',
  async (writes) => {
    const setup = setupOf(crossRules(2, 8 + writes, EXITS));
    const id = await startOne(setup);
    await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, WARM, BARS.start.length - 12));
    const dying = new DyingStore(hub.runtime.store, writes, true);
    await feed(hub, oneBar(BARS.start.length - 12), [worker(hub, { store: dying })]).catch(() => undefined);
    await setStatus(hub, id, 'paused');
    for (let bar = BARS.start.length - 11; bar < BARS.start.length; bar++) {
      await feed(hub, oneBar(bar), [worker(hub)]);
    }
    expect(await heldBy(id)).toBe(0);
  },
);
