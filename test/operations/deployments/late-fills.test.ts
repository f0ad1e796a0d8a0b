import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findTrades } from '../../../shared/data/books/trades.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type Store, TransactionRefusedError } from '../../../shared/data/table/store.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { inSoak, soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll } from '../../support/trading.ts';
import { newOwner, onTheBus, type PlannedEvent } from '../../support/trading-events.ts';
import { type Owner, tradingStateOf } from '../../support/trading-state.ts';
import { Fraction } from '../../unit/domain/fractions.ts';

const HOUR_MS = 3_600_000;
/** As promised to engines. */
const OVERTAKEN_BY = 100;

let hub: TestHub;
let madeAt: number;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
  madeAt = hub.runtime.clock().getTime();
  hub.advance(HOUR_MS);
});
afterAll(() => hub.close());

/** From one long to one short and back, so every order closes a trade and opens the next. */
const flips: readonly PlannedEvent[] = Array.from({ length: OVERTAKEN_BY + 2 }, (_, index) => ({
  deployment: 0,
  type: 'Order Updated',
  after: 1000 + index * 1000,
  detail: {
    client_order_id: `o${index}`,
    sequence: 1,
    symbol: 'AAPL',
    side: index % 2 === 0 ? 'buy' : 'sell',
    order_type: 'market',
    quantity: index === 0 ? '1' : '2',
    status: 'filled',
    filled_quantity: index === 0 ? '1' : '2',
    average_price: String(100 + index),
    fees: '0.1',
  },
}));

/** Without this sale of two, every trade and the result of every order differ. */
const [first, late, ...later] = flips;

const take = async (on: TestHub, owner: Owner, event: PlannedEvent, memory?: BookMemory): Promise<void> =>
  takeEvent(on.runtime, onTheBus(owner, madeAt, event), { memory });

const takeEach = async (owner: Owner, events: readonly (PlannedEvent | undefined)[]): Promise<void> => {
  const memory = new BookMemory();
  for (const event of events) if (event) await take(hub, owner, event, memory);
  await enterAll(hub);
};

const ownerAfter = async (events: readonly (PlannedEvent | undefined)[]): Promise<Owner> => {
  const owner = await newOwner(hub, 1);
  await takeEach(owner, events);
  return owner;
};

const stateOf = async (owner: Owner) => {
  while ((await enterAll(hub)) > 0);
  const { deployments, users } = await tradingStateOf(hub.runtime.store, [owner]);
  return { deployments, users: users.map(({ lists, books }) => ({ lists, books })) };
};

/** Compares the figures that readers see of a deployment: its sums, its orders and its trades. */
const expectOneHistory = async (owner: Owner): Promise<number> => {
  const { store } = hub.runtime;
  const [deployment_id = 0] = owner.deployments;
  const [item] = await store.getMany([keys.deployment(deployment_id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('the deployment of the test is gone');
  const { head } = unpackLedger(deployment.ledger);
  const orders = await findAllOrders(store, deployment_id);
  const pointers = flips.map((_, index) => ({ deployment_id, number: index + 1 }));
  const trades = [
    ...(await findTrades(store, pointers.slice(0, 100))),
    ...(await findTrades(store, pointers.slice(100))),
  ];
  const sum = (amounts: readonly (string | null)[]): Fraction =>
    amounts.reduce((total, amount) => total.plus(Fraction.of(amount ?? '0')), Fraction.of('0'));
  expect(trades.map(({ number }) => number)).toEqual(trades.map((_, index) => index + 1));
  expect(trades).toHaveLength(head.trades.count);
  expect(sum(orders.map(({ realized_pnl }) => realized_pnl))).toEqual(Fraction.of(head.gross));
  const open = Object.values(head.symbols).map(({ position }) => position?.gross ?? '0');
  expect(sum([...trades.map(({ gross }) => gross), ...open])).toEqual(Fraction.of(head.gross));
  return head.fills;
};

/** Returns a hub whose table fails permanently from the n-th transaction on. */
const crashingAt = (crash: number): { readonly hub: TestHub; readonly transactions: () => number } => {
  let transactions = 0;
  const store: Store = Object.create(hub.runtime.store, {
    transact: {
      value: async (...writes: Parameters<Store['transact']>) => {
        transactions += 1;
        if (transactions >= crash) throw new Error('the process died');
        await hub.runtime.store.transact(...writes);
      },
    },
  });
  return { hub: hub.over(store), transactions: () => transactions };
};

inSoak('a fill that a hundred later ones have overtaken counts at its own time, everywhere', async () => {
  const straight = await ownerAfter(flips);
  const mixed = await ownerAfter([first, ...later.slice(0, OVERTAKEN_BY), late]);
  const books = await stateOf(mixed);
  expect(books).toEqual(await stateOf(straight));
  expect(books.deployments[0]?.ledger).toMatchObject({ late: 0, head: { trades: { count: 101 } } });
  await expectOneHistory(mixed);
});

/** So many that the changes of the late fill exceed one transaction. */
const some = flips.slice(0, 47);

test('readers see all changes of a late fill or none, wherever its process dies', async () => {
  if (!late) throw new Error('the history of the test is empty');
  const before = some.toSpliced(1, 1);
  const counted = crashingAt(Number.POSITIVE_INFINITY);
  const whole = await ownerAfter(before);
  await take(counted.hub, whole, late);
  const undisturbed = await stateOf(whole);
  const transactions = counted.transactions();
  expect(transactions).toBeGreaterThan(5);
  const seen = new Set<boolean>();
  // Every transaction in a soak test; otherwise the first and the last.
  const count = soakable(2, transactions);
  const crashes = Array.from({ length: count }, (_, index) =>
    Math.round(1 + (index * (transactions - 1)) / (count - 1)),
  );
  for (const crash of crashes) {
    const owner = await ownerAfter(before);
    await expect(take(crashingAt(crash).hub, owner, late)).rejects.toThrow('the process died');
    const counts = (await expectOneHistory(owner)) === some.length;
    seen.add(counts);
    // The bus repeats the unacknowledged event; the message alone would also finish the change.
    if (counts && crash % 2 === 0) await enterAll(hub);
    else await take(hub, owner, late);
    expect(await expectOneHistory(owner)).toBe(some.length);
    expect(await stateOf(owner)).toEqual(undisturbed);
  }
  expect([...seen]).toEqual([false, true]);
});

const fillOf = (name: string, after: number, side: 'buy' | 'sell', quantity: string): PlannedEvent => ({
  deployment: 0,
  type: 'Order Updated',
  after,
  detail: {
    client_order_id: name,
    sequence: 1,
    symbol: 'AAPL',
    side,
    order_type: 'market',
    quantity,
    status: 'filled',
    filled_quantity: quantity,
    average_price: String(100 + after / 1000),
    fees: '0.1',
  },
});

/** Turns a position around with every order, also if it began larger by one. */
const turns = (count: number): PlannedEvent[] =>
  Array.from({ length: count }, (_, index) =>
    fillOf(`o${index}`, 1000 + index * 1000, index % 2 === 0 ? 'buy' : 'sell', index === 0 ? '5' : '10'),
  );

/** Changes the quantity of every trade, and the number of none. */
const early = fillOf('early', 500, 'buy', '1');

test.each([9, 47].slice(0, soakable(1, 2)))(
  'a late fill before %d others changes the trades',
  async (count) => {
    const straight = await stateOf(await ownerAfter([early, ...turns(count)]));
    const owner = await ownerAfter(turns(count));
    const [trade] = (await stateOf(owner)).deployments[0]?.trades ?? [];
    await take(hub, owner, early);
    const state = await stateOf(owner);
    expect(state).toEqual(straight);
    expect(state.deployments[0]?.trades).toHaveLength(count - 1);
    expect(state.deployments[0]?.trades[0]).not.toEqual(trade);
  },
);

test('a staged change that another writer refused is repeated at once', async () => {
  if (!late) throw new Error('the history of the test is empty');
  const owner = await ownerAfter(some.toSpliced(1, 1));
  const { runtime } = hub;
  const [deploymentId = 0] = owner.deployments;
  const stageKey = { pk: keys.deployment(deploymentId).pk, sk: 'STAGE' };
  let [refusals, looks] = [0, 0];
  const store: Store = Object.create(runtime.store, {
    transact: {
      value: async (...[writes]: Parameters<Store['transact']>) => {
        // The first change that would count.
        const counts =
          writes.some((write) => 'put' in write && write.put.sk === 'STAGE') && writes.length > 2;
        if (counts && refusals === 0) {
          refusals += 1;
          throw new TransactionRefusedError(writes.slice(0, 1));
        }
        await runtime.store.transact(writes);
      },
    },
    getMany: {
      value: (...[wanted, options]: Parameters<Store['getMany']>) => {
        if (wanted.some(({ sk }) => sk === stageKey.sk)) looks += 1;
        return runtime.store.getMany(wanted, options);
      },
    },
  });
  await take(hub.over(store), owner, late);
  expect(refusals).toBe(1);
  // Two claims, and the end of the stage; a claim that is left behind is read again every 100 ms.
  expect(looks).toBe(3);
  expect(await expectOneHistory(owner)).toBe(some.length);
  expect(await runtime.store.getMany([stageKey], { consistent: true })).toEqual([undefined]);
});

test('late fills that two consumers apply at once both count', async () => {
  const [, , second, ...rest] = some;
  if (!late || !second) throw new Error('the history of the test is empty');
  const straight = await stateOf(await ownerAfter(some));
  const owner = await ownerAfter([first, ...rest]);
  const tries = [late, second, late, second].map((event) => take(hub, owner, event));
  await Promise.all(tries);
  expect(await stateOf(owner)).toEqual(straight);
});

test('a report on a staged order that comes before the stage counts is kept', async () => {
  const counted = some[20];
  if (!late || !counted) throw new Error('the history of the test is too short');
  const owner = await ownerAfter(some.toSpliced(1, 1));
  const [deployment_id = 0] = owner.deployments;
  // Overtaken by the fill of its order: it adds to the order, and changes nothing else.
  const overtaken: PlannedEvent = {
    ...counted,
    after: counted.after - 500,
    detail: {
      ...counted.detail,
      sequence: 0,
      status: 'open',
      filled_quantity: '0',
      average_price: null,
      fees: '0',
      broker_order_id: 'B-20',
    },
  };
  let isTaken = false;
  const store: Store = Object.create(hub.runtime.store, {
    transact: {
      value: async (...[writes]: Parameters<Store['transact']>) => {
        const isCounting =
          writes.length > 2 && writes.some((write) => 'put' in write && write.put.sk === 'STAGE');
        if (isCounting && !isTaken) {
          isTaken = true;
          await take(hub, owner, overtaken);
        }
        await hub.runtime.store.transact(writes);
      },
    },
  });
  await take(hub.over(store), owner, late);
  expect(isTaken).toBe(true);
  const orders = await findAllOrders(hub.runtime.store, deployment_id);
  expect(
    orders.find(({ client_order_id }) => client_order_id === counted.detail.client_order_id),
  ).toMatchObject({
    sequences: [0, 1],
    broker_order_id: 'B-20',
  });
});
