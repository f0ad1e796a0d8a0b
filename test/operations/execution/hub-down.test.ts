import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { type FakeAlpaca, fakeAlpaca } from '../../support/alpaca.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN } from '../../support/hub-deployments.ts';
import { startKms } from '../../support/kms.ts';
import { startBus } from '../../support/live-deployments.ts';
import { EngineAccount } from '../../support/protection/engine-account.ts';
import { rulesWith } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import type { Upstream } from '../../support/upstream.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Buys at each bar without a position. */
const RULES = {
  ...rulesWith({ left: { price: 'close' }, op: 'gt', right: 1 }),
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'gt', right: 1 },
      stop_loss: { type: 'percent', percent: 5 },
      take_profit: { type: 'percent', percent: 8 },
    },
  ],
};

const environment = { ...process.env };
let alpaca: FakeAlpaca;
let bus: Upstream;
let hub: TestHub;
let kms: Awaited<ReturnType<typeof startKms>>;

beforeAll(async () => {
  kms = await startKms();
  bus = await startBus();
  const plain = await startHub();
  alpaca = await fakeAlpaca(plain.runtime.clock);
  hub = plain.with(alpaca.environment);
  await furnishWithInstruments(hub, ['AAPL', 'BTCUSD']);
});
beforeEach(async () => {
  alpaca.reset();
  for (const symbol of ['AAPL', 'BTCUSD']) {
    await removeSeries(hub.runtime.store, { ...BITCOIN, symbol });
  }
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
  await kms.close();
  await alpaca.close();
});

describe.each(['AAPL', 'BTCUSD'] as const)('while the hub is down, a position in %s', (symbol) => {
  test('ends at its stop; the books have it once, at its price and time, and the account goes on', async () => {
    const account = await EngineAccount.open({ hub, alpaca, bus }, symbol, RULES);
    await account.bar();
    const bought = await account.books();
    expect(bought).toBeGreaterThan(0);
    expect(alpaca.exposure(account.symbol)).toEqual({ position: bought, closing: bought });

    // Nothing of the hub runs from here on.
    hub.advance(7 * HOUR_MS);
    const at = hub.runtime.clock().toISOString();
    alpaca.setPrice(account.symbol, '94.5');
    expect(alpaca.exposure(account.symbol)).toEqual({ position: 0, closing: 0 });
    hub.advance(3 * DAY_MS);
    alpaca.setPrice(account.symbol, '100');

    await account.run();
    await account.run();
    expect(await account.books()).toBe(0);
    // Orders of one moment have no order among each other.
    const orders = await account.orders();
    const entry = orders.find(({ side }) => side === 'buy');
    const filled = orders.filter(({ side, filled_quantity }) => side === 'sell' && filled_quantity !== '0');
    expect(filled).toMatchObject([
      { side: 'sell', status: 'filled', filled_quantity: String(bought), average_price: '94.5' },
    ]);
    expect(filled[0]?.client_order_id).toContain(entry?.client_order_id);
    expect(new Date(filled[0]?.updated_at ?? '').toISOString()).toBe(at);

    // The bars of the outage, then a new one.
    for (let day = 0; day < 5; day += 1) await account.bar(day === 0 ? { low: 94, close: 100 } : {});
    const again = await account.books();
    expect(again).toBeGreaterThan(0);
    expect(alpaca.exposure(account.symbol)).toEqual({ position: again, closing: again });

    const query = { user_id: account.user_id, deployment_id: String(account.id) };
    const { attribution } = (await hub.call('GET /get_parity', { query })).body;
    const stopped = attribution.fills.find((fill: { decision: string }) => fill.decision === 'stop_loss');
    expect(stopped).toMatchObject({ kind: 'matched', price: 94.5, backtest_price: 95, quantity: bought });
    expect(stopped.slippage).toBeCloseTo(-0.5 * bought, 6);
    const { pnl, backtest_pnl, slippage, fees, delay, missing, extra } = attribution;
    expect(slippage + fees + delay + missing + extra).toBeCloseTo(pnl - backtest_pnl, 6);
    await account.end();
  });
});

test('exits that the broker did not take are placed at once on the word of the owner, who sees them', async () => {
  const account = await EngineAccount.open({ hub, alpaca, bus }, 'AAPL', RULES);
  const { user_id, id } = account;
  const query = { user_id, deployment_id: String(id) };
  let headers = {};
  const stateOf = async () =>
    (await hub.call('GET /get_broker_state', { query, headers })).body.positions.map(
      ({ state, orders, actions }: Record<string, unknown>) => ({ state, orders, actions }),
    );
  alpaca.trouble = ({ method, body }) => (method === 'POST' && body.includes('"sell"') ? 'down' : undefined);
  await account.bar();
  headers = await account.session();
  const bought = await account.books();
  expect(alpaca.exposure(account.symbol)).toEqual({ position: bought, closing: 0 });
  expect(await stateOf()).toMatchObject([
    { state: 'changing', actions: expect.arrayContaining(['place_again']) },
  ]);

  alpaca.trouble = () => undefined;
  const asked = await hub.call('POST /place_protection', { query: { ...query, symbol: 'AAPL' }, headers });
  expect(asked.status).toBe(200);
  await account.settle();
  expect(alpaca.exposure(account.symbol)).toEqual({ position: bought, closing: bought });
  expect(await stateOf()).toMatchObject([
    {
      state: 'standing',
      orders: [
        { level: 'stop', price: 95, quantity: bought, status: 'open' },
        { level: 'target', price: 108, quantity: bought, status: 'open' },
      ],
      actions: ['close', 'take_over'],
    },
  ]);
  await account.end();
});
