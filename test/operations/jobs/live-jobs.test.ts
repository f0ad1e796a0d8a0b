import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { activeTradingPage } from '../../../shared/data/books/active-deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { runJob } from '../../support/jobs.ts';
import { furnishWithInstruments, profile, setState } from '../../support/strategies.ts';
import {
  deployedTrader,
  deployTrading,
  enterAll,
  report,
  reportOrder,
  undeployTrading,
} from '../../support/trading.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['AAPL', 'MSFT', 'EURUSD', 'BTCUSD']);
});
afterEach(() => hub.close());

const run = (job: string) => runJob(hub.runtime, { job });
const active = async () => (await activeTradingPage(hub.runtime.store, undefined, 100)).items;
const mine = async (user_id: string) =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items;
const calls = () => hub.takeCalls().length;

const deployed = (symbol: string, form: Record<string, string> = {}) => deployedTrader(hub, form, symbol);

describe('close-equity-days', () => {
  test('closes each day once, and resets today’s result', async () => {
    const { user_id, id } = await deployed('AAPL');
    await run('close-equity-days');
    await reportOrder(hub, id, { client_order_id: 'a', quantity: '10', filled_quantity: '10' });
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 110 });
    expect(await mine(user_id)).toMatchObject([{ today_pnl: 100, total_pnl: 100 }]);
    hub.advance(DAY);
    expect(await run('close-equity-days')).toMatchObject({ done: 1, more: false });
    expect(await mine(user_id)).toMatchObject([{ today_pnl: 0, total_pnl: 100 }]);
    calls();
    expect(await run('close-equity-days')).toMatchObject({ done: 0, more: false });
    expect(calls()).toBe(1);
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 111 });
    expect(await mine(user_id)).toMatchObject([{ today_pnl: 10, total_pnl: 110 }]);
  });

  test.each([
    ['AAPL', 1],
    ['BTCUSD', 1],
    ['AAPL', 4],
    ['BTCUSD', 4],
  ])(
    'today’s result of %s is that of the day also before the job has run, %d days later',
    async (symbol, days) => {
      const { user_id, id } = await deployed(symbol);
      await reportOrder(hub, id, { client_order_id: 'a', symbol, quantity: '10', filled_quantity: '10' });
      await report(hub, 'Quote Marked', id, { symbol, price: 110 });
      expect(await mine(user_id)).toMatchObject([{ today_pnl: 100, total_pnl: 100 }]);
      hub.advance(days * DAY);
      expect(await mine(user_id)).toMatchObject([{ today_pnl: 0, total_pnl: 100 }]);
      await report(hub, 'Quote Marked', id, { symbol, price: 111 });
      expect(await mine(user_id)).toMatchObject([{ today_pnl: 10, total_pnl: 110 }]);
      await run('close-equity-days');
      expect(await mine(user_id)).toMatchObject([{ today_pnl: 10, total_pnl: 110 }]);
    },
  );

  test('closes missed days later', async () => {
    const { user_id, id } = await deployed('AAPL');
    await run('close-equity-days');
    await reportOrder(hub, id, { client_order_id: 'a' });
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 101 });
    expect(await mine(user_id)).toMatchObject([{ today_pnl: 1 }]);
    hub.advance(9 * DAY);
    await run('close-equity-days');
    expect(await mine(user_id)).toMatchObject([{ today_pnl: 0 }]);
  });

  /** Trades with 10 units that are bought at 100. */
  const trade = async (id: number, { name = '', sold = '110' } = {}) => {
    const order = { quantity: '10', filled_quantity: '10' };
    await reportOrder(hub, id, { client_order_id: `a${name}`, ...order });
    hub.advance(1000);
    await reportOrder(hub, id, { client_order_id: `b${name}`, ...order, side: 'sell', average_price: sold });
  };
  type Own = Pick<Awaited<ReturnType<typeof deployed>>, 'user_id' | 'user_key' | 'strategy_id'>;
  /** Returns the figures on the card of a published strategy. */
  const cardOf = async ({ user_id, user_key, strategy_id }: Own) => {
    const { items } = (await profile(hub, user_key, { user_id })).body;
    return items.find((card: { strategy_id: number }) => card.strategy_id === strategy_id)?.performance;
  };
  /** Returns the figures that the owner sees. */
  const metricsOf = async ({ user_id, strategy_id }: Own) => {
    const query = { user_id, strategy_ids: String(strategy_id) };
    return (await hub.call('GET /get_strategies_performance_metrics', { query })).body.metrics[0];
  };
  const publish = ({ user_id, strategy_id }: Own) => setState(hub, user_id, strategy_id, 1);

  test('updates the sums on the card of a published strategy without rules', async () => {
    const own = await deployed('AAPL');
    await publish(own);
    const since = hub.runtime.clock().toISOString();
    await run('close-equity-days');
    await trade(own.id);
    hub.advance(DAY);
    await run('close-equity-days');
    const card = await cardOf(own);
    expect(card).toMatchObject({
      source: 'reported',
      unranked: 'not_verified',
      mode: 'virtual',
      trades_count: 1,
      win_rate_pct: 100,
      total_return_pct: expect.closeTo(1, 9),
      as_of: hub.runtime.clock().toISOString(),
      period_start: since,
      since,
      returns_pct: [],
    });
    expect(await metricsOf(own)).toMatchObject(card);
  });

  test('updates the figures of a deployment for the owner of an unpublished strategy', async () => {
    const own = await deployed('AAPL');
    expect(await metricsOf(own)).toMatchObject({ mode: null, period_start: null, returns_pct: [] });
    await run('close-equity-days');
    await trade(own.id);
    hub.advance(DAY);
    await run('close-equity-days');
    expect(await metricsOf(own)).toMatchObject({
      source: null,
      mode: 'virtual',
      trades_count: 1,
      win_rate_pct: 100,
      total_return_pct: expect.closeTo(1, 9),
      as_of: hub.runtime.clock().toISOString(),
      returns_pct: [0, 1, 1],
    });
    expect(await cardOf(own)).toBeUndefined();
  });

  test('shows the owner real trades before paper ones', async () => {
    const own = await deployed('AAPL');
    const { body } = await deployTrading(hub, own.keygen);
    const real: number = body.deployment_id;
    await hub.runtime.store.transact([{ key: keys.deployment(real), set: { mode: 'live' } }]);
    await trade(own.id, { name: '1' });
    await trade(own.id, { name: '2' });
    await enterAll(hub);
    expect(await metricsOf(own)).toMatchObject({ mode: 'virtual', trades_count: 2, total_return_pct: 2 });
    await trade(real, { sold: '90' });
    await enterAll(hub);
    const shown = { mode: 'live', trades_count: 1, total_return_pct: -1 };
    expect(await metricsOf(own)).toMatchObject(shown);
    await trade(own.id, { name: '3' });
    await enterAll(hub);
    expect(await metricsOf(own)).toMatchObject(shown);
  });

  test('draws returns of the last days for the owner of an unpublished strategy, and none once it is published', async () => {
    const own = await deployed('AAPL');
    const period_start = hub.runtime.clock().toISOString();
    await run('close-equity-days');
    await trade(own.id);
    hub.advance(1000);
    for (const price of [100, 104, 98, 102]) {
      await reportOrder(hub, own.id, { client_order_id: `${price}`, quantity: '10', filled_quantity: '10' });
      await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price });
      hub.advance(DAY);
      await run('close-equity-days');
    }
    const { returns_pct, total_return_pct, ...shown } = await metricsOf(own);
    expect(shown).toMatchObject({ period_start });
    expect(returns_pct.length).toBeGreaterThan(4);
    expect([returns_pct[0], returns_pct.at(-1)]).toEqual([0, expect.closeTo(total_return_pct, 1)]);
    expect(Math.min(...returns_pct)).toBeLessThan(1);
    await publish(own);
    expect(await metricsOf(own)).toMatchObject({ source: 'reported', trades_count: 0, returns_pct: [] });
  });

  test.each([
    ['a tenth on its first day', '1000', 10, '110'],
    ['a hundredfold', '100', 9900, '10000'],
  ])(
    'closes the day of a deployment that gained %s, whose growth by the year is no figure',
    async (_gain, starting_capital, gained, sold) => {
      const own = await deployed('AAPL', { starting_capital });
      const published = await deployed('AAPL', { starting_capital });
      await publish(published);
      for (const { id } of [own, published]) {
        const order = { quantity: gained === 10 ? '10' : '1' };
        await reportOrder(hub, id, { client_order_id: 'a', ...order });
        hub.advance(1000);
        await reportOrder(hub, id, { client_order_id: 'b', ...order, side: 'sell', average_price: sold });
      }
      await enterAll(hub);
      expect(await enterAll(hub)).toBe(0);
      const shown = { trades_count: 1, total_return_pct: expect.closeTo(gained, 9), cagr_pct: null };
      expect(await metricsOf(own)).toMatchObject({ ...shown, source: null });
      expect(await cardOf(published)).toMatchObject({ ...shown, source: 'reported' });
      hub.advance(DAY);
      expect(await run('close-equity-days')).toMatchObject({ done: 2, more: false });
    },
  );

  test.each([
    ['on the card of a published strategy', true, cardOf],
    ['to the owner of an unpublished strategy', false, metricsOf],
  ])('shows a trade at once %s, and removes it with the trade', async (_seen, isPublished, figuresOf) => {
    const own = await deployed('AAPL');
    if (isPublished) await publish(own);
    const opened = hub.runtime.clock().toISOString();
    hub.advance(HOUR);
    await trade(own.id);
    expect(await figuresOf(own)).toMatchObject({ trades_count: 0, total_return_pct: null });
    await enterAll(hub);
    const shown = await figuresOf(own);
    expect(shown).toMatchObject({ trades_count: 1, total_return_pct: 1, win_rate_pct: 100, mode: 'virtual' });
    expect(shown).not.toHaveProperty('deployment_id');
    expect(await metricsOf(own)).toMatchObject(shown);
    // Bought before both, so the position was never flat.
    await reportOrder(hub, own.id, { client_order_id: 'early', occurred_at: opened });
    await enterAll(hub);
    expect(await figuresOf(own)).toMatchObject({ trades_count: 0, win_rate_pct: null });
  });

  describe.each([
    ['on the card of a published strategy', true, cardOf],
    ['to the owner of an unpublished strategy', false, metricsOf],
  ])('shows %s', (_seen, isPublished, figuresOf) => {
    /** Returns a deployment of a strategy that was published before, or is not. */
    const prepared = async (symbol: string) => {
      const own = await deployed(symbol);
      if (isPublished) await publish(own);
      return own;
    };
    const tradesShown = async (own: Own) => {
      await enterAll(hub);
      return (await figuresOf(own)).trades_count;
    };

    test('no trade of the demo market', async () => {
      const { store } = hub.runtime;
      const [item] = await store.getMany([keys.instrument('MSFT')]);
      await store.put({ ...item, ...keys.instrument('MSFT'), exchange: 'DEMO' });
      const [real, demo] = [await prepared('AAPL'), await prepared('MSFT')];
      for (const { id } of [real, demo]) await trade(id);
      expect([await tradesShown(real), await tradesShown(demo)]).toEqual([1, 0]);
    });

    test('no trade of a replay, whose bars are days old', async () => {
      const shown: number[] = [];
      for (const days of [2, 4]) {
        const own = await prepared('AAPL');
        await trade(own.id);
        await hub.runtime.store.transact([{ key: keys.deployment(own.id), set: { engine: 'hub' } }]);
        hub.advance(days * DAY);
        shown.push(await tradesShown(own));
      }
      expect(shown).toEqual([1, 0]);
    });
  });

  test('stops at a deployment that has ended, is flat, and has its last day closed', async () => {
    const { user_id, id } = await deployed('AAPL');
    await run('close-equity-days');
    await reportOrder(hub, id, { client_order_id: 'a' });
    await undeployTrading(hub, user_id, id);
    hub.advance(DAY);
    await run('close-equity-days');
    expect(await active()).toEqual([id]);
    await reportOrder(hub, id, { client_order_id: 'b', side: 'sell' });
    await enterAll(hub);
    hub.advance(DAY);
    await run('roll-swaps');
    await run('close-equity-days');
    expect(await active()).toEqual([]);
    // A late report opens the books again.
    await reportOrder(hub, id, { client_order_id: 'c' });
    expect(await active()).toEqual([id]);
  });

  test('closes every day until the position is flat, also missed days', async () => {
    const { user_id, id } = await deployed('AAPL');
    await run('close-equity-days');
    await reportOrder(hub, id, { client_order_id: 'a', quantity: '10', filled_quantity: '10' });
    await undeployTrading(hub, user_id, id);
    hub.advance(2 * DAY);
    await reportOrder(hub, id, {
      client_order_id: 'b',
      side: 'sell',
      quantity: '10',
      filled_quantity: '10',
      average_price: '110',
    });
    hub.advance(2 * DAY);
    await run('roll-swaps');
    await run('close-equity-days');
    expect(await active()).toEqual([]);
    const pnl = await hub.call('GET /get_live_deps_pnl', { query: { user_id, deployment_ids: String(id) } });
    // 100 less two nights at 6.5 % a year of 1,000.
    expect(pnl.body.pnl).toMatchObject([{ total_pnl: 99.64, today_pnl: 0 }]);
  });
});

describe('roll-swaps', () => {
  test('charges positions at 17:00 in New York, once, three nights on the instrument’s weekday', async () => {
    const { user_id, id } = await deployed('EURUSD', { starting_capital: '100000' });
    // 2026-03-02 is a Monday; New York is five hours behind UTC.
    await run('roll-swaps');
    await reportOrder(hub, id, { client_order_id: 'a', symbol: 'EURUSD', average_price: '1.1' });
    const charged: number[] = [];
    for (let night = 0; night < 7; night++) {
      hub.advance(DAY);
      await run('roll-swaps');
      await run('roll-swaps');
      charged.push((await mine(user_id))[0].swap);
    }
    const nights = charged.map((swap, index) => swap - (charged[index - 1] ?? 0));
    // EURUSD: 100,000 units a lot, -0.98 pips of 0.0001 a night for long positions, Wednesday counts three.
    const one = -9.8;
    // Monday to Sunday.
    for (const [index, count] of [1, 1, 3, 1, 1, 0, 0].entries())
      expect(nights[index]).toBeCloseTo(count * one, 9);
  });

  test('charges neither real deployments nor flat ones', async () => {
    const { user_id, id } = await deployed('EURUSD');
    await run('roll-swaps');
    hub.advance(DAY);
    await run('roll-swaps');
    expect(await mine(user_id)).toMatchObject([{ swap: 0 }]);
    await reportOrder(hub, id, { client_order_id: 'a', symbol: 'EURUSD', average_price: '1.1' });
    await reportOrder(hub, id, {
      client_order_id: 'b',
      side: 'sell',
      symbol: 'EURUSD',
      average_price: '1.1',
    });
    hub.advance(DAY);
    await run('roll-swaps');
    expect(await mine(user_id)).toMatchObject([{ swap: 0 }]);
  });
});
