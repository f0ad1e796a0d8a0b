import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { activeTradingPage } from '../../../shared/data/books/active-deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, enterAll, report, reportOrder, undeployTrading } from '../../support/trading.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Charge of one lot of EURUSD for a night: -0.98 pips of 0.0001 on 100,000 units. */
const NIGHT = -9.8;

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['EURUSD', 'BTCUSD']);
});
afterEach(() => hub.close());

const roll = (by_hand = false) => runJob(hub.runtime, { job: 'roll-swaps', by_hand });
const closeDays = () => runJob(hub.runtime, { job: 'close-equity-days' });
const active = async () => (await activeTradingPage(hub.runtime.store, undefined, 100)).items;

/** Moves the clock to a time of its present day, in UTC. */
const until = (at: string) => hub.advance(Date.parse(at) - hub.runtime.clock().getTime());

/** Creates a paper deployment of EURUSD on Monday 2026-03-02, after the rounds of the day before. */
const deployed = async (symbol = 'EURUSD') => {
  const owner = await deployedTrader(hub, { starting_capital: '100000' }, symbol);
  await roll();
  return owner;
};

let orders = 0;
const fill = (
  id: number,
  side: 'buy' | 'sell',
  quantity: string,
  at: string,
  more: Record<string, unknown> = {},
): Promise<void> =>
  reportOrder(hub, id, {
    client_order_id: `o${++orders}`,
    symbol: 'EURUSD',
    side,
    quantity,
    average_price: '1.1',
    occurred_at: at,
    ...more,
  });

const swapOf = async (user_id: string, id: number): Promise<number> => {
  const { body } = await hub.call('GET /get_live_deps_pnl', {
    query: { user_id, deployment_ids: String(id) },
  });
  return body.pnl[0].swap;
};

/** 17:00 New York is 22:00 UTC until 2026-03-08. */
const MONDAY_BEFORE = '2026-03-02T21:00:00.000Z';
const MONDAY_AFTER = '2026-03-02T22:30:00.000Z';

describe('roll-swaps, run late', () => {
  test('charges the position at 17:00 New York, without later purchases', async () => {
    const { user_id, id } = await deployed();
    until('2026-03-03T01:00:00Z');
    await fill(id, 'buy', '1', MONDAY_BEFORE);
    await fill(id, 'buy', '9', MONDAY_AFTER);
    await roll();
    expect(await swapOf(user_id, id)).toBe(NIGHT);
  });

  test('charges a position that was closed afterwards, and its trade has the charge', async () => {
    const { user_id, id } = await deployed();
    until('2026-03-03T01:00:00Z');
    await fill(id, 'buy', '1', MONDAY_BEFORE);
    await fill(id, 'sell', '1', MONDAY_AFTER);
    await roll();
    expect(await swapOf(user_id, id)).toBe(NIGHT);
    const { body } = await hub.call('GET /get_live_strategy_order_book', {
      query: { user_id, deployment_id: String(id) },
    });
    expect(body.items.map(({ swap }: { swap: number }) => swap).sort()).toEqual([NIGHT, 0]);
  });

  test('charges by the side at 17:00, also if the position flipped afterwards', async () => {
    const { user_id, id } = await deployed();
    until('2026-03-03T01:00:00Z');
    await fill(id, 'buy', '1', MONDAY_BEFORE);
    await fill(id, 'sell', '3', MONDAY_AFTER);
    await roll();
    expect(await swapOf(user_id, id)).toBe(NIGHT);
  });

  test('charges nothing for a position that was opened after 17:00', async () => {
    const { user_id, id } = await deployed();
    until('2026-03-03T01:00:00Z');
    await fill(id, 'buy', '1', '2026-03-02T22:00:00.001Z');
    await roll();
    expect(await swapOf(user_id, id)).toBe(0);
    await fill(id, 'buy', '1', '2026-03-02T22:00:00.000Z');
    await roll(true);
    expect(await swapOf(user_id, id)).toBe(NIGHT);
  });

  test('counts interest in percent of the price at 17:00', async () => {
    const { user_id, id } = await deployed('BTCUSD');
    until('2026-03-03T01:00:00Z');
    const btc = (side: 'buy' | 'sell', at: string, average_price: string) =>
      fill(id, side, '1', at, { symbol: 'BTCUSD', average_price });
    const quote = (at: string, price: number) =>
      report(hub, 'Quote Marked', id, { symbol: 'BTCUSD', price, occurred_at: at });
    await btc('buy', '2026-03-02T12:00:00.000Z', '50000');
    await quote('2026-03-02T21:59:00.000Z', 36_000);
    await quote('2026-03-02T23:59:00.000Z', 90_000);
    await roll();
    const { body } = await hub.call('GET /get_instrument_suggestions_v2', {
      query: { user_id, instrument: 'BTCUSD', type: 'crypto' },
    });
    expect(body[0].swap_calculation).toBe('percentage');
    expect(await swapOf(user_id, id)).toBeCloseTo(36_000 * (body[0].swap_long / 36_000), 8);
  });

  test('charges every missed day later, also when started by hand', async () => {
    for (const by_hand of [false, true]) {
      const { user_id, id } = await deployed();
      const start = hub.runtime.clock().getTime();
      await fill(id, 'buy', '1', new Date(start).toISOString());
      hub.advance(7 * DAY);
      await fill(id, 'sell', '1', new Date(start + 6.9 * DAY).toISOString());
      await roll(by_hand);
      // Five weekdays, one of which counts three nights.
      expect(await swapOf(user_id, id)).toBeCloseTo(7 * NIGHT, 9);
      await roll(by_hand);
      await roll();
      expect(await swapOf(user_id, id)).toBeCloseTo(7 * NIGHT, 9);
    }
  });

  test('charges missed days later, also if the ledger forgot their fills', async () => {
    const { user_id, id } = await deployed();
    const start = hub.runtime.clock().getTime();
    await fill(id, 'buy', '1', new Date(start).toISOString());
    hub.advance(7 * DAY);
    for (let index = 0; index < 130; index++) {
      const at = new Date(start + 6 * DAY + index * MINUTE).toISOString();
      await fill(id, 'buy', '1', at);
    }
    await closeDays();
    await roll();
    // Monday to Sunday. The fills came on Sunday, before the rollover, which counts no night.
    expect(await swapOf(user_id, id)).toBeCloseTo(7 * NIGHT, 9);
  });

  test('keeps an ended deployment until its last night is charged', async () => {
    const { user_id, id } = await deployed();
    until('2026-03-03T00:30:00Z');
    await fill(id, 'buy', '1', MONDAY_BEFORE);
    await fill(id, 'sell', '1', MONDAY_AFTER);
    await undeployTrading(hub, user_id, id);
    hub.advance(DAY);
    await closeDays();
    expect(await active()).toContain(id);
    await roll();
    expect(await swapOf(user_id, id)).toBe(NIGHT);
    await enterAll(hub);
    hub.advance(DAY);
    await closeDays();
    expect(await active()).not.toContain(id);
  });
});

describe('a fill from before a rollover that is reported after it', () => {
  test('makes the next round correct the charge, once, for any change of the position', async () => {
    const cases: [string, 'buy' | 'sell', number][] = [
      ['1', 'buy', 2 * NIGHT],
      ['1', 'sell', 0],
      ['0.5', 'sell', NIGHT / 2],
    ];
    for (const [quantity, side, charged] of cases) {
      const { user_id, id } = await deployed();
      await fill(id, 'buy', '1', hub.runtime.clock().toISOString());
      hub.advance(DAY);
      await roll();
      const first = await swapOf(user_id, id);
      const night = first / NIGHT;
      await fill(id, side, quantity, new Date(hub.runtime.clock().getTime() - DAY + MINUTE).toISOString());
      await roll(true);
      expect(await swapOf(user_id, id)).toBeCloseTo(charged * night, 9);
      await roll(true);
      await roll(true);
      expect(await swapOf(user_id, id)).toBeCloseTo(charged * night, 9);
    }
  });

  test('is charged at the rates of the first charge, and changes nothing if the position is the same', async () => {
    const { user_id, id } = await deployed();
    until('2026-03-03T01:00:00Z');
    await fill(id, 'buy', '1', MONDAY_BEFORE);
    await roll();
    await hub.runtime.store.transact([
      { key: keys.instrument('EURUSD'), update: 'SET swap_long = :rate', values: { ':rate': -5 } },
    ]);
    await fill(id, 'buy', '1', '2026-03-02T20:00:00.000Z');
    await fill(id, 'sell', '1', '2026-03-02T20:30:00.000Z');
    await roll(true);
    expect(await swapOf(user_id, id)).toBe(NIGHT);
    await fill(id, 'buy', '1', '2026-03-02T20:45:00.000Z');
    await roll(true);
    expect(await swapOf(user_id, id)).toBe(2 * NIGHT);
  });
});
