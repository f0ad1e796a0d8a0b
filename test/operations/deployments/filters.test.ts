import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  newOrderWrites,
  orderPointerSchema,
  type StoredOrder,
  userOrderList,
} from '../../../shared/data/books/orders.ts';
import { packLedger, unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { tradeKey } from '../../../shared/data/books/trades.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { NOTIFICATION_KINDS, type Notification } from '../../../shared/data/deployments/notification.ts';
import { notificationList } from '../../../shared/data/deployments/notifications.ts';
import { storedHead } from '../../../shared/data/numbered-list/list-head.ts';
import {
  entryKey,
  headAttribute,
  headKey,
  type NumberedList,
} from '../../../shared/data/numbered-list/numbered-list.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { mergeReport } from '../../../shared/domain/orders/order-record.ts';
import { ORDER_STATUSES } from '../../../shared/domain/orders/order-states.ts';
import { orderUpdateSchema } from '../../../shared/domain/orders/order-update.ts';
import { openHub } from '../../support/open-hub.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader } from '../../support/trading.ts';

const hub = await openHub((opened) => furnishWithInstruments(opened, ['AAPL', 'MSFT']));
const { store } = hub.runtime;

const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;
const SYMBOLS = ['AAPL', 'MSFT'];
const SIDES = ['buy', 'sell'];
/** Longer than a book that is read whole. */
const MANY = 1040;
const FEW = 250;

/** Varied values without chance. */
const pick = <T>(values: readonly T[], index: number): T => {
  const value = values[(index * 7 + (index >> 3)) % values.length];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};
/** Times that mostly grow along a list, as late reports make them. */
const timeOf = (index: number): number => START + (index - (index % 5) * 3) * HOUR;

const orderOf = (deployment_id: number, strategy_id: number, index: number): StoredOrder => {
  const report = orderUpdateSchema.parse({
    client_order_id: `o-${index}`,
    sequence: 1,
    occurred_at: new Date(timeOf(index)).toISOString(),
    symbol: pick(SYMBOLS, index),
    side: pick(SIDES, index + 3),
    order_type: 'market',
    quantity: '1',
    status: pick(ORDER_STATUSES, index),
    filled_quantity: '1',
    average_price: '100',
    fees: '0',
  });
  return {
    ...mergeReport(undefined, report, '1'),
    order_id: deployment_id + index + 1,
    deployment_id,
    strategy_id,
    mode: 'virtual',
    currency: 'USD',
    broker_symbol: null,
    close_value: null,
    revision: 1,
  };
};

const headItem = (list: NumberedList, next: number): { put: Item } => ({
  put: {
    ...headKey(list),
    entity: 'list',
    [headAttribute(list)]: storedHead({ next, gone: 0, base: 0, counts: [] }),
  },
});

/** Returns a trader with a book of orders, which are also in the list of the user. */
const book = async (count: number) => {
  const owner = await deployedTrader(hub);
  const orders = Array.from({ length: count }, (_, index) => orderOf(owner.id, owner.strategy_id, index));
  const list = userOrderList(owner.user_id, 'virtual');
  await store.batchWrite([
    ...orders.flatMap((order, seq) =>
      newOrderWrites(order, seq).flatMap((write) => ('put' in write ? [{ put: write.put }] : [])),
    ),
    ...orders.map((order, seq) => ({
      put: { ...entryKey(list, seq), entity: 'order_entry', ...orderPointerSchema.parse(order) },
    })),
    headItem(list, count),
  ]);
  await store.transact([
    { key: keys.deployment(owner.id), update: 'SET orders_count = :n', values: { ':n': count } },
  ]);
  return { ...owner, orders };
};

const notificationOf = (index: number): Notification => ({
  notification_id: index + 1,
  kind: pick(NOTIFICATION_KINDS, index),
  severity: 'info',
  deployment_id: 1 + (index % 3),
  deployment_type: 'live',
  ...(index % 4 !== 0 && { symbol: pick(SYMBOLS, index) }),
  title: 'Title',
  body: 'Body',
  data: {},
  created_at: new Date(timeOf(index)).toISOString(),
});

type Query = Record<string, string>;

const ask = async (operation: string, query: Query) => {
  hub.takeCalls();
  const { status, body } = await hub.call(operation, { query });
  expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
  expect(status).toBe(200);
  return body;
};

/** Reads every page of every part of a filtered list. */
const walk = async (operation: string, query: Query, size = '100'): Promise<Record<string, unknown>[]> => {
  const all: Record<string, unknown>[] = [];
  for (let cursor: Query = {}; ; ) {
    const first = await ask(operation, { ...query, ...cursor, page: '1', size });
    all.push(...first.items);
    for (let page = 2; page <= first.pages; page++) {
      const next = await ask(operation, { ...query, ...cursor, page: String(page), size });
      expect([next.total, next.is_complete]).toEqual([first.total, first.is_complete]);
      all.push(...next.items);
    }
    // An answer without a filter has neither field.
    const isComplete = first.is_complete ?? true;
    expect(first.next_cursor === undefined).toBe(isComplete);
    if (isComplete) return all;
    cursor = { cursor: String(first.next_cursor) };
  }
};

const moment = fc.integer({ min: -20, max: MANY + 20 }).map((hours) => START + hours * HOUR);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const some = (names: readonly string[]) => maybe(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }));
const sort = fc.constantFrom('newest', 'oldest');

const queryOf = (chosen: Readonly<Record<string, string | number | boolean | string[] | undefined>>): Query =>
  Object.fromEntries(
    Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

const period = ({ from, to }: { from: number | undefined; to: number | undefined }) => ({
  from: from === undefined ? undefined : new Date(from).toISOString(),
  to: to === undefined ? undefined : new Date(to).toISOString(),
});

const isWithin = (at: number, { from, to }: { from: number | undefined; to: number | undefined }): boolean =>
  (from === undefined || at >= from) && (to === undefined || at < to);

const orderFilter = fc.record({
  from: maybe(moment),
  to: maybe(moment),
  symbol: maybe(fc.constantFrom('aapl', 'MSFT', 'NONE')),
  status: some(ORDER_STATUSES),
  side: maybe(fc.constantFrom('buy', 'sell')),
  sort,
});

type OrderFilter = typeof orderFilter extends fc.Arbitrary<infer T> ? T : never;

const NO_ORDER_FILTER = {
  from: undefined,
  to: undefined,
  symbol: undefined,
  status: undefined,
  side: undefined,
};

const plainOrders = (orders: readonly StoredOrder[], filter: OrderFilter): string[] => {
  const found = orders.filter(
    ({ created_at, symbol, status, side }) =>
      isWithin(created_at, filter) &&
      (filter.symbol === undefined || symbol === filter.symbol.toUpperCase()) &&
      (filter.status === undefined || filter.status.includes(status)) &&
      (filter.side === undefined || side === filter.side),
  );
  const ids = found.map(({ client_order_id }) => client_order_id);
  return filter.sort === 'newest' ? ids.reverse() : ids;
};

describe('filters of orders', () => {
  let long: Awaited<ReturnType<typeof book>>;
  let short: Awaited<ReturnType<typeof book>>;
  beforeAll(async () => {
    [long, short] = await Promise.all([book(MANY), book(FEW)]);
  });

  test.each(['GET /get_live_strategy_order_book', 'GET /get_global_order_book'])(
    'of %s find what a plain filter finds',
    async (operation) => {
      await fc.assert(
        fc.asyncProperty(fc.boolean(), orderFilter, async (isLong, filter) => {
          const { user_id, id, orders } = isLong ? long : short;
          const query = {
            user_id,
            ...(operation.includes('global') ? { mode: 'virtual' } : { deployment_id: String(id) }),
            ...queryOf({ ...filter, ...period(filter) }),
          };
          const found = await walk(operation, query, isLong ? '100' : '30');
          expect(found.map(({ client_order_id }) => client_order_id)).toEqual(plainOrders(orders, filter));
        }),
        { numRuns: soakable(2, 40) },
      );
    },
  );

  test('of /get_live_strategy_full_order_book choose orders of the answer', async () => {
    for (const [{ user_id, id, strategy_id, orders }, shown] of [
      [short, FEW],
      [long, 90],
    ] as const) {
      const filter = { ...NO_ORDER_FILTER, side: 'sell', sort: 'oldest' } as const;
      const body = await ask('GET /get_live_strategy_full_order_book', {
        user_id,
        strategy_id: String(strategy_id),
        deployment_id: String(id),
        side: 'sell',
        sort: 'oldest',
      });
      expect(body).toMatchObject({ orders_total: orders.length, is_complete: shown === orders.length });
      expect(body.orders.map((order: StoredOrder) => order.client_order_id)).toEqual(
        plainOrders(orders.slice(-shown), filter),
      );
    }
  });

  test('find later parts of a book at the cost of the first', async () => {
    const query = { user_id: long.user_id, deployment_id: String(long.id), status: 'filled' };
    const units = async (more: Query): Promise<number> => {
      hub.takeCalls();
      await hub.call('GET /get_live_strategy_order_book', { query: { ...query, ...more } });
      return hub.takeCalls().length;
    };
    expect(await units({})).toBe(await units({ cursor: '300' }));
  });

  test.each([
    ['status', 'open,gone', 'type_error.enum'],
    ['side', 'up', 'type_error.enum'],
    ['from', 'yesterday', 'value_error.datetime'],
    ['sort', 'best', 'type_error.enum'],
    ['cursor', '-1', 'value_error.number.not_ge'],
  ])('refuse %s=%s', async (name, value, type) => {
    const { status, body } = await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id: short.user_id, deployment_id: String(short.id), [name]: value },
    });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', name], type }] },
    });
  });

  test('are absent from answers without them', async () => {
    const query = { user_id: long.user_id, deployment_id: String(long.id) };
    const body = await ask('GET /get_live_strategy_order_book', query);
    expect(Object.keys(body)).toEqual(['items', 'total', 'page', 'size', 'pages']);
    expect(body.total).toBe(MANY);
    const oldest = await ask('GET /get_live_strategy_order_book', { ...query, sort: 'oldest', page: '3' });
    expect(oldest.items[0].client_order_id).toBe('o-100');
  });
});

describe('filters of notifications', () => {
  const notificationFilter = fc.record({
    from: maybe(moment),
    to: maybe(moment),
    symbol: maybe(fc.constantFrom('aapl', 'MSFT', 'NONE')),
    kind: some(NOTIFICATION_KINDS),
    deployment_id: maybe(fc.integer({ min: 1, max: 4 })),
    unread: maybe(fc.boolean()),
    sort,
  });

  test('find what a plain filter finds', async () => {
    const { user_id } = await deployedTrader(hub);
    const list = notificationList(user_id);
    const notifications = Array.from({ length: MANY }, (_, index) => notificationOf(index));
    const read = 700;
    const head = headItem(list, MANY).put;
    await store.batchWrite([
      ...notifications.map((notification, seq) => ({
        put: { ...entryKey(list, seq), entity: 'notification', ...notification },
      })),
      { put: { ...head, marks: [{ below: read, at: '2026-04-01T00:00:00.000Z' }], mark_number: 1 } },
    ]);
    await fc.assert(
      fc.asyncProperty(notificationFilter, async (filter) => {
        const query = { user_id, ...queryOf({ ...filter, ...period(filter) }) };
        const found = await walk('GET /get_deployment_notifications', query);
        const plain = notifications
          .filter(
            (each, index) =>
              isWithin(Date.parse(each.created_at), filter) &&
              (filter.symbol === undefined || each.symbol === filter.symbol.toUpperCase()) &&
              (filter.kind === undefined || filter.kind.includes(each.kind)) &&
              (filter.deployment_id === undefined || each.deployment_id === filter.deployment_id) &&
              (filter.unread === undefined || filter.unread === index >= read),
          )
          .map(({ notification_id }) => notification_id);
        expect(found.map(({ notification_id }) => notification_id)).toEqual(
          filter.sort === 'newest' ? plain.reverse() : plain,
        );
      }),
      { numRuns: soakable(3, 40) },
    );
  });

  test('cover at most 1 MB of large notifications', async () => {
    const { user_id } = await deployedTrader(hub);
    const list = notificationList(user_id);
    const count = 150;
    await store.batchWrite([
      ...Array.from({ length: count }, (_, seq) => ({
        put: {
          ...entryKey(list, seq),
          entity: 'notification',
          ...notificationOf(seq),
          body: 'x'.repeat(9000),
        },
      })),
      headItem(list, count),
    ]);
    const first = await ask('GET /get_deployment_notifications', { user_id, unread: 'true' });
    expect(first.is_complete).toBe(false);
    expect(await walk('GET /get_deployment_notifications', { user_id, unread: 'true' })).toHaveLength(count);
  });
});

describe('filters of trades', () => {
  test('find in parts what a plain filter finds', async () => {
    const { user_id, id, strategy_id } = await deployedTrader(hub);
    const [deployment] = await findDeployments(store, [id]);
    if (deployment?.kind !== 'live') throw new Error('no trading deployment');
    const ledger = unpackLedger(deployment.ledger);
    const { head } = ledger;
    const counted = { ...ledger, head: { ...head, trades: { ...head.trades, count: MANY } } };
    const trades = Array.from({ length: MANY }, (_, index) => ({
      deployment_id: id,
      strategy_id,
      mode: 'virtual',
      currency: 'USD',
      number: index + 1,
      symbol: pick(SYMBOLS, index),
      side: pick(['long', 'short'], index),
      quantity: '1',
      entry_average: '100',
      exit_average: '101',
      entry_value: '100',
      gross: '1',
      fees: '0',
      swap: '0',
      net: '1',
      opened_at: new Date(START).toISOString(),
      closed_at: new Date(timeOf(index)).toISOString(),
      duration_s: 60,
      client_order_id: `o-${index}`,
    }));
    await store.batchWrite(
      trades.map((trade) => ({ put: { ...tradeKey(id, trade.number), entity: 'trade', ...trade } })),
    );
    await store.transact([{ key: keys.deployment(id), set: { ledger: packLedger(counted) } }]);
    for (const order of ['newest', 'oldest']) {
      const query = { user_id, deployment_id: String(id), symbol: 'aapl', side: 'long', sort: order };
      const found = await walk('GET /get_deployment_trades', query);
      const plain = trades.filter(({ symbol, side }) => symbol === 'AAPL' && side === 'long');
      const numbers = plain.map(({ number }) => number);
      expect(found.map(({ trade_number }) => trade_number)).toEqual(
        order === 'newest' ? numbers.reverse() : numbers,
      );
    }
  });
});
