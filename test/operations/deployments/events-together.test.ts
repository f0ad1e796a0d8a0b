import { beforeEach, describe, expect, test } from '@jest/globals';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { findOrders } from '../../../shared/data/books/orders.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import type { TestHub } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, engineEvent, enterAll, report, reportOrder, trader } from '../../support/trading.ts';
import { newOwner } from '../../support/trading-events.ts';
import { tradingStateOf } from '../../support/trading-state.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

/** Returns a hub whose next batch reads its first item last, after `between` has run. */
const readingApart = (between: () => Promise<void>): TestHub => {
  let apart = true;
  const store: Store = Object.create(hub.runtime.store, {
    getMany: {
      value: async (...[wanted, options]: Parameters<Store['getMany']>) => {
        if (!apart) return hub.runtime.store.getMany(wanted, options);
        apart = false;
        const others = await hub.runtime.store.getMany(wanted.slice(1), options);
        await between();
        return [...(await hub.runtime.store.getMany(wanted.slice(0, 1), options)), ...others];
      },
    },
    transact: { value: (...writes: Parameters<Store['transact']>) => hub.runtime.store.transact(...writes) },
  });
  return hub.over(store);
};

const part = (client_order_id: string, sequence: number, filled_quantity: string) => ({
  client_order_id,
  sequence,
  quantity: '10',
  filled_quantity,
  status: filled_quantity === '10' ? 'filled' : 'partially_filled',
});

describe('events of a deployment that are applied in one batch', () => {
  test('do not mix items that were read before and after one of them', async () => {
    const owner = await newOwner(hub, 1);
    const [id = 0] = owner.deployments;
    await reportOrder(hub, id, part('a', 1, '2'));
    // A batch is no snapshot: the order is read before the second report, the deployment after it.
    const apart = readingApart(() => reportOrder(hub, id, part('a', 2, '6')));
    await reportOrder(apart, id, part('a', 3, '10'));
    const { deployments } = await tradingStateOf(hub.runtime.store, [owner]);
    const head = deployments[0]?.ledger.head;
    expect(head).toMatchObject({ lots: '10', fills: 3 });
    expect(head?.symbols.AAPL?.position?.quantity).toBe('10');
    expect(await findOrders(hub.runtime.store, [{ deployment_id: id, client_order_id: 'a' }])).toMatchObject([
      { sequence: 3, filled_quantity: '10', status: 'filled' },
    ]);
  });
});

describe('a late event', () => {
  test('may change more than a transaction can hold', async () => {
    const { user_id, keygen } = await trader(hub);
    const { body } = await deployTrading(hub, keygen);
    const id = body.deployment_id as number;
    const start = hub.runtime.clock().getTime();
    const at = (second: number) => new Date(start + second * 1000).toISOString();
    hub.advance(3_600_000);
    // From one long to one short and back, so every order closes a trade and opens the next.
    const flips = 99;
    for (let index = 0; index < flips; index++) {
      await reportOrder(hub, id, {
        client_order_id: `o${index}`,
        occurred_at: at(10 + index),
        side: index % 2 === 0 ? 'buy' : 'sell',
        quantity: index === 0 ? '1' : '2',
        average_price: String(100 + index),
      });
    }
    await enterAll(hub);
    await reportOrder(hub, id, {
      client_order_id: 'late',
      occurred_at: at(0),
      quantity: '3',
      average_price: '90',
    });
    await enterAll(hub);
    const { deployments, users } = await tradingStateOf(hub.runtime.store, [{ user_id, deployments: [id] }]);
    const [state] = deployments;
    expect(state?.ledger.head.symbols.AAPL?.position?.quantity).toBe('4');
    const counted = state?.ledger.head.trades.count;
    expect(state?.trades).toHaveLength(counted ?? -1);
    expect(state?.places).toHaveLength(counted ?? -1);
    expect(users[0]?.lists.trades).toHaveLength(counted ?? -1);
  });
});

describe('an event', () => {
  const ONE_READ_ONE_TRANSACTION = ['BatchGetItem', 'TransactWriteItems'];

  test('is at most one read and one transaction', async () => {
    const { keygen } = await trader(hub);
    const { body } = await deployTrading(hub, keygen);
    const id = body.deployment_id as number;
    const calls = async (event: () => Promise<void>): Promise<string[]> => {
      hub.advance(1000);
      hub.takeCalls();
      await event();
      return hub.takeCalls();
    };
    const order = (detail: Parameters<typeof reportOrder>[2]) => () => reportOrder(hub, id, detail);
    const event =
      (type: string, detail: Record<string, unknown> = {}) =>
      () =>
        report(hub, type, id, detail);
    const occurred_at = hub.runtime.clock().toISOString();
    const kinds: [string, () => Promise<void>, string[]][] = [
      ['start', event('Deployment Started', { occurred_at }), ONE_READ_ONE_TRANSACTION],
      ['start repeated', event('Deployment Started', { occurred_at }), ['BatchGetItem']],
      ['new order', order({ ...part('a', 1, '0'), occurred_at }), ONE_READ_ONE_TRANSACTION],
      ['new order repeated', order({ ...part('a', 1, '0'), occurred_at }), ['BatchGetItem']],
      ['first fill', order({ ...part('a', 3, '4'), expected_price: '99' }), ONE_READ_ONE_TRANSACTION],
      // Its sequence is remembered, so another report with it does not count.
      ['stale report', order({ ...part('a', 2, '0'), occurred_at }), ONE_READ_ONE_TRANSACTION],
      ['stale report repeated', order({ ...part('a', 2, '0'), occurred_at }), ['BatchGetItem']],
      ['last fill', order(part('a', 4, '10')), ONE_READ_ONE_TRANSACTION],
      ['quote', event('Quote Marked', { symbol: 'AAPL', price: 101 }), ONE_READ_ONE_TRANSACTION],
      ['older quote', event('Quote Marked', { symbol: 'AAPL', price: 1, occurred_at }), ['BatchGetItem']],
      [
        'swap',
        event('Swap Charged', { symbol: 'AAPL', charge_id: 's', amount: -1 }),
        ONE_READ_ONE_TRANSACTION,
      ],
      [
        'swap repeated',
        event('Swap Charged', { symbol: 'AAPL', charge_id: 's', amount: -1 }),
        ['BatchGetItem'],
      ],
      ['new order, filled', order({ client_order_id: 'b' }), ONE_READ_ONE_TRANSACTION],
      ['flip', order({ client_order_id: 'c', side: 'sell', quantity: '20' }), ONE_READ_ONE_TRANSACTION],
      ['closing fill', order({ client_order_id: 'd', quantity: '9' }), ONE_READ_ONE_TRANSACTION],
      ['rejection', order({ ...part('e', 1, '0'), status: 'rejected' }), ONE_READ_ONE_TRANSACTION],
      ['error', event('Deployment Error', { message: 'no feed' }), ONE_READ_ONE_TRANSACTION],
      // The end reads its place in the list of ended deployments.
      [
        'end',
        event('Deployment Stopped', { stop_reason: 'completed' }),
        ['BatchGetItem', ...ONE_READ_ONE_TRANSACTION],
      ],
      ['fill after the end', order({ client_order_id: 'f' }), ONE_READ_ONE_TRANSACTION],
      ['quote after the end', event('Quote Marked', { symbol: 'AAPL', price: 7 }), ONE_READ_ONE_TRANSACTION],
    ];
    const expected = kinds.map(([kind, , made]) => ({ kind, made }));
    const seen: typeof expected = [];
    for (const [kind, make] of kinds) seen.push({ kind, made: await calls(make) });
    expect(seen).toEqual(expected);
  });

  test('needs no read if the consumer wrote the deployment last, and one if another did', async () => {
    const { user_id, keygen } = await trader(hub);
    const id = (await deployTrading(hub, keygen)).body.deployment_id as number;
    const [first, second] = [new BookMemory(), new BookMemory()];
    let last: unknown;
    const take = async (memory: BookMemory, client_order_id: string, side = 'buy'): Promise<string[]> => {
      hub.advance(1000);
      hub.takeCalls();
      const order = { symbol: 'AAPL', side, order_type: 'market', quantity: '1', status: 'filled' };
      const filled = { filled_quantity: '1', average_price: '100', fees: '0', sequence: 1 };
      last = engineEvent(hub, 'Order Updated', id, { ...order, ...filled, client_order_id });
      await takeEvent(hub.runtime, last, { memory });
      return hub.takeCalls();
    };
    const again = async (memory: BookMemory): Promise<string[]> => {
      await takeEvent(hub.runtime, last, { memory });
      return hub.takeCalls();
    };
    expect(await take(first, 'a')).toEqual(ONE_READ_ONE_TRANSACTION);
    expect(await take(first, 'b')).toEqual(['TransactWriteItems']);
    expect(await again(first)).toEqual([]);
    expect(await take(second, 'c')).toEqual(ONE_READ_ONE_TRANSACTION);
    // The first consumer's memory is outdated. It is refused, reads, and bypasses its memory for a while.
    expect(await take(first, 'd')).toEqual(['TransactWriteItems', ...ONE_READ_ONE_TRANSACTION]);
    expect(await take(first, 'e')).toEqual(ONE_READ_ONE_TRANSACTION);
    const { body } = await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id, deployment_id: String(id) },
    });
    expect(body.total).toBe(5);
    const { items } = (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body;
    expect(items[0].positions).toMatchObject([{ quantity: 5 }]);
  });

  test('that changes nothing that is remembered needs no read and no write', async () => {
    const { keygen, user_id } = await trader(hub);
    const id = (await deployTrading(hub, keygen)).body.deployment_id as number;
    const memory = new BookMemory();
    const common = { symbol: 'AAPL', client_order_id: 'a', side: 'buy', order_type: 'market' };
    const take = async (type: string, detail: Record<string, unknown>, by = memory): Promise<string[]> => {
      hub.advance(1000);
      hub.takeCalls();
      await takeEvent(hub.runtime, engineEvent(hub, type, id, detail), { memory: by });
      return hub.takeCalls();
    };
    const order = (sequence: number, filled_quantity: string) => ({
      ...common,
      ...part('a', sequence, filled_quantity),
      fees: '0',
      average_price: filled_quantity === '0' ? null : '100',
    });
    const early = hub.runtime.clock().toISOString();
    await take('Order Updated', { ...order(2, '4'), occurred_at: early });
    await take('Quote Marked', { symbol: 'AAPL', price: 101 });
    await take('Swap Charged', { symbol: 'AAPL', charge_id: 's', amount: -1 });
    // Other consumers continue, so the memory is outdated.
    await take('Order Updated', order(3, '10'), new BookMemory());
    await take('Quote Marked', { symbol: 'AAPL', price: 102 }, new BookMemory());
    const before = await tradingStateOf(hub.runtime.store, [{ user_id, deployments: [id] }]);
    expect(await take('Order Updated', { ...order(2, '0'), occurred_at: early })).toEqual([]);
    expect(await take('Quote Marked', { symbol: 'AAPL', price: 7, occurred_at: early })).toEqual([]);
    expect(await take('Swap Charged', { symbol: 'AAPL', charge_id: 's', amount: -1 })).toEqual([]);
    expect(await tradingStateOf(hub.runtime.store, [{ user_id, deployments: [id] }])).toEqual(before);
    expect(before.deployments[0]?.ledger.head.lots).toBe('10');
  });
});
