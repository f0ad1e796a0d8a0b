import { describe, expect, test } from '@jest/globals';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { InstrumentMemory } from '../../../shared/data/instruments/instrument-memory.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, engineEvent, trader } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);

const deployed = async (): Promise<number> =>
  (await deployTrading(hub, (await trader(hub)).keygen)).body.deployment_id;

const stored = async (id: number) => {
  const [deployment] = await findDeployments(hub.runtime.store, [id]);
  if (deployment?.kind !== 'live') throw new Error('there is no such deployment');
  return { ...deployment, ledger: unpackLedger(deployment.ledger) };
};

const take = (event: object, memory?: BookMemory, instruments?: InstrumentMemory) =>
  takeEvent(hub.runtime, event, { memory, instruments });

const callsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  hub.takeCalls();
  await work();
  return hub.takeCalls();
};

const orderOf = (deployment_id: number, detail: Record<string, unknown> = {}) =>
  engineEvent(hub, 'Order Updated', deployment_id, {
    client_order_id: 'a',
    sequence: 1,
    symbol: 'AAPL',
    side: 'buy',
    order_type: 'market',
    quantity: '2',
    status: 'filled',
    filled_quantity: '2',
    average_price: '100',
    fees: '0.5',
    ...detail,
  });

const quoteOf = (deployment_id: number, symbol: string, price = '101') =>
  engineEvent(hub, 'Quote Marked', deployment_id, { symbol, price });

describe('a deployment accepts events of one source', () => {
  test('the one that reported first, and those of the hub', async () => {
    const id = await deployed();
    await take({ ...engineEvent(hub, 'Deployment Started', id), source: 'first' });
    expect(await stored(id)).toMatchObject({ source: 'first', status: 'active' });
    const memory = new BookMemory();
    await take({ ...orderOf(id), source: 'first' }, memory);
    const other = { ...orderOf(id, { client_order_id: 'b' }), source: 'second' };
    await expect(take(other, memory)).rejects.toThrow(
      'the deployment takes events of the source first, not of second',
    );
    await expect(take(other)).rejects.toThrow('the source first, not of second');
    const stop = engineEvent(hub, 'Deployment Stopped', id, { stop_reason: 'completed' });
    await expect(take({ ...stop, source: 'second' })).rejects.toThrow('the source first');
    expect((await stored(id)).orders_count).toBe(1);
    await take({ ...stop, source: 'strategy-hub' });
    expect(await stored(id)).toMatchObject({ source: 'first', status: 'stopped' });
  });

  test('an event of the hub, or a refused one, does not bind it to a source', async () => {
    const id = await deployed();
    await take({ ...engineEvent(hub, 'Deployment Started', id), source: 'strategy-hub' });
    await expect(take({ ...quoteOf(id, 'NO_SUCH'), source: 'first' })).rejects.toThrow('symbol');
    expect((await stored(id)).source).toBeUndefined();
    await take({ ...orderOf(id), source: 'second' });
    expect((await stored(id)).source).toBe('second');
  });

  test('the source is stored with the event, without a further call or write', async () => {
    const id = await deployed();
    const calls = await callsOf(() => take(orderOf(id)));
    expect(calls).toEqual(['BatchGetItem', 'TransactWriteItems']);
  });

  test('an event without a source is refused', async () => {
    const { source: _, ...event } = orderOf(await deployed());
    await expect(take(event)).rejects.toThrow(/^source: /);
  });
});

describe('the reason of a refused event', () => {
  test.each([
    ['Quote Marked', { symbol: 'AAPL' }, 'detail.price: field required'],
    ['Quote Marked', { symbol: 'AAPL', price: null }, 'detail.price: none is not an allowed value'],
    ['Quote Marked', { symbol: 'AAPL', price: true }, 'detail.price: number or string type expected'],
    ['Quote Marked', { symbol: 'AAPL', price: {} }, 'detail.price: number or string type expected'],
    [
      'Swap Charged',
      { symbol: 'AAPL', charge_id: 'a', amount: [] },
      'detail.amount: number or string type expected',
    ],
    ['Swap Charged', { symbol: 7, charge_id: 'a', amount: '1' }, 'detail.symbol: str type expected'],
    [
      'Signal Raised',
      { symbol: 'AAPL', side: 'buy', title: 'a', body: 'b', price: true },
      'detail.price: number or string type expected',
    ],
    [
      'Signal Raised',
      { symbol: 'AAPL', side: 'buy', title: 'a', body: 'b', price: '1e16' },
      'detail.price: is out of range',
    ],
    [
      'Signal Raised',
      { symbol: 'AAPL', side: 'long', title: 'a', body: 'b' },
      "detail.side: value is not a valid enumeration member; permitted: 'buy', 'sell'",
    ],
    ['Scanner Matched', { matches: 'none' }, 'detail.matches: value is not a valid list'],
    ['Scanner Matched', { matches: [{}] }, 'detail.matches.0.symbol: field required'],
  ])('names the field and the fault: %s, %j', async (type, detail, message) => {
    const event = engineEvent(hub, type, await deployed(), detail);
    await expect(take(event)).rejects.toMatchObject({ name: 'MalformedEventError', message });
  });

  test.each([
    ['filled_quantity', undefined, 'field required'],
    ['fees', undefined, 'field required'],
    ['sequence', undefined, 'field required'],
    ['sequence', true, 'number or string type expected'],
    ['quantity', [], 'number or string type expected'],
    ['deployment_id', undefined, 'field required'],
    ['deployment_id', 'seven', 'value is not a valid integer'],
    ['deployment_id', 1.5, 'value is not a valid integer'],
    ['occurred_at', 'yesterday', 'invalid datetime format'],
    ['occurred_at', '2026-02-30T10:00:00Z', 'invalid datetime format'],
    ['occurred_at', '1969-12-31T23:59:59+00:00', 'lies before 1970'],
  ])('names the field of an order, and the fault: %s is %j', async (field, value, message) => {
    const event = orderOf(await deployed(), { [field]: value });
    await expect(take(event)).rejects.toMatchObject({ message: `detail.${field}: ${message}` });
  });

  test.each([
    [{ version: 0 }, /^detail\.version: /],
    [{ side: 'hold' }, /^detail\.side: /],
    [{ quantity: '-1' }, /quantity must be positive/],
    [{ average_price: null }, /average_price is required/],
    [{ deployment_id: 1 }, /no such deployment/],
    [{ sequence: 1.5, fees: 'some' }, /detail\.sequence.*detail\.fees/],
  ])('names what is wrong with an order: %j', async (detail, message) => {
    const event = orderOf(await deployed(), detail);
    await expect(take(event)).rejects.toMatchObject({
      name: 'MalformedEventError',
      message: expect.stringMatching(message),
    });
  });

  test('is that it lies in the future, beyond the tolerance for clocks', async () => {
    const id = await deployed();
    const later = (ms: number) => new Date(hub.runtime.clock().getTime() + ms).toISOString();
    for (const event of [orderOf(id), quoteOf(id, 'AAPL')]) {
      const ahead = { ...event, detail: { ...event.detail, occurred_at: later(360_000) } };
      await expect(take(ahead)).rejects.toThrow('lies in the future');
    }
    await take(orderOf(id, { occurred_at: later(60_000) }));
    expect((await stored(id)).ledger.head.fills).toBe(1);
  });

  test.each([{ symbol: 'MSFT' }, { side: 'sell' }])(
    'is that an order must keep its symbol and side: %j',
    async (changed) => {
      const id = await deployed();
      await take(orderOf(id));
      await expect(take(orderOf(id, { sequence: 2, ...changed }))).rejects.toThrow(
        'must keep its symbol and side',
      );
    },
  );

  test('is that a live deployment raises no signals', async () => {
    const signal = { symbol: 'AAPL', side: 'buy', price: 1, title: 'a', body: 'b' };
    const event = engineEvent(hub, 'Signal Raised', await deployed(), signal);
    await expect(take(event)).rejects.toThrow('for notification deployments');
  });

  test('is that the detail is missing', async () => {
    const { detail: _, ...event } = orderOf(await deployed());
    await expect(take(event)).rejects.toMatchObject({ message: 'detail: field required' });
  });
});

describe('an order is refused', () => {
  test.each([
    ['more is filled than was ordered', { filled_quantity: '2.000001' }],
    ['more is filled than was ordered', { quantity: '1', filled_quantity: '2', status: 'partially_filled' }],
    ['fees are more than the traded value', { fees: '1200.01' }],
    ['fees are more than the traded value', { fees: '-1200.01' }],
    ['fees are more than the traded value', { fees: 1e19 }],
    [
      'fees are more than the traded value',
      { fees: '1001', filled_quantity: '0', average_price: null, status: 'open' },
    ],
    ['the symbol is neither', { symbol: 'NO_SUCH' }],
    ['the symbol is neither', { symbol: 'aapl' }],
  ])('%s: %j', async (reason, detail) => {
    const id = await deployed();
    await expect(take(orderOf(id, detail))).rejects.toThrow(reason);
    const { orders_count, ledger, version } = await stored(id);
    expect({ orders_count, fills: ledger.head.fills, version }).toEqual({
      orders_count: 0,
      fills: 0,
      version: 1,
    });
  });

  test.each(['quantity', 'filled_quantity', 'average_price', 'fees', 'price', 'rate'])(
    'once and for all, where %s is no amount',
    async (field) => {
      const id = await deployed();
      for (const amount of [
        'NaN',
        '1e',
        '1e20',
        '1e99999',
        '',
        ' ',
        'Infinity',
        '0x1',
        '.',
        '-',
        '1,5',
        '9'.repeat(30),
        1e308,
      ]) {
        const event = orderOf(id, { [field]: amount });
        await expect(take(event)).rejects.toMatchObject({
          name: 'MalformedEventError',
          message: expect.stringContaining(`detail.${field}: `),
        });
      }
    },
  );

  test.each([
    ['the value and a tenth of the capital', { fees: '1200' }],
    ['a rebate', { fees: '-1200' }],
    ['a commission above the value of a cheap fill', { average_price: '0.01', fees: '1.3' }],
  ])('not for fees of %s', async (_, detail) => {
    const id = await deployed();
    await take(orderOf(id, detail));
    expect((await stored(id)).ledger.head.fills).toBe(1);
  });
});

describe('a symbol outside the deployment', () => {
  test('is read from the catalogue, with its contract size', async () => {
    const id = await deployed();
    await take(orderOf(id, { symbol: 'EURUSD', average_price: '1.1' }));
    const { ledger } = await stored(id);
    expect(ledger.contract_sizes.EURUSD).toBe('100000');
    expect(ledger.head.traded_value).toBe('220000');
  });

  test.each([
    ['Quote Marked', { price: '1' }],
    ['Swap Charged', { charge_id: 's', amount: '-1' }],
  ])('is refused if it is not in the catalogue either: %s', async (type, detail) => {
    const id = await deployed();
    const event = engineEvent(hub, type, id, { symbol: 'NO_SUCH', ...detail });
    await expect(take(event)).rejects.toThrow('neither one of the deployment nor in the catalogue');
    expect((await stored(id)).version).toBe(1);
  });

  test('costs one read for many events, also if it is unknown', async () => {
    const id = await deployed();
    const [memory, instruments] = [new BookMemory(), new InstrumentMemory()];
    const taking = (event: object) => callsOf(() => take(event, memory, instruments).catch(() => undefined));
    await take(orderOf(id), memory, instruments);
    expect(await taking(orderOf(id, { client_order_id: 'b', symbol: 'EURUSD', average_price: '1' }))).toEqual(
      ['GetItem', 'TransactWriteItems'],
    );
    expect(await taking(orderOf(id, { client_order_id: 'c', symbol: 'EURUSD', average_price: '1' }))).toEqual(
      ['TransactWriteItems'],
    );
    expect(await taking(quoteOf(id, 'NO_SUCH'))).toEqual(['GetItem', 'BatchGetItem']);
    expect(await taking(quoteOf(id, 'NO_SUCH'))).toEqual(['BatchGetItem']);
  });

  test('is read again after a while', async () => {
    const { store } = hub.runtime;
    const instruments = new InstrumentMemory();
    const at = (minutes: number) => new Date(minutes * 60_000);
    const calls = (minutes: number) => callsOf(() => instruments.find(store, 'NO_SUCH', at(minutes)));
    expect(await calls(0)).toEqual(['GetItem']);
    expect(await calls(0.9)).toEqual([]);
    expect(await calls(1)).toEqual(['GetItem']);
  });
});
