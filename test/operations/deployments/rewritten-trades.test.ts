import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tradeKey } from '../../../shared/data/books/trades.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { ADDED, rewriteAsNext } from '../../support/next-version.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, report, reportOrder } from '../../support/trading.ts';

/** More than the changes of one transaction, so the late fill is staged. */
const MANY = 82;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 61_000;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

const tradeOf = async (id: number, number: number): Promise<Item> => {
  const [item] = await hub.runtime.store.getMany([tradeKey(id, number)], { consistent: true });
  if (!item) throw new Error(`there is no trade ${number}`);
  return item;
};

/** Reports a fill of one that happened some seconds after the start of the history. */
const fill = (id: number, client_order_id: string, second: number, detail: object): Promise<void> =>
  reportOrder(hub, id, {
    client_order_id,
    occurred_at: new Date(hub.runtime.clock().getTime() - HOUR_MS + second * 1000).toISOString(),
    ...detail,
  });

/** Opens and closes positions in AAPL, ten seconds each. Returns the deployment. */
const traded = async (trades: number) => {
  const owner = await deployedTrader(hub);
  for (let number = 1; number <= trades; number++) {
    await fill(owner.id, `in-${number}`, 10 * number, { side: 'buy' });
    await fill(owner.id, `out-${number}`, 10 * number + 5, { side: 'sell' });
  }
  return owner;
};

/** Goes from one long to one short and back, so each order after the first closes a trade. */
const flipped = async (trades: number) => {
  const owner = await deployedTrader(hub);
  for (let order = 0; order <= trades; order++) {
    const side = order % 2 === 0 ? 'buy' : 'sell';
    await fill(owner.id, `flip-${order}`, 20 + order, { side, quantity: order === 0 ? '1' : '2' });
  }
  return owner;
};

/** Reports the swap of the first trade late. */
const chargeLate = (id: number): Promise<void> =>
  report(hub, 'Swap Charged', id, {
    symbol: 'AAPL',
    charge_id: 'late',
    amount: '-0.5',
    occurred_at: new Date(hub.runtime.clock().getTime() - HOUR_MS + 12_000).toISOString(),
  });

/** Reports a trade in another symbol late, which came after the first one, and before those of {@link flipped}. */
const tradeLate = async (id: number): Promise<void> => {
  await fill(id, 'late-in', 16, { symbol: 'MSFT', side: 'buy' });
  await fill(id, 'late-out', 17, { symbol: 'MSFT', side: 'sell' });
};

test('a trade of the next version keeps its fields when a late event writes it', async () => {
  const { id } = await traded(2);
  await rewriteAsNext(hub);
  await chargeLate(id);
  expect(await tradeOf(id, 1)).toMatchObject({
    client_order_id: 'out-1',
    swap: '-0.5',
    [ADDED]: { by: 'the next version' },
  });
});

test('fields of the next version follow a trade that gets another number', async () => {
  const { id } = await traded(3);
  await rewriteAsNext(hub);
  await tradeLate(id);
  const trades = await Promise.all([1, 2, 3, 4].map((number) => tradeOf(id, number)));
  expect(trades.map((trade) => [trade.client_order_id, ADDED in trade])).toEqual([
    ['out-1', true],
    ['late-out', false],
    ['out-2', true],
    ['out-3', true],
  ]);
});

test('fields of the next version follow each of two trades that one order closed', async () => {
  const { id } = await traded(0);
  const half = { side: 'sell', quantity: '2', filled_quantity: '1', status: 'partially_filled' };
  await fill(id, 'first', 20, { side: 'buy' });
  await fill(id, 'out', 21, { ...half, sequence: 1 });
  await fill(id, 'second', 22, { side: 'buy' });
  await fill(id, 'out', 23, { ...half, sequence: 2, filled_quantity: '2', status: 'filled' });
  for (const number of [1, 2]) {
    await hub.runtime.store.transact([{ key: tradeKey(id, number), set: { [ADDED]: number } }]);
  }
  await tradeLate(id);
  const trades = await Promise.all([1, 2, 3].map((number) => tradeOf(id, number)));
  expect(trades.map((trade) => [trade.client_order_id, trade[ADDED]])).toEqual([
    ['late-out', undefined],
    ['out', 1],
    ['out', 2],
  ]);
});

test.each([
  ['one transaction', 2],
  ['a stage', MANY],
])('a trade that a late event writes in %s has no attribute of the trade before', async (_, trades) => {
  const { id } = await flipped(trades);
  for (let number = 1; number <= trades; number++) {
    await hub.runtime.store.transact([{ key: tradeKey(id, number), set: { [ADDED]: number } }]);
  }
  await tradeLate(id);
  const numbers = Array.from({ length: trades + 1 }, (_, index) => index + 1);
  const after = await Promise.all(numbers.map((number) => tradeOf(id, number)));
  // The late trade is the first or the second one, and has nothing of those before.
  expect(after.map((trade) => trade[ADDED]).filter((added) => added !== undefined)).toEqual(
    numbers.slice(0, -1),
  );
  expect(after.filter((trade) => !(ADDED in trade)).map(({ client_order_id }) => client_order_id)).toEqual([
    'late-out',
  ]);
  for (const trade of after) {
    expect(trade).not.toHaveProperty('stage_id');
    expect(trade).not.toHaveProperty('next');
  }
});

test('a late event mends a damaged trade that it writes again', async () => {
  const { id } = await traded(2);
  const before = await tradeOf(id, 1);
  await hub.runtime.store.transact([{ key: tradeKey(id, 1), set: { quantity: [] } }]);
  await chargeLate(id);
  expect(await tradeOf(id, 1)).toEqual({ ...before, swap: '-0.5', net: '-0.5' });
});

test('a late event waits for the version that can read a trade that it writes again', async () => {
  const { id } = await traded(2);
  const { side } = await tradeOf(id, 1);
  await hub.runtime.store.transact([{ key: tradeKey(id, 1), set: { side: 'both' } }]);
  await chargeLate(id);
  expect((await tradeOf(id, 1)).side).toBe('both');
  expect((await outbox(hub)).map(({ message }) => message?.kind)).toContain('execution_event');
  await hub.runtime.store.transact([{ key: tradeKey(id, 1), set: { side } }]);
  hub.advance(MINUTE_MS);
  await runJob(hub.runtime, { job: 'sweep-events' });
  expect(await tradeOf(id, 1)).toMatchObject({ swap: '-0.5' });
});
