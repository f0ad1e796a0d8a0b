import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { EXPIRY_KIND } from '../../../shared/data/deployments/deployments.ts';
import { seriesInUseWrite } from '../../../shared/data/engine/series-in-use.ts';
import { findHalt, newHaltWrite } from '../../../shared/data/switches/halts.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { DAMAGES } from '../../support/series-in-use.ts';

const hub = await openHub();
const { store, clock } = hub.runtime;

const damage = (name: string, due_kind: string, due_at = clock().getTime() - 1) =>
  store.put({ pk: `DAMAGED#${name}`, sk: 'A', entity: 'damaged', due_kind, due_at });

const repair = (name: string) => store.transact([{ delete: { pk: `DAMAGED#${name}`, sk: 'A' } }]);

const leavesOf = (error: unknown): unknown[] =>
  error instanceof AggregateError ? error.errors.flatMap(leavesOf) : [error];

/** Returns the errors of a run. */
const errorsOf = (job: string): Promise<unknown[]> =>
  runJob(hub.runtime, { job }).then(
    () => [],
    (error: unknown) => leavesOf(error),
  );

test.each([
  ['expire-deployments', EXPIRY_KIND],
  ['sweep-backtests', 'backtest_job'],
  ['sweep-backtests', 'sweep_job'],
  ['delete-accounts', 'account_deletion'],
  ['halt-deployments', 'halt'],
  ['refresh-partner-tokens', 'partnerc'],
  ['attend-webhooks', 'webhook_endpoint'],
  ['compare-accounts', 'execution_connection:alpaca'],
  ['follow-orders', 'execution_order:alpaca'],
  ['compare-binance-accounts', 'execution_connection:binance'],
  ['follow-binance-orders', 'execution_order:binance'],
  ['sweep-deliveries', 'delivery#0'],
  ['sweep-bulk', 'delivery_bulk#0'],
  ['sweep-changes', 'delivery_change#0'],
  ['sweep-orders', 'delivery_order#0'],
  ['sweep-pushes', 'delivery_push#0'],
  ['sweep-events', 'delivery_event#0'],
  ['sweep-webhooks', 'delivery_webhook#0'],
])('%s reports an item that cannot be read, once in five minutes: %s', async (job, kind) => {
  const damaged = expect.objectContaining({
    name: 'DamagedItemError',
    message: expect.stringMatching(
      new RegExp(`^a due item of the kind ${kind} cannot be read, and is put off to \\d+: .*field required`),
    ),
  });
  await damage(kind, kind);
  expect(await errorsOf(job)).toEqual([damaged]);
  expect(await errorsOf(job)).toEqual([]);
  hub.advance(5 * 60_000);
  expect(await errorsOf(job)).toEqual([damaged]);
  await repair(kind);
});

test('a job names the records that it could not read in its log', async () => {
  await damage('named', 'halt');
  hub.log.length = 0;
  await errorsOf('halt-deployments');
  expect(hub.log.map(({ level, message, extra }) => [level, message, extra])).toEqual([
    [
      'error',
      'a record cannot be read',
      {
        operation: 'halt-deployments',
        record: expect.stringMatching(/^a due item of the kind halt cannot be read, and is put off to \d+: /),
      },
    ],
  ]);
  await repair('named');
});

describe('sweep-series lets the engine work on the others, and names', () => {
  const bar = { start: 1_767_225_600_000, open: 1, high: 1, low: 1, close: 1, volume: 1 };
  const facts = { calendar: 'always', source: 'a', adjustment: 'none', timeframe: '1h' } as const;
  const SYMBOLS = ['BTCUSD', 'ETHUSD'];

  beforeEach(async () => {
    for (const symbol of SYMBOLS) {
      await appendBars(store, { ...facts, symbol, asset_class: 'crypto' }, columnsOf([bar]));
      await store.transact([seriesInUseWrite(symbol, '1h')]);
    }
  });
  afterEach(async () => {
    for (const symbol of SYMBOLS) {
      await removeSeries(store, { ...facts, symbol });
      await store.delete(keys.seriesInUse(symbol, '1h'));
    }
  });

  const leavesToTheEngine = async (): Promise<unknown[]> => {
    const before = new Set((await outbox(hub)).map(({ delivery_id }) => delivery_id));
    await errorsOf('sweep-series');
    await errorsOf('sweep-series');
    return (await outbox(hub)).flatMap(({ delivery_id, message }) =>
      !before.has(delivery_id) && message?.kind === 'domain_event' ? [message.detail] : [],
    );
  };

  test.each(DAMAGES)('a head %s', async (_name, change, problem) => {
    const key = keys.series('BTCUSD', '1h');
    const [item] = await store.getMany([key]);
    await store.put({ ...item, ...key, ...change });
    expect(await leavesToTheEngine()).toEqual([expect.objectContaining({ symbol: 'ETHUSD' })]);
    const message = `the item SERIES#BTCUSD#1h, TAIL cannot be read: ${problem}`;
    expect(await errorsOf('sweep-series')).toEqual([expect.objectContaining({ message })]);
  });

  test('an entry of a series in use', async () => {
    await store.put({ ...keys.seriesInUse('BTCUSD', '1h'), timeframe: '1h', programs: 1 });
    expect(await leavesToTheEngine()).toEqual([expect.objectContaining({ symbol: 'ETHUSD' })]);
    const message = 'the item SERIES_IN_USE, BTCUSD#1h cannot be read: symbol: field required';
    expect(await errorsOf('sweep-series')).toEqual([expect.objectContaining({ message })]);
  });
});

test('a page of items that cannot be read does not hold up those behind it', async () => {
  const from = clock().getTime();
  for (let n = 0; n < 120; n++) await damage(`halt-${n}`, 'halt', from - 1000 + n);
  const subject = { level: 'user', user_id: 'u' } as const;
  const thrown = { subject, actor: { by: 'user' }, reason: 'Enough.', flatten: false } as const;
  for (const throw_id of ['first', 'second']) {
    await store.transact([newHaltWrite({ ...thrown, throw_id, at: clock().toISOString() }, clock())]);
  }
  hub.advance(120_000);
  expect(await errorsOf('halt-deployments')).toHaveLength(120);
  for (const throw_id of ['first', 'second']) {
    expect(await findHalt(store, throw_id)).toMatchObject({ finished_at: expect.any(String) });
  }
});
