import { beforeAll, expect, test } from '@jest/globals';
import { deploymentAuditList } from '../../../shared/data/audit/audit-trail.ts';
import { endedList } from '../../../shared/data/books/ended-entries.ts';
import { orderKey, orderList, userOrderList } from '../../../shared/data/books/orders.ts';
import { tradeKey } from '../../../shared/data/books/trades.ts';
import { deploymentList } from '../../../shared/data/deployments/deployments.ts';
import { notificationList } from '../../../shared/data/deployments/notifications.ts';
import { entryKey } from '../../../shared/data/numbered-list/numbered-list.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { approvedBroker, registerAtBroker } from '../../support/brokers.ts';
import type { Response } from '../../support/hub.ts';
import { accessOf, readAs } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import { build, furnishWithInstruments, like, list, setState } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
const { store } = hub.runtime;

const NAMES = ['first', 'second', 'third'] as const;
/** Place of the damaged record: that of the middle one. */
const MIDDLE = 1;

let owner: { readonly user_id: string; readonly email: string };
let broker: string;
const strategies: number[] = [];
const deployments: number[] = [];
const idOf = (all: readonly number[], index: number): number => {
  const id = all[index];
  if (id === undefined) throw new Error('there is no such id');
  return id;
};

beforeAll(async () => {
  const desk = await approvedBroker(hub);
  broker = await accessOf(hub, desk);
  const { user_id, email } = (await registerAtBroker(hub, desk.subdomain)).body;
  owner = { user_id, email };
  for (const strategy_name of NAMES) {
    const { body } = await build(hub, { user_id, strategy_name, symbol: 'AAPL' });
    strategies.push(body.strategy_id);
    await setState(hub, user_id, body.strategy_id, 1);
    await list(hub, user_id, body.strategy_id);
    await like(hub, user_id, body.strategy_id);
    const made = await deployTrading(hub, body.keygen);
    expect(made.status).toBe(200);
    deployments.push(made.body.deployment_id);
    await report(hub, 'Deployment Started', made.body.deployment_id);
    hub.advance(1000);
  }
  const id = idOf(deployments, 0);
  for (const client_order_id of NAMES) {
    for (const side of ['buy', 'sell'] as const) {
      if (side === 'buy') await reportOrder(hub, id, { client_order_id: `in-${client_order_id}`, side });
      else await reportOrder(hub, id, { client_order_id, side, expected_price: '100' });
      hub.advance(1000);
    }
  }
  for (const action of ['pause', 'resume', 'pause']) {
    const query = { user_id, deployment_id: String(id), reason: 'A test.' };
    expect((await hub.call(`POST /${action}_deployment`, { query })).status).toBe(200);
    hub.advance(1000);
  }
  await enterAll(hub);
});

/** Reads a list as its owner, or as the broker of the owner. */
const read = (route: string, query: Readonly<Record<string, string>>): Promise<Response> =>
  route.includes('/broker/')
    ? readAs(hub, broker, route, { user_email: owner.email, ...query })
    : hub.call(route, { query: { user_id: owner.user_id, ...query } });

const named = (): unknown[] =>
  hub.log.flatMap(({ message, extra }) => (message === 'a record cannot be read' ? [extra] : []));

interface Case {
  readonly query?: () => Readonly<Record<string, string>>;
  readonly key: () => Key;
  readonly damage: Item;
  /** True if the list is read whole: its total is then the number of entries that it shows. */
  readonly isWhole?: true;
}

const deployment = () => ({ deployment_id: String(deployments[0]) });
const strategyOf = () => ({ ...deployment(), strategy_id: String(strategies[0]) });
const soldSecond = () => orderKey({ deployment_id: idOf(deployments, 0), client_order_id: 'in-second' });

const CASES: readonly (readonly [string, string, Case])[] = [
  [
    'a summary of a deployment',
    'GET /get_all_live_deployments_v2',
    {
      key: () => keys.listedTrading(owner.user_id, false, idOf(deployments, MIDDLE)),
      damage: { summary: undefined },
      isWhole: true,
    },
  ],
  [
    'an entry of the deployments',
    'GET /broker/get_all_user_deployments',
    {
      key: () => entryKey(deploymentList('all', owner.user_id), MIDDLE),
      damage: { deployment_id: 'x' },
    },
  ],
  [
    'a deployment',
    'GET /broker/get_all_user_deployments',
    { key: () => keys.deployment(idOf(deployments, MIDDLE)), damage: { user_id: 7 } },
  ],
  ...(
    [
      ['a deployment without symbols', { symbols: undefined }],
      ['a deployment with a latest order that is no record', { latest_order: 'one' }],
      ['a deployment with a ledger that is cut', { ledger: Buffer.of(1, 91, 48) }],
    ] as const
  ).map(([name, damage]): readonly [string, string, Case] => [
    name,
    'GET /broker/get_all_user_deployments',
    { key: () => keys.deployment(idOf(deployments, MIDDLE)), damage },
  ]),
  [
    'an order',
    'GET /get_live_strategy_order_book',
    { query: deployment, key: soldSecond, damage: { symbol: undefined } },
  ],
  [
    'an entry of the orders of a deployment',
    'GET /get_live_strategy_order_book',
    {
      query: deployment,
      key: () => entryKey(orderList(idOf(deployments, 0)), 2),
      damage: { client_order_id: 7 },
    },
  ],
  [
    'an order',
    'GET /get_global_order_book',
    { query: () => ({ mode: 'virtual' }), key: soldSecond, damage: { sequences: 'many' } },
  ],
  [
    'an entry of the orders of a user',
    'GET /get_global_order_book',
    {
      query: () => ({ mode: 'virtual' }),
      key: () => entryKey(userOrderList(owner.user_id, 'virtual'), 2),
      damage: { deployment_id: undefined },
    },
  ],
  [
    'a trade',
    'GET /get_deployment_trades',
    {
      query: deployment,
      key: () => tradeKey(idOf(deployments, 0), MIDDLE + 1),
      damage: { number: 'x' },
    },
  ],
  [
    'a trade',
    'GET /broker/get_all_trades_by_user_deployments',
    { key: () => tradeKey(idOf(deployments, 0), MIDDLE + 1), damage: { number: 'x' } },
  ],
  [
    'a notification',
    'GET /get_deployment_notifications',
    { key: () => entryKey(notificationList(owner.user_id), MIDDLE), damage: { created_at: undefined } },
  ],
  [
    'an entry of the audit trail',
    'GET /get_audit_trail',
    {
      query: deployment,
      key: () => entryKey(deploymentAuditList(idOf(deployments, 0)), MIDDLE),
      damage: { at: 7 },
    },
  ],
  [
    'an entry of the strategies of a user',
    'GET /get_strategies_by_user',
    {
      key: () => keys.ownedStrategy(owner.user_id, idOf(strategies, MIDDLE)),
      damage: { symbols: 'x' },
      isWhole: true,
    },
  ],
  [
    'a strategy',
    'GET /get_strategies_by_user',
    { key: () => keys.strategy(idOf(strategies, MIDDLE)), damage: { symbols: 'x' } },
  ],
  [
    'a strategy',
    'GET /broker/get_user_strategies',
    { key: () => keys.strategy(idOf(strategies, MIDDLE)), damage: { symbols: 'x' } },
  ],
];

test.each(CASES)('%s that is damaged is left out of %s', async (_record, route, { query, ...one }) => {
  const page = (more: Readonly<Record<string, string>>) => read(route, { ...query?.(), ...more });
  const { body: whole } = await page({});
  expect(whole.items.length).toBeGreaterThanOrEqual(3);
  const [before] = await store.getMany([one.key()]);
  if (!before) throw new Error('there is no item to damage');
  await store.put({ ...before, ...one.damage });
  hub.log.length = 0;
  try {
    const { status, body } = await page({});
    expect(status).toBe(200);
    const left = body.items;
    const isIn = (item: unknown) =>
      left.some((other: unknown) => JSON.stringify(other) === JSON.stringify(item));
    expect(left).toEqual(whole.items.filter(isIn));
    expect(left).toHaveLength(whole.total - 1);
    expect(body.total).toBe(one.isWhole ? whole.total - 1 : whole.total);
    const operation = /[^/]*$/.exec(route)?.[0];
    expect(named()).toEqual([{ operation, record: expect.stringContaining('cannot be read: ') }]);
    expect(JSON.stringify(hub.log)).not.toContain(owner.user_id);

    const paged: unknown[] = [];
    for (let number = 1; number <= body.total; number++) {
      paged.push(...(await page({ size: '1', page: String(number) })).body.items);
    }
    expect(paged).toEqual(left);
  } finally {
    await store.put(before);
  }
  expect((await page({})).body.items).toEqual(whole.items);
});

type Damage = Item | ((before: Item) => Item);

/** Lists whose answers with a filter tell whether they are complete, with an item of each. */
const FILTERED: readonly (readonly [string, string, Omit<Case, 'damage'> & { readonly damage: Damage }])[] = [
  [
    'an order',
    'GET /get_live_strategy_order_book',
    { query: () => ({ ...deployment(), side: 'buy' }), key: soldSecond, damage: { symbol: undefined } },
  ],
  [
    'an order',
    'GET /get_global_order_book',
    { query: () => ({ mode: 'virtual', side: 'buy' }), key: soldSecond, damage: { symbol: undefined } },
  ],
  [
    'an order of a newer version, as one',
    'GET /get_live_strategy_order_book',
    {
      query: () => ({ ...deployment(), side: 'buy' }),
      key: soldSecond,
      damage: { mode: 'of a newer version' },
    },
  ],
  [
    'an entry of the orders of a user',
    'GET /get_global_order_book',
    {
      query: () => ({ mode: 'virtual', side: 'buy' }),
      key: () => entryKey(userOrderList(owner.user_id, 'virtual'), 2),
      damage: { deployment_id: undefined },
    },
  ],
  [
    'a trade',
    'GET /get_deployment_trades',
    {
      query: () => ({ ...deployment(), side: 'long' }),
      key: () => tradeKey(idOf(deployments, 0), MIDDLE + 1),
      damage: { number: 'x' },
    },
  ],
  [
    'a trade',
    'GET /get_deployment_trades',
    {
      query: () => ({ ...deployment(), sort: 'best' }),
      key: () => tradeKey(idOf(deployments, 0), MIDDLE + 1),
      damage: { number: 'x' },
    },
  ],
  [
    'a notification',
    'GET /get_deployment_notifications',
    {
      query: () => ({ unread: 'true' }),
      key: () => entryKey(notificationList(owner.user_id), MIDDLE),
      damage: { created_at: undefined },
    },
  ],
];

test.each(FILTERED)(
  '%s that is damaged is left out of a filtered answer of %s, which does not say that it is complete',
  async (_record, route, { query, key, damage }) => {
    const { body: whole, headers } = await read(route, query?.() ?? {});
    expect(whole).toMatchObject({ is_complete: true });
    const [before] = await store.getMany([key()]);
    if (!before) throw new Error('there is no item to damage');
    await store.put({ ...before, ...(typeof damage === 'function' ? damage(before) : damage) });
    try {
      const { status, body, headers: left } = await read(route, query?.() ?? {});
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: whole.total - 1, is_complete: false });
      expect(body).not.toHaveProperty('next_cursor');
      expect(left.link).toBe(headers.link);
    } finally {
      await store.put(before);
    }
  },
);

test('a damaged order is left out of the whole book, which does not say that it is complete', async () => {
  const [before] = await store.getMany([soldSecond()]);
  if (!before) throw new Error('there is no item to damage');
  await store.put({ ...before, symbol: undefined });
  const { status, body } = await read('GET /get_live_strategy_full_order_book', strategyOf());
  expect(status).toBe(200);
  expect(body).toMatchObject({ orders_total: 6, is_complete: false });
  expect(body.orders).toHaveLength(5);
  await store.put(before);
});

test('a damaged favourite, and a damaged strategy among favourites, hide only themselves', async () => {
  for (const [key, damage] of [
    [keys.favourite(owner.user_id, idOf(strategies, MIDDLE)), { liked_at: undefined }],
    [keys.strategy(idOf(strategies, MIDDLE)), { symbols: 'x' }],
  ] as const) {
    const [before] = await store.getMany([key]);
    if (!before) throw new Error('there is no item to damage');
    await store.put({ ...before, ...damage });
    hub.log.length = 0;
    const { status, body } = await read('GET /get_explore_strategy_favourites', {});
    expect(status).toBe(200);
    expect(body.map(({ strategy_id }: { strategy_id: number }) => strategy_id)).toEqual([
      idOf(strategies, 2),
      idOf(strategies, 0),
    ]);
    expect(named()).toHaveLength(1);
    await store.put(before);
  }
});

test('sums and open positions of all deployments do not pass by a damaged one', async () => {
  const key = keys.listedTrading(owner.user_id, false, idOf(deployments, MIDDLE));
  const [before] = await store.getMany([key]);
  if (!before) throw new Error('there is no item to damage');
  await store.put({ ...before, summary: undefined });
  for (const route of ['GET /get_live_deployments_aggregated_stats', 'GET /check_trades_position']) {
    const { status } = await read(route, {});
    expect(status).toBe(500);
  }
  await store.put(before);
});

test('the sums over found ended deployments do not pass by a damaged one, which a page leaves out', async () => {
  const id = idOf(deployments, 2);
  const query = { user_id: owner.user_id, deployment_id: String(id) };
  expect((await hub.call('POST /stop_deployment', { query })).status).toBe(200);
  await report(hub, 'Deployment Stopped', id, { stop_reason: 'user' });
  await enterAll(hub);
  const route = 'GET /get_live_expired_strategies_v2';
  expect((await read(route, { search_key: 'third' })).body).toMatchObject({ total: 1 });
  const key = entryKey(endedList(owner.user_id, { prediction_market: false }), 0);
  const [before] = await store.getMany([key]);
  if (!before) throw new Error('there is no item to damage');
  await store.put({ ...before, summary: undefined });
  expect(await read(route, {})).toMatchObject({ status: 200, body: { items: [], total: 1 } });
  expect((await read(route, { search_key: 'third' })).status).toBe(500);
  await store.put(before);
});
