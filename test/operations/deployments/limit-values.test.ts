import { expect, test } from '@jest/globals';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);

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

test('an order in another currency without a rate is judged at its first fill', async () => {
  const yen = { symbol: 'USDJPY', order_type: 'limit', price: '150', quantity: '0.01' };
  const run = await running({ order_value: 900 }, 'USDJPY');
  const client_order_id = await order(run, { ...yen, ...PENDING });
  expect(await statusOf(run)).toBe('active');
  await order(run, { ...yen, average_price: '150', rate: '0.00666667', client_order_id, sequence: 2 });
  expect(await statusOf(run)).toBe('halted');
});

test('an order that turns a position around counts with what it leaves, not with what it closes', async () => {
  const run = await running({ position_value: 1500 });
  await order(run, { quantity: '10' });
  await order(run, { side: 'sell', quantity: '22' });
  expect(await statusOf(run)).toBe('active');
  await order(run, { quantity: '28' });
  expect([await statusOf(run), (await tripOf(run))?.used]).toEqual(['halted', 1600]);
});
