import { expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { putInOutbox } from '../../../shared/data/outbox/outbox.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { eventsOf, listen } from '../../support/changes.ts';
import type { Response } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, engineEvent, enterAll, report, reportOrder } from '../../support/trading.ts';

const SYMBOLS = ['AAPL', 'USDJPY', 'GBPCHF', 'EURGBP', 'AUDCAD', 'EURSEK'];

const hub = await openHub((opened) => furnishWithInstruments(opened, SYMBOLS));

/** Returns a paper deployment under limits that an engine outside runs. */
const running = async (limits: object, symbol = 'AAPL') => {
  const { user_id, access_token } = (await signUp(hub)).body;
  const { keygen } = (await build(hub, { user_id, symbol })).body;
  const form: Record<string, string> = symbol === 'AAPL' ? {} : { engine_rates: 'true' };
  const id: number = (await deployTrading(hub, keygen, form)).body.deployment_id;
  await report(hub, 'Deployment Started', id);
  const query = { user_id, deployment_id: String(id) };
  const set = await hub.call('POST /set_risk_limits', {
    query,
    headers: bearer(access_token),
    json: { limits },
  });
  expect(set.status).toBe(200);
  hub.advance(1000);
  return { user_id: user_id as string, id };
};

type Run = Awaited<ReturnType<typeof running>>;

const statusOf = async ({ user_id, id }: Run): Promise<string> =>
  (await hub.call('GET /get_deployment', { query: { user_id, deployment_id: String(id) } })).body.status;

const tripOf = async ({ user_id, id }: Run): Promise<Response['body']> =>
  (await hub.call('GET /get_risk_limits', { query: { user_id, deployment_id: String(id) } })).body.state
    .tripped;

let orders = 0;
const order = async ({ id }: Run, detail: Record<string, unknown>): Promise<string> => {
  hub.advance(1000);
  const client_order_id = `limit-value-${++orders}`;
  await reportOrder(hub, id, { client_order_id, ...detail });
  return client_order_id;
};

const PENDING = { status: 'pending', filled_quantity: '0', average_price: null };

test('an order in another currency counts at its rate, in that of the deployment', async () => {
  const yen = { symbol: 'USDJPY', order_type: 'limit', price: '150', quantity: '0.01' };
  // 0.01 lots are 150,000 yen, 1,000 dollars.
  const within = await running({ order_value: 1500 }, 'USDJPY');
  await order(within, { ...yen, ...PENDING, rate: '0.00666667' });
  expect(await statusOf(within)).toBe('active');
  const beyond = await running({ order_value: 900 }, 'USDJPY');
  await order(beyond, { ...yen, ...PENDING, rate: '0.00666667' });
  expect([await statusOf(beyond), (await tripOf(beyond))?.used]).toEqual(['halted', 1000.0005]);
});

/** Order of 0.01 lots of 100,000 units each. */
const limitOrder = (symbol: string, price: string) => ({
  symbol,
  order_type: 'limit',
  price,
  quantity: '0.01',
});

const warningsOf = async ({ user_id }: Run): Promise<Response['body'][]> => {
  await enterAll(hub);
  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
  return body.items.filter(({ kind }: Response['body']) => kind === 'risk_warning');
};

/** Stores a close of a currency pair among the candles of the hub. */
const quoteInHub = async (symbol: string, close: number): Promise<void> => {
  const start = Math.floor(hub.runtime.clock().getTime() / 60_000) * 60_000 - 60_000;
  const bar = { start, open: close, high: close, low: close, close, volume: 1 };
  const series = { symbol, timeframe: '1m', asset_class: 'forex', calendar: 'forex' } as const;
  await appendBars(hub.runtime.store, { ...series, source: 'test', adjustment: 'none' }, columnsOf([bar]));
};

test('an order in another currency of which no rate is known is judged at its first fill, and warned of', async () => {
  const run = await running({ order_value: 900 }, 'USDJPY');
  const yen = limitOrder('USDJPY', '150');
  const client_order_id = await order(run, { ...yen, ...PENDING });
  expect(await statusOf(run)).toBe('active');
  expect(await warningsOf(run)).toMatchObject([
    {
      symbol: 'USDJPY',
      title: expect.stringMatching(/ has an order of unknown value$/),
      body: 'No rate to USD is known for USDJPY: risk limits of values count the order from its first fill.',
      data: { limit: 'order_value', currency: 'USD' },
    },
  ]);
  await order(run, { ...yen, ...PENDING });
  expect(await warningsOf(run)).toHaveLength(1);
  await order(run, { ...yen, average_price: '150', rate: '0.00666667', client_order_id, sequence: 2 });
  expect(await statusOf(run)).toBe('halted');
});

test('the log of changes has the report, and no use of a limit, of an order of unknown value', async () => {
  const run = await running({ order_value: 900 }, 'USDJPY');
  await listen(hub, { user_id: run.user_id });
  await order(run, { ...limitOrder('USDJPY', '150'), ...PENDING });
  expect(await warningsOf(run)).toHaveLength(1);
  const types = (await eventsOf(hub, run.user_id)).map(({ type }) => type);
  expect(types).toContain('order.placed');
  expect(types).not.toContain('risk.warning');
});

test('an order that has ended, or is under no limit of values, is not warned of', async () => {
  const limited = await running({ position_value: 900 }, 'USDJPY');
  const yen = limitOrder('USDJPY', '150');
  await order(limited, { ...yen, ...PENDING, status: 'rejected' });
  expect(await warningsOf(limited)).toEqual([]);
  await order(limited, { ...yen, ...PENDING });
  expect(await warningsOf(limited)).toMatchObject([{ data: { limit: 'position_value' } }]);
  const counted = await running({ orders_per_day: 10 }, 'USDJPY');
  await order(counted, { ...yen, ...PENDING });
  expect(await warningsOf(counted)).toEqual([]);
});

test.each([
  ['order_value', 'GBPCHF', 'CHFUSD', 1.25, '1.2', 1500],
  ['position_value', 'EURGBP', 'GBPUSD', 1.25, '0.8', 1000],
  ['order_value', 'AUDCAD', 'USDCAD', 1.25, '0.9', 720],
] as const)(
  'an order without a rate counts for %s at the newest close of the hub: %s by %s',
  async (limit, symbol, pair, close, price, value) => {
    await quoteInHub(pair, close);
    const within = await running({ [limit]: value + 1 }, symbol);
    const pending = { ...limitOrder(symbol, price), ...PENDING };
    await order(within, pending);
    expect([await statusOf(within), await warningsOf(within)]).toEqual(['active', []]);
    const beyond = await running({ [limit]: value - 1 }, symbol);
    await order(beyond, pending);
    expect([await statusOf(beyond), await tripOf(beyond)]).toMatchObject(['halted', { limit, used: value }]);
    // A rate of the engine counts first.
    const reported = await running({ [limit]: value - 1 }, symbol);
    await order(reported, { ...pending, rate: '0.1' });
    expect(await statusOf(reported)).toBe('active');
  },
);

test('an order that waited for a newer version of the hub counts at the newest close, too', async () => {
  await quoteInHub('CHFUSD', 1.25);
  const run = await running({ order_value: 1499 }, 'GBPCHF');
  const { store, clock } = hub.runtime;
  const detail = { ...limitOrder('GBPCHF', '1.2'), ...PENDING, client_order_id: 'waited', sequence: 1 };
  const event = engineEvent(hub, 'Order Updated', run.id, { ...detail, side: 'buy', fees: '0' });
  await putInOutbox(store, 'waited', { kind: 'execution_event', event: JSON.stringify(event) }, clock());
  hub.advance(61_000);
  await runJob(hub.runtime, { job: 'sweep-events' });
  expect([await statusOf(run), (await tripOf(run))?.used]).toEqual(['halted', 1500]);
});

test('a close of the hub that is older than a week tells no rate', async () => {
  await quoteInHub('USDSEK', 10);
  hub.advance(8 * 24 * 3_600_000);
  const run = await running({ order_value: 1 }, 'EURSEK');
  await order(run, { ...limitOrder('EURSEK', '11'), ...PENDING });
  expect([await statusOf(run), await warningsOf(run)]).toMatchObject(['active', [{ symbol: 'EURSEK' }]]);
});

test('an order that turns a position around counts with what it leaves, not with what it closes', async () => {
  const run = await running({ position_value: 1500 });
  await order(run, { quantity: '10' });
  await order(run, { side: 'sell', quantity: '22' });
  expect(await statusOf(run)).toBe('active');
  await order(run, { quantity: '28' });
  expect([await statusOf(run), (await tripOf(run))?.used]).toEqual(['halted', 1600]);
});
