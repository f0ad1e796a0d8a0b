import { beforeEach, describe, expect, test } from '@jest/globals';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { InstrumentMemory } from '../../../shared/data/instruments/instrument-memory.ts';
import { approvedBroker, registerAtBroker } from '../../support/brokers.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { accessOf, readAs } from '../../support/integrators.ts';
import { openHub } from '../../support/open-hub.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, engineEvent, enterAll, report, reportOrder, trader } from '../../support/trading.ts';

/** A future of the class commodity. */
const METAL = 'COPPER';
const SHARE = 'AAPL';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const deployed = async (symbol: string, form: Record<string, string> = {}) => {
  const owner = await trader(hub, { symbol });
  const { body } = await deployTrading(hub, owner.keygen, form);
  return { ...owner, id: body.deployment_id as number };
};
const position = async (user_id: string) =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0];
const book = async (user_id: string, deployment_id: number) =>
  (
    await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id, deployment_id: String(deployment_id) },
    })
  ).body.items;
const close = (user_id: string, order_id: number, close_value: string) =>
  hub.call('POST /update_live_trade', { query: { user_id, order_id: String(order_id), close_value } });

describe('a market with prices at or below zero', () => {
  test('accepts trades, quotes and closing there', async () => {
    const { user_id, id } = await deployed(METAL);
    const order = { symbol: METAL, quantity: '2', filled_quantity: '2' };
    await reportOrder(hub, id, { ...order, client_order_id: 'a', average_price: '-37.63', price: '-30' });
    await report(hub, 'Quote Marked', id, { symbol: METAL, price: 0 });
    const atZero = await position(user_id);
    expect(atZero.positions).toMatchObject([{ average_price: -37.63, last_price: 0 }]);
    const perPoint = atZero.unrealized_pnl / 37.63;
    expect(perPoint).toBeGreaterThan(0);
    hub.advance(1000);
    await report(hub, 'Quote Marked', id, { symbol: METAL, price: '-40.63' });
    expect((await position(user_id)).unrealized_pnl).toBeCloseTo(-3 * perPoint, 6);
    const [{ order_id }] = await book(user_id, id);
    hub.takeCalls();
    const closed = await close(user_id, order_id, '-37.13');
    expect(hub.takeCalls()).toHaveLength(3);
    expect(closed).toMatchObject({ status: 200, body: { close_value: -37.13 } });
    const after = await position(user_id);
    expect(after).toMatchObject({ positions: [], phase: 'exited' });
    expect(after.realized_pnl).toBeCloseTo(0.5 * perPoint, 6);
  });

  test('may be closed by hand at zero', async () => {
    const { user_id, id } = await deployed(SHARE);
    await reportOrder(hub, id, { client_order_id: 'a' });
    const [{ order_id }] = await book(user_id, id);
    expect(await close(user_id, order_id, '0')).toMatchObject({ status: 200, body: { close_value: 0 } });
    const [manual, order] = await book(user_id, id);
    expect(manual).toMatchObject({ average_price: 0, realized_pnl: -100 });
    expect(order.close_value).toBe(0);
    expect(await close(user_id, order_id, '0')).toMatchObject({ status: 409 });
  });

  test('settles contracts of a prediction market', async () => {
    const { user_id, id } = await deployed(SHARE, { prediction_market: 'true' });
    await reportOrder(hub, id, { client_order_id: 'a', average_price: '0.4' });
    await report(hub, 'Quote Marked', id, { symbol: SHARE, price: 0 });
    expect((await position(user_id)).unrealized_pnl).toBe(-0.4);
    await reportOrder(hub, id, { client_order_id: 'b', side: 'sell', average_price: '0' });
    expect((await position(user_id)).realized_pnl).toBe(-0.4);
  });

  test('accepts signals and matches of scanners', async () => {
    const { user_id, keygen } = await trader(hub, { symbol: METAL });
    const { body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });
    const signal = { symbol: METAL, side: 'buy', title: 'Buy', body: 'Buy it.' };
    await report(hub, 'Signal Raised', body.deployment_id, { ...signal, price: -0 });
    const list = await hub.call('GET /get_all_notification_deployments', { query: { user_id } });
    expect(list.body.items).toMatchObject([{ last_signal: { price: 0 } }]);
    hub.advance(1000);
    await report(hub, 'Signal Raised', body.deployment_id, { ...signal, price: -1.5 });
    const later = await hub.call('GET /get_all_notification_deployments', { query: { user_id } });
    expect(later.body.items).toMatchObject([{ last_signal: { price: -1.5 } }]);
  });
});

describe('an instrument whose price is always positive', () => {
  test.each([
    ['Quote Marked', { symbol: SHARE, price: 0 }],
    ['Quote Marked', { symbol: SHARE, price: '-1' }],
    ['Quote Marked', { symbol: 'EURUSD', price: -1 }],
  ])('accepts no %s %j', async (type, detail) => {
    const { id } = await deployed(SHARE);
    await expect(report(hub, type, id, detail)).rejects.toThrow('is always positive');
  });

  test.each(['average_price', 'price', 'trigger_price', 'stop_loss', 'take_profit', 'expected_price'])(
    'has no order with a %s below zero',
    async (field) => {
      const { id, user_id } = await deployed(SHARE);
      const negative = reportOrder(hub, id, { client_order_id: 'a', [field]: '-1' });
      await expect(negative).rejects.toThrow('is always positive');
      expect(await book(user_id, id)).toEqual([]);
    },
  );

  test('accepts no signal and no match at or below zero', async () => {
    const { keygen } = await trader(hub);
    const { body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });
    const signal = { symbol: SHARE, side: 'buy', title: 'Buy', body: 'Buy it.', price: 0 };
    await expect(report(hub, 'Signal Raised', body.deployment_id, signal)).rejects.toThrow('always positive');
  });

  test('cannot be closed by hand below zero, and nothing changes', async () => {
    const { user_id, id } = await deployed(SHARE);
    await reportOrder(hub, id, { client_order_id: 'a' });
    const [{ order_id }] = await book(user_id, id);
    const refused = await close(user_id, order_id, '-0.01');
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'close_value'], type: 'value_error.number.not_ge' }] },
    });
    expect((await position(user_id)).positions).toHaveLength(1);
  });

  test('is read from the catalogue once, and only for such a price', async () => {
    const { id } = await deployed(METAL);
    const memory = new BookMemory();
    const instruments = new InstrumentMemory();
    const quote = async (price: number) => {
      hub.advance(1000);
      hub.takeCalls();
      const event = engineEvent(hub, 'Quote Marked', id, { symbol: METAL, price });
      await takeEvent(hub.runtime, event, { memory, instruments });
      return hub.takeCalls();
    };
    expect(await quote(1)).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(await quote(-1)).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await quote(-2)).toEqual(['TransactWriteItems']);
  });
});

test('slippage has the worst order at and below zero', async () => {
  const desk = await approvedBroker(hub);
  const { user_id, email } = (await registerAtBroker(hub, desk.subdomain)).body;
  const { keygen } = (await build(hub, { user_id, symbol: `${METAL},${SHARE}` })).body;
  const id = (await deployTrading(hub, keygen)).body.deployment_id as number;
  const order = { symbol: METAL, contract_size: '10' };
  for (const [client_order_id, expected_price, average_price] of [
    ['below', '-37', '-30'],
    ['at', '0', '5'],
    ['to', '20', '0'],
  ]) {
    hub.advance(1000);
    await reportOrder(hub, id, {
      ...order,
      client_order_id: `${client_order_id}`,
      expected_price,
      average_price,
    });
  }
  // For a share, zero means that there is no price.
  await reportOrder(hub, id, { client_order_id: 'none', expected_price: 0 });
  await enterAll(hub);
  const token = await accessOf(hub, desk);
  const { body } = await readAs(hub, token, 'GET /broker/get_broker_user_slippage_by_email', {
    user_email: email,
  });
  expect(body.items).toMatchObject([
    { expected_price: 20, fill_price: 0, slippage_bps: -10_000, slippage_amount: -200 },
    { expected_price: 0, fill_price: 5, slippage_bps: null, slippage_amount: 50 },
    { expected_price: -37, fill_price: -30, slippage_bps: 1891.8919, slippage_amount: 70 },
  ]);
  expect(body.summary).toMatchObject({ count: 3, worst_bps: 1891.8919, total_amount: -80 });
});
