import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { accountOf } from '../../../shared/data/accounts/account.ts';
import { type ExportedRecord, exportAccount } from '../../../shared/data/accounts/export-account.ts';
import { tradeKey } from '../../../shared/data/books/trades.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { unpackJson } from '../../../shared/data/table/packed.ts';
import { type DeploymentForm, writeForm } from '../../../shared/data/table/stored-form.ts';
import { findUser } from '../../../shared/data/users/users.ts';
import { isRecord } from '../../../shared/domain/unknown-fields.ts';
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
afterEach(() => writeForm('listed'));

const itemOf = async (id: number, number: number): Promise<Item> => {
  const [item] = await hub.runtime.store.getMany([tradeKey(id, number)], { consistent: true });
  if (!item) throw new Error(`there is no trade ${number}`);
  return item;
};

/** Returns the record of a trade, in any form. */
const recordOf = (item: Item): Item => {
  if (!(item.trade instanceof Uint8Array)) return item;
  const record = unpackJson(item.trade);
  if (!isRecord(record)) throw new Error('the trade is no record');
  return record;
};

const tradeOf = async (id: number, number: number): Promise<Item> => recordOf(await itemOf(id, number));

/** Reports a fill of one that happened some seconds after the start of the history. */
const fill = (id: number, client_order_id: string, second: number, detail: object): Promise<void> =>
  reportOrder(hub, id, {
    client_order_id,
    occurred_at: new Date(hub.runtime.clock().getTime() - HOUR_MS + second * 1000).toISOString(),
    ...detail,
  });

/** Opens and closes positions in AAPL, ten seconds each. Returns the deployment. */
const traded = async (form: DeploymentForm, trades: number) => {
  writeForm(form);
  const owner = await deployedTrader(hub);
  for (let number = 1; number <= trades; number++) {
    await fill(owner.id, `in-${number}`, 10 * number, { side: 'buy' });
    await fill(owner.id, `out-${number}`, 10 * number + 5, { side: 'sell' });
  }
  return owner;
};

/** Goes from one long to one short and back, so each order after the first closes a trade. */
const flipped = async (form: DeploymentForm, trades: number) => {
  writeForm(form);
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

const FORMS: readonly [DeploymentForm, DeploymentForm][] = [
  ['listed', 'listed'],
  ['compact', 'listed'],
  ['listed', 'compact'],
  ['attributes', 'attributes'],
  ['attributes', 'listed'],
  ['listed', 'attributes'],
];

test.each(FORMS)(
  'a trade of the next version in the form %s keeps its fields when a late event writes it as %s',
  async (before, after) => {
    const { id } = await traded(before, 2);
    await rewriteAsNext(hub);
    writeForm(after);
    await chargeLate(id);
    expect(await tradeOf(id, 1)).toMatchObject({
      client_order_id: 'out-1',
      swap: '-0.5',
      [ADDED]: { by: 'the next version' },
    });
  },
);

test.each(FORMS)(
  'fields of the next version follow a trade that gets another number: %s, then %s',
  async (before, after) => {
    const { id } = await traded(before, 3);
    await rewriteAsNext(hub);
    writeForm(after);
    await tradeLate(id);
    const trades = await Promise.all([1, 2, 3, 4].map((number) => tradeOf(id, number)));
    expect(trades.map((trade) => [trade.client_order_id, ADDED in trade])).toEqual([
      ['out-1', true],
      ['late-out', false],
      ['out-2', true],
      ['out-3', true],
    ]);
  },
);

test('fields of the next version follow each of two trades that one order closed', async () => {
  const { id } = await traded('attributes', 0);
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
])('a trade that a late event packs in %s has no attributes of its earlier form', async (_, trades) => {
  const { id, user_id } = await flipped('attributes', trades);
  writeForm('listed');
  await tradeLate(id);
  const user = await findUser(hub.runtime.store, user_id);
  if (!user) throw new Error('the user is gone');
  const records: ExportedRecord[] = [];
  await exportAccount(hub.runtime.store, accountOf(user), async (record) => {
    records.push(record);
  });
  const packed = records.flatMap(({ kind, record }) => (kind === 'trade' && record.trade ? [record] : []));
  expect(packed).toHaveLength(trades + 1);
  expect(new Set(packed.flatMap((record) => Object.keys(record)))).toEqual(new Set(['trade']));
});

test('a late event mends a damaged trade that it writes again', async () => {
  const { id } = await traded('listed', 2);
  const before = await tradeOf(id, 1);
  await hub.runtime.store.transact([{ key: tradeKey(id, 1), set: { trade: Buffer.from('damaged') } }]);
  await chargeLate(id);
  expect(await tradeOf(id, 1)).toEqual({ ...before, swap: '-0.5', net: '-0.5' });
});

test('a late event waits for the version that can read a trade that it writes again', async () => {
  const { id } = await traded('listed', 2);
  const { trade } = await itemOf(id, 1);
  if (!(trade instanceof Uint8Array)) throw new Error('the trade is not packed');
  const unknown = Buffer.from(trade);
  // The bits above the mark are the number of the order of fields.
  unknown[0] = (31 << 3) | 0b111;
  await hub.runtime.store.transact([{ key: tradeKey(id, 1), set: { trade: unknown } }]);
  await chargeLate(id);
  expect((await itemOf(id, 1)).trade).toEqual(unknown);
  expect((await outbox(hub)).map(({ message }) => message?.kind)).toContain('execution_event');
  await hub.runtime.store.transact([{ key: tradeKey(id, 1), set: { trade } }]);
  hub.advance(MINUTE_MS);
  await runJob(hub.runtime, { job: 'sweep-events' });
  expect(await tradeOf(id, 1)).toMatchObject({ swap: '-0.5' });
});
