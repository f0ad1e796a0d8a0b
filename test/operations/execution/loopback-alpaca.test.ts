import { trading } from '@alpacahq/alpaca-trade-api';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fakeAlpaca, NEW_YORK_SESSIONS } from '../../support/alpaca.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 10:00 in New York on a Monday. */
const MORNING = Date.UTC(2026, 0, 5, 15);

let now = MORNING;
const alpaca = await fakeAlpaca(() => new Date(now));

/** Settings of Alpaca's own client, which is generated from its published description. */
const settings = new trading.Configuration({
  basePath: alpaca.url,
  headers: { 'apca-api-key-id': alpaca.keys.keyId, 'apca-api-secret-key': alpaca.keys.secret },
  timeoutMs: 0,
});
const orders = new trading.OrdersApi(settings);
const positions = new trading.PositionsApi(settings);

afterAll(() => alpaca.close());
beforeEach(() => {
  now = MORNING;
  alpaca.reset();
  alpaca.price = '100';
  alpaca.market.sessions = NEW_YORK_SESSIONS;
});

const place = (more: Partial<trading.PostOrderRequest> = {}): Promise<trading.Order> =>
  orders.postOrder({
    postOrderRequest: { symbol: 'AAPL', qty: '10', side: 'buy', type: 'market', timeInForce: 'day', ...more },
  });

const exit = { side: 'sell', timeInForce: 'gtc' } as const;
const oco = (target: string, stop: string, more: Partial<trading.PostOrderRequest> = {}) =>
  place({
    ...exit,
    type: 'limit',
    orderClass: 'oco',
    takeProfit: { limitPrice: target },
    stopLoss: { stopPrice: stop },
    ...more,
  });

const statusOf = async ({ id = '' }: trading.Order): Promise<string> => {
  const order = await orders.getOrderByOrderID({ orderId: id, nested: true });
  return [order, ...(order.legs ?? [])].map(({ status }) => status).join(' ');
};

const find = ({ id = '' }: trading.Order) => orders.getOrderByOrderID({ orderId: id });

const held = async () => {
  const { qty, qtyAvailable } = await positions.getOpenPosition({ symbolOrAssetId: 'AAPL' });
  return [qty, qtyAvailable];
};

const refused = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof trading.ApiError)) throw new Error('the call was not refused');
  return `${error.status} ${error.code} ${error.message}`;
};

describe('an OCO', () => {
  test('holds the position once, and its stop closes it', async () => {
    await place();
    const order = await oco('110', '95');
    expect(order.legs).toMatchObject([{ type: 'stop', status: 'held' }]);
    expect(await held()).toEqual(['10', '0']);
    expect(await refused(oco('110', '95'))).toContain('403 40310000');
    expect(await statusOf(order)).toBe('new held');
    alpaca.setPrice('AAPL', '94');
    expect(await statusOf(order)).toBe('canceled filled');
    expect(alpaca.positions.get('AAPL')).toBe(0);
  });

  test('protects with its stop what its target has not sold', async () => {
    await place();
    const order = await oco('110', '95');
    alpaca.market.liquidity = 4;
    alpaca.setPrice('AAPL', '111');
    expect(await orders.getOrderByOrderID({ orderId: order.id ?? '', nested: true })).toMatchObject({
      status: 'partially_filled',
      filledQty: '4',
      filledAvgPrice: '111',
      legs: [{ qty: '6', status: 'held' }],
    });
    alpaca.setPrice('AAPL', '90');
    expect(await statusOf(order)).toBe('canceled partially_filled');
    alpaca.setPrice('AAPL', '89');
    expect(alpaca.positions.get('AAPL')).toBe(0);
  });

  test('is not listed with its held stop, unless legs are asked for', async () => {
    await place();
    const order = await oco('110', '95');
    expect(await orders.getAllOrders({})).toMatchObject([{ id: order.id, legs: undefined }]);
    expect(await orders.getAllOrders({ nested: true })).toMatchObject([{ legs: [{ status: 'held' }] }]);
  });

  test('is cancelled as a whole, by either of its orders', async () => {
    await place();
    const order = await oco('110', '95');
    const [leg] = order.legs ?? [];
    await orders.deleteOrderByOrderID({ orderId: String(leg?.id) });
    expect(await statusOf(order)).toBe('canceled canceled');
    expect(await refused(orders.deleteOrderByOrderID({ orderId: order.id ?? '' }))).toContain('422');
    expect(await held()).toEqual(['10', '10']);
  });

  test('is refused on the wrong side of the price, and without a position', async () => {
    expect(await refused(oco('110', '95'))).toContain('insufficient qty available');
    await place();
    expect(await refused(oco('110', '100'))).toContain('stop_loss.stop_price must be <= base_price - 0.01');
    expect(await refused(oco('99', '95'))).toContain('take_profit.limit_price must be >= base_price + 0.01');
  });
});

describe('a replacement', () => {
  test('has a new id, and the OCO goes on with it', async () => {
    await place();
    const order = await oco('110', '95');
    const [leg] = order.legs ?? [];
    const replaced = await orders.patchOrderByOrderId({
      orderId: String(leg?.id),
      patchOrderRequest: { stopPrice: '97', clientOrderId: 'moved' },
    });
    expect(replaced).toMatchObject({ clientOrderId: 'moved', replaces: leg?.id, stopPrice: '97' });
    expect(await find({ ...order, id: String(leg?.id) })).toMatchObject({
      status: 'replaced',
      replacedBy: replaced.id,
    });
    alpaca.setPrice('AAPL', '96.5');
    expect(await find(replaced)).toMatchObject({ status: 'filled', filledAvgPrice: '96.5' });
    expect(await statusOf(order)).toBe('canceled filled');
  });

  test('that the venue rejects leaves the old order', async () => {
    await place();
    const stop = await place({ ...exit, type: 'stop', stopPrice: '95' });
    alpaca.market.pendingMs = 1_000;
    alpaca.market.rejectsReplacements = true;
    const change = { orderId: stop.id ?? '', patchOrderRequest: { stopPrice: '97' } };
    const replaced = await orders.patchOrderByOrderId(change);
    expect([await statusOf(stop), await statusOf(replaced)]).toEqual(['pending_replace', 'pending_new']);
    expect(await refused(orders.deleteOrderByOrderID({ orderId: stop.id ?? '' }))).toContain('422');
    now += 1_000;
    expect([await statusOf(stop), await statusOf(replaced)]).toEqual(['new', 'rejected']);
  });

  test('that comes after the fill is rejected', async () => {
    await place();
    const stop = await place({ ...exit, type: 'stop', stopPrice: '95' });
    alpaca.market.pendingMs = 1_000;
    const replaced = await orders.patchOrderByOrderId({
      orderId: stop.id ?? '',
      patchOrderRequest: { stopPrice: '97' },
    });
    alpaca.setPrice('AAPL', '94');
    now += 1_000;
    expect([await statusOf(stop), await statusOf(replaced)]).toEqual(['filled', 'rejected']);
    expect(alpaca.positions.get('AAPL')).toBe(0);
  });

  test.each([
    [{ stopPrice: '95' }, 'order parameters are not changed'],
    [{ limitPrice: '95' }, 'stop orders must not have limit_price'],
    [{ qty: '11' }, 'insufficient qty available'],
  ])('with %j is refused', async (patchOrderRequest, reason) => {
    await place();
    const stop = await place({ ...exit, type: 'stop', stopPrice: '95' });
    const call = orders.patchOrderByOrderId({ orderId: stop.id ?? '', patchOrderRequest });
    expect(await refused(call)).toContain(reason);
  });
});

describe('a session', () => {
  const NIGHT = MORNING - 3 * HOUR_MS;

  test('fills market orders of the night at its first price, and cannot replace them before', async () => {
    now = NIGHT;
    const order = await place();
    const orderId = order.id ?? '';
    expect(order.status).toBe('accepted');
    const call = orders.patchOrderByOrderId({ orderId, patchOrderRequest: { qty: '5' } });
    expect(await refused(call)).toContain('accepted');
    alpaca.setPrice('AAPL', '120');
    expect(await statusOf(order)).toBe('accepted');
    now = MORNING;
    expect(await find(order)).toMatchObject({ status: 'filled', filledAvgPrice: '120' });
  });

  test('ends orders of a day, and lets stops sleep until the next one', async () => {
    await place();
    const day = await place({ ...exit, qty: '4', type: 'stop', stopPrice: '95', timeInForce: 'day' });
    const stop = await place({ ...exit, qty: '6', type: 'stop', stopPrice: '95' });
    now += 6 * HOUR_MS;
    alpaca.setPrice('AAPL', '80');
    expect([await statusOf(day), await statusOf(stop)]).toEqual(['expired', 'new']);
    now = MORNING + 24 * HOUR_MS - 31 * MINUTE_MS;
    expect(await statusOf(stop)).toBe('new');
    now += MINUTE_MS;
    expect(await find(stop)).toMatchObject({ status: 'filled', filledAvgPrice: '80' });
  });

  test('does not concern crypto assets', async () => {
    now = NIGHT;
    alpaca.setPrice('BTC/USD', '90000');
    const coin = { symbol: 'BTC/USD', qty: '0.5', timeInForce: 'gtc' } as const;
    expect(await statusOf(await place(coin))).toBe('filled');
    const stop = await place({
      ...coin,
      ...exit,
      type: 'stop_limit',
      stopPrice: '80000',
      limitPrice: '79000',
    });
    alpaca.setPrice('BTC/USD', '78000');
    expect(await statusOf(stop)).toBe('new');
    alpaca.setPrice('BTC/USD', '79500');
    expect(await find(stop)).toMatchObject({ status: 'filled', filledAvgPrice: '79500' });
  });

  test('has the clock of the description', async () => {
    const { isOpen, nextOpen, nextClose } = await new trading.ClockApi(settings).legacyClock();
    expect([isOpen, nextOpen.toISOString(), nextClose.toISOString()]).toEqual([
      true,
      '2026-01-06T14:30:00.000Z',
      '2026-01-05T21:00:00.000Z',
    ]);
  });
});

describe('an order that Alpaca does not take', () => {
  test.each<[Partial<trading.PostOrderRequest>, string]>([
    [{ qty: '0.5', timeInForce: 'gtc' }, 'fractional orders must be DAY orders'],
    [{ qty: '0.5', side: 'sell' }, 'fractional orders cannot be sold short'],
    [{ type: 'limit', limitPrice: '99.999' }, 'sub-penny increment'],
    [{ type: 'stop', stopPrice: '90', timeInForce: 'ioc' }, 'invalid time_in_force'],
    [{ type: 'limit' }, 'require limit_price'],
    [{ symbol: 'BTC/USD', type: 'stop', stopPrice: '90', timeInForce: 'gtc' }, 'invalid order type'],
    [{ symbol: 'BTC/USD', timeInForce: 'day' }, 'invalid crypto time_in_force'],
    [{ symbol: 'BTC/USD', side: 'sell', timeInForce: 'gtc' }, 'insufficient balance for BTC'],
    [{ notional: '10' }, 'request body format is invalid'],
  ])('%j', async (more, reason) => {
    expect(await refused(place(more))).toContain(reason);
  });

  test('could trade with another of the account', async () => {
    await place({ type: 'limit', limitPrice: '90' });
    expect(await refused(place({ side: 'sell' }))).toContain('403 40310000 potential wash trade');
    await place({ side: 'sell', type: 'limit', limitPrice: '91' });
    expect(await refused(place({ side: 'sell', type: 'limit', limitPrice: '90' }))).toContain('wash trade');
  });

  test('has the id of another', async () => {
    await place({ clientOrderId: 'one' });
    expect(await refused(place({ clientOrderId: 'one' }))).toContain('client_order_id must be unique');
  });
});

test('a bracket starts its exits with the fill of the entry, and a cancelled entry ends them', async () => {
  const bracket = {
    type: 'limit',
    orderClass: 'bracket',
    takeProfit: { limitPrice: '110' },
    stopLoss: { stopPrice: '80' },
    timeInForce: 'gtc',
  } as const;
  const order = await place({ ...bracket, limitPrice: '95' });
  const other = await place({ ...bracket, limitPrice: '85' });
  expect(await statusOf(order)).toBe('new held held');
  alpaca.setPrice('AAPL', '94');
  expect(await statusOf(order)).toBe('filled new held');
  await orders.deleteOrderByOrderID({ orderId: other.id ?? '' });
  expect(await statusOf(other)).toBe('canceled canceled canceled');
  alpaca.setPrice('AAPL', '79');
  expect(await statusOf(order)).toBe('filled canceled filled');
});

test('a cancel that takes time may cross a fill', async () => {
  await place();
  const stop = await place({ ...exit, type: 'stop', stopPrice: '95' });
  alpaca.market.pendingMs = 1_000;
  await orders.deleteOrderByOrderID({ orderId: stop.id ?? '' });
  expect(await statusOf(stop)).toBe('pending_cancel');
  alpaca.setPrice('AAPL', '94');
  now += 1_000;
  expect(await statusOf(stop)).toBe('filled');
});

test('too many requests are refused with the time to wait', async () => {
  alpaca.trouble = () => 'throttled';
  const error = await positions.getAllOpenPositions().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(trading.RateLimitError);
  alpaca.trouble = () => undefined;
  expect(await positions.getAllOpenPositions()).toEqual([]);
  expect(alpaca.journal.map(({ trouble, status }) => [trouble, status])).toEqual([
    ['throttled', undefined],
    [undefined, 200],
  ]);
});
