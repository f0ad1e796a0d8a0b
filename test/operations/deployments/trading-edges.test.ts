import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { endedList } from '../../../shared/data/books/ended-entries.ts';
import { orderKey } from '../../../shared/data/books/orders.ts';
import { findRunning, MAX_LISTED } from '../../../shared/data/books/running-deployments.ts';
import { tradeKey } from '../../../shared/data/books/trades.ts';
import { entryKey } from '../../../shared/data/numbered-list/numbered-list.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { MalformedEventError } from '../../../shared/domain/malformed-event.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import {
  deployedTrader,
  deployTrading,
  enterAll,
  report,
  reportOrder,
  trader,
  undeployTrading,
} from '../../support/trading.ts';

const DAY = 24 * 3_600_000;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const deployed = (form: Record<string, string> = {}) => deployedTrader(hub, form);

const all = async (user_id: string, more: Record<string, string> = {}) =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id, ...more } })).body;
const book = async (user_id: string, deployment_id: number) =>
  (
    await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id, deployment_id: String(deployment_id) },
    })
  ).body.items;
const close = (user_id: string, order_id: number) =>
  hub.call('POST /update_live_trade', { query: { user_id, order_id: String(order_id), close_value: '110' } });
const iso = (ms: number): string => new Date(ms).toISOString();
const now = (): number => hub.runtime.clock().getTime();
const notificationKinds = async (user_id: string): Promise<string[]> => {
  await enterAll(hub);
  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
  return body.items.map(({ kind }: { kind: string }) => kind);
};

/** Reads an item as an operator does, with the types of DynamoDB. */
const rawItem = async ({ pk, sk }: Key): Promise<Record<string, AttributeValue>> => {
  const { client, table: TableName } = hub.runtime.store;
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }),
  );
  return Item;
};

/** Returns the paths of binary values at any depth. */
const binariesIn = ({ B, M, L }: AttributeValue, path: string): string[] => {
  if (B) return [path];
  return [...Object.entries(M ?? {}), ...(L ?? []).entries()].flatMap(([name, value]) =>
    binariesIn(value, `${path}.${name}`),
  );
};

test('a deployment, an order, a trade, summaries and a message are stored as attributes that an operator can read', async () => {
  const { user_id, id } = await deployed();
  await report(hub, 'Deployment Started', id);
  await reportOrder(hub, id, { client_order_id: 'in', quantity: '2', filled_quantity: '2' });
  await reportOrder(hub, id, { client_order_id: 'out', side: 'sell', quantity: '2', filled_quantity: '2' });
  const deployment = await rawItem(keys.deployment(id));
  const order = await rawItem(orderKey({ deployment_id: id, client_order_id: 'in' }));
  const trade = await rawItem(tradeKey(id, 1));
  const listed = await rawItem(keys.listedTrading(user_id, false, id));
  const closing = (await outbox(hub)).find(
    ({ message: one }) =>
      one?.kind === 'live_entries' && one.user_id === user_id && isDeepStrictEqual(one.entries.trades, [1]),
  );
  const message = await rawItem(keys.outbox(closing?.delivery_id ?? ''));
  expect((await undeployTrading(hub, user_id, id)).status).toBe(200);
  const ended = await rawItem(entryKey(endedList(user_id, { prediction_market: false }), 0));

  expect(deployment).toMatchObject({
    deployment_id: { N: String(id) },
    status: { S: 'active' },
    starting_capital: { S: '10000' },
    symbols: { L: expect.arrayContaining([{ S: 'AAPL' }]) },
    orders_count: { N: '2' },
    latest_order: { M: { client_order_id: { S: 'out' }, status: { S: 'filled' } } },
  });
  expect(order).toMatchObject({
    client_order_id: { S: 'in' },
    symbol: { S: 'AAPL' },
    status: { S: 'filled' },
    average_price: { S: '100' },
    revision: { N: '0' },
  });
  expect(trade).toMatchObject({ number: { N: '1' }, quantity: { S: '2' }, net: { S: '0' } });
  expect(listed).toMatchObject({
    summary: { M: { status: { S: 'active' }, totals: { M: { trades_count: { N: '1' } } } } },
  });
  expect(ended).toMatchObject({
    summary: { M: { status: { S: 'stopped' } } },
    booked: { M: { trades: { N: '1' } } },
  });
  expect(message).toMatchObject({
    message: { M: { kind: { S: 'live_entries' }, entries: { M: { trades: { L: [{ N: '1' }] } } } } },
  });
  const binaries = Object.entries({ deployment, order, trade, listed, ended, message }).flatMap(
    ([name, item]) => binariesIn({ M: item }, name),
  );
  expect(binaries).toEqual(['deployment.ledger']);
});

test('an attribute that a deployment no longer has is removed, and others are not written', async () => {
  const { user_id, id } = await deployed();
  await report(hub, 'Deployment Started', id);
  const query = { user_id, deployment_id: String(id), reason: 'Lunch' };
  expect((await hub.call('POST /pause_deployment', { query })).status).toBe(200);
  expect(await rawItem(keys.deployment(id))).toMatchObject({ held: { M: { reason: { S: 'Lunch' } } } });
  expect((await hub.call('POST /resume_deployment', { query })).status).toBe(200);
  expect(await rawItem(keys.deployment(id))).not.toHaveProperty('held');
});

test('a deployment that ends leaves the index of expiry', async () => {
  const { user_id, id } = await deployed({ expires_at: iso(now() + DAY) });
  expect(await rawItem(keys.deployment(id))).toMatchObject({ due_kind: { S: 'deployment_expiry' } });
  expect((await undeployTrading(hub, user_id, id)).status).toBe(200);
  const item = await rawItem(keys.deployment(id));
  expect(item).not.toHaveProperty('due_kind');
  expect(item).not.toHaveProperty('due_at');
});

describe('the list of live deployments', () => {
  test('is bounded: running ones come before ended ones with open positions', async () => {
    const { user_id, id, keygen } = await deployed();
    hub.advance(1000);
    const { body } = await deployTrading(hub, keygen);
    const exposed = body.deployment_id as number;
    await reportOrder(hub, exposed, { client_order_id: 'a' });
    await undeployTrading(hub, user_id, exposed);
    const [one] = (await findRunning(hub.runtime.store, user_id)).filter((s) => s.deployment_id === exposed);
    if (!one) throw new Error('what is exposed is not listed');
    await hub.runtime.store.batchWrite(
      Array.from({ length: MAX_LISTED }, (_, index) => {
        const summary = { ...one, deployment_id: exposed + 1 + index };
        const key = keys.listedTrading(user_id, true, summary.deployment_id);
        return { put: { ...key, entity: 'live_summary', summary } };
      }),
    );
    hub.takeCalls();
    const { total, items } = await all(user_id);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect([total, items[0].deployment_id]).toEqual([MAX_LISTED, exposed + MAX_LISTED]);
    const last = await all(user_id, { page: String(Math.ceil(total / 50)) });
    // The oldest of all, and the running one.
    expect(last.items.at(-1)).toMatchObject({ deployment_id: id, status: 'requested' });
  });

  test('covers all brokers if the broker is empty', async () => {
    const { user_id } = await deployed();
    expect((await all(user_id, { broker_id: '' })).total).toBe(1);
  });
});

describe('an event', () => {
  const status = { stop_reason: 'user' };
  test.each([
    ['Deployment Started', { occurred_at: iso(Date.UTC(2090, 0, 1)) }],
    ['Deployment Stopped', { ...status, occurred_at: iso(Date.UTC(2090, 0, 1)) }],
    ['Deployment Stopped', { ...status, occurred_at: '0000-01-01T00:00:00+14:00' }],
    ['Quote Marked', { symbol: 'AAPL', price: 1, occurred_at: '0000-01-01T00:00:00+14:00' }],
    ['Quote Marked', { symbol: 'constructor', price: 1 }],
    ['Quote Marked', { symbol: '__proto__', price: 1 }],
    ['Quote Marked', { symbol: 'A\ud800', price: 1 }],
    ['Quote Marked', { symbol: 'AAPL', price: 1e-30 }],
    ['Swap Charged', { symbol: 'toString', charge_id: 'a', amount: 1 }],
    ['Swap Charged', { symbol: 'AAPL', charge_id: 'a\udc00', amount: 1 }],
  ])('%s %j is malformed', async (type, detail) => {
    const { id } = await deployed();
    await expect(report(hub, type, id, detail)).rejects.toThrow(MalformedEventError);
  });

  test.each([{ symbol: 'valueOf' }, { client_order_id: 'a\ud800' }])(
    'on an order with %j too',
    async (odd) => {
      const { id } = await deployed();
      await expect(reportOrder(hub, id, { client_order_id: 'a', ...odd })).rejects.toThrow(
        MalformedEventError,
      );
    },
  );

  test.each([1e17, 1e130, 1e-140])('with the price %d of a signal is malformed', async (price) => {
    const { keygen } = await trader(hub);
    const { body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });
    const signal = { symbol: 'AAPL', side: 'buy', price, title: 'Buy', body: 'Buy it.' };
    await expect(report(hub, 'Signal Raised', body.deployment_id, signal)).rejects.toThrow(
      MalformedEventError,
    );
  });

  test('from before the deployment counts at the start of the deployment', async () => {
    const { user_id, id } = await deployed();
    const [{ deployed_at }] = (await all(user_id)).items;
    await report(hub, 'Deployment Started', id, { occurred_at: iso(now() - DAY) });
    expect((await all(user_id)).items).toMatchObject([{ status: 'active', started_at: deployed_at }]);
    hub.advance(1000);
    await report(hub, 'Deployment Stopped', id, { stop_reason: 'user', occurred_at: iso(now() - 9 * DAY) });
    const { body } = await hub.call('GET /get_live_expired_strategies_v2', { query: { user_id } });
    expect(body.items).toMatchObject([{ status: 'stopped', stopped_at: deployed_at }]);
  });
});

describe('an exit', () => {
  test('is notified as one, also if the last report of the order adds no fill', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { client_order_id: 'in', quantity: '2', filled_quantity: '2' });
    const out = { client_order_id: 'out', side: 'sell', quantity: '2', filled_quantity: '2' };
    await reportOrder(hub, id, { ...out, status: 'partially_filled' });
    await enterAll(hub);
    hub.advance(1000);
    await reportOrder(hub, id, { ...out, sequence: 2, status: 'filled' });
    expect(await notificationKinds(user_id)).toEqual(['exit_filled', expect.anything(), expect.anything()]);
  });

  test('that flips the position counts as the entry of the new one', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { client_order_id: 'in', quantity: '2', filled_quantity: '2' });
    hub.advance(1000);
    await reportOrder(hub, id, { client_order_id: 'turn', side: 'sell', quantity: '5' });
    expect(await notificationKinds(user_id)).toEqual(['entry_filled', 'entry_filled']);
  });

  test('by hand needs an open position with the order', async () => {
    const { user_id, id } = await deployed();
    for (const [client_order_id, side] of [
      ['a', 'buy'],
      ['b', 'sell'],
      ['c', 'buy'],
    ] as const) {
      hub.advance(1000);
      await reportOrder(hub, id, { client_order_id, side });
    }
    hub.advance(1000);
    const [c, , a] = await book(user_id, id);
    expect(await close(user_id, a.order_id)).toMatchObject({
      status: 409,
      body: { code: 'position_closed' },
    });
    expect((await all(user_id)).items).toMatchObject([{ positions: [{ quantity: 1 }] }]);
    expect((await close(user_id, c.order_id)).status).toBe(200);
    expect((await all(user_id)).items).toMatchObject([{ positions: [], trades_count: 2 }]);
  });
});

test('an order that is cancelled after a partial fill is not notified as a cancelled entry', async () => {
  const { user_id, id } = await deployed();
  const order = { client_order_id: 'in', quantity: '2', filled_quantity: '1' };
  await reportOrder(hub, id, { ...order, status: 'partially_filled' });
  await reportOrder(hub, id, { client_order_id: 'out', side: 'sell' });
  await enterAll(hub);
  hub.advance(1000);
  await reportOrder(hub, id, { ...order, sequence: 2, status: 'cancelled' });
  expect(await notificationKinds(user_id)).not.toContain('entry_cancelled');
});

describe('the allowed values are reported like in the contract', () => {
  const least = { type: 'value_error.number.not_gt', ctx: { limit_value: 0 } };
  const over = (limit_value: number) => ({
    msg: expect.stringContaining(String(limit_value)),
    ctx: { limit_value },
  });
  test.each([
    [
      'POST /update_live_trade',
      { order_id: '7', close_value: '1e' },
      'close_value',
      { type: 'type_error.decimal' },
    ],
    ['POST /update_live_trade_in_order_book', { ob: '7', symbol: ' ' }, 'symbol', over(1)],
    ['POST /update_live_trade_in_order_book', { ob: '7', symbol: 'A'.repeat(65) }, 'symbol', over(64)],
    ['GET /get_global_order_book', { mode: 'paper' }, 'mode', { ctx: { enum_values: ['live', 'virtual'] } }],
    ['GET /get_live_deps_pnl', { deployment_ids: [...Array(51).keys()].join() }, 'deployment_ids', over(50)],
  ])('by %s %j', async (operation, query, name, detail) => {
    const { body, status } = await hub.call(operation, { query: { user_id: 'anybody', ...query } });
    expect([status, body.detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['query', name], ...detail })],
    ]);
  });

  test.each([
    [{ starting_capital: '0' }, 'starting_capital', least],
    [{ channels: 'pigeon' }, 'channels', { ctx: { enum_values: ['push', 'email', 'sms'] } }],
    [{ account_id: 'a'.repeat(65) }, 'account_id', over(64)],
  ])('by /deploy_live_strategy %j', async (form, name, detail) => {
    const { body, status } = await deployTrading(hub, (await trader(hub)).keygen, form);
    expect([status, body.detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', name], ...detail })],
    ]);
  });
});

test('a deployment can be ended although the count of deployments is wrong', async () => {
  const { user_id, id } = await deployed();
  await hub.runtime.store.transact([
    { key: keys.user(user_id), update: 'SET deploy_used = :none', values: { ':none': 0 } },
  ]);
  expect((await undeployTrading(hub, user_id, id)).body).toMatchObject({ status: 'stopped' });
});
