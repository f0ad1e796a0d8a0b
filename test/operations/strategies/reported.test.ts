import { beforeEach, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import { openHub } from '../../support/open-hub.ts';
import {
  build,
  copy,
  explore,
  furnishWithInstruments,
  list,
  person,
  setState,
} from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(60_000));

/** Makes an author with a strategy without rules. */
const authored = async () => {
  const author = await person(hub);
  const { body } = await build(hub, { user_id: author.user_id });
  return {
    ...author,
    strategy_id: body.strategy_id as number,
    keygen: body.keygen as string,
    key: body.strategy_key as string,
  };
};

type Authored = Awaited<ReturnType<typeof authored>>;

let orders = 0;

/** Deploys a strategy for an engine outside, which buys at 100 and sells at a price; without one, it stays open. */
const traded = async (
  keygen: string,
  sold: string | undefined,
  { form = {}, at = {} }: { form?: Record<string, string>; at?: Record<string, string> } = {},
): Promise<number> => {
  hub.advance(1000);
  const { body } = await deployTrading(hub, keygen, form);
  const id: number = body.deployment_id;
  await report(hub, 'Deployment Started', id);
  orders += 1;
  await reportOrder(hub, id, { client_order_id: `in-${orders}`, quantity: '10', ...at });
  hub.advance(1000);
  if (sold !== undefined) {
    await reportOrder(hub, id, {
      client_order_id: `out-${orders}`,
      side: 'sell',
      quantity: '10',
      average_price: sold,
      ...at,
    });
  }
  await enterAll(hub);
  return id;
};

/** Returns the performance that somebody else sees on the card; undefined if the strategy is not listed. */
const cardOf = async ({ strategy_id }: Authored) => {
  hub.advance(6000);
  const reader = await person(hub);
  const { body } = await explore(hub, reader.user_id);
  const card = body.items.find((one: { strategy_id: number }) => one.strategy_id === strategy_id);
  const query = { user_id: reader.user_id, strategy_ids: String(strategy_id) };
  const metrics = (await hub.call('GET /get_strategies_performance_metrics', { query })).body.metrics[0];
  if (card) expect(metrics).toMatchObject(card.performance);
  return metrics;
};

describe('the figures of a published strategy without rules', () => {
  test('are those of all deployments since publication, not verified and without a curve', async () => {
    const own = await authored();
    await list(hub, own.user_id, own.strategy_id);
    // One winner among losers, which a chosen deployment would hide.
    await traded(own.keygen, '1100');
    for (let count = 0; count < 3; count += 1) {
      const id = await traded(own.keygen, '50');
      await hub.call('POST /undeploy_live_strategy', {
        query: { user_id: own.user_id, deployment_id: String(id) },
      });
    }
    const card = await cardOf(own);
    // 10,000 of gain and 3 times 500 of loss over 40,000, with 10 units each.
    expect(card).toMatchObject({
      source: 'reported',
      unranked: 'not_verified',
      total_return_pct: 21.25,
      trades_count: 4,
      win_rate_pct: 25,
      cagr_pct: null,
      sharpe_ratio: null,
      max_drawdown_pct: null,
      returns_pct: [],
      sample_sufficient: false,
      mode: 'virtual',
    });
  });

  test('count a loser that is closed by hand, and at any price', async () => {
    const own = await authored();
    await list(hub, own.user_id, own.strategy_id);
    await traded(own.keygen, '110');
    expect(await cardOf(own)).toMatchObject({ total_return_pct: 1, trades_count: 1 });
    const id = await traded(own.keygen, undefined);
    const query = { user_id: own.user_id, deployment_id: String(id) };
    const { body } = await hub.call('GET /get_live_strategy_order_book', { query });
    const closing = { user_id: own.user_id, order_id: String(body.items[0].order_id), close_value: '10' };
    expect((await hub.call('POST /update_live_trade', { query: closing })).status).toBe(200);
    await enterAll(hub);
    expect(await cardOf(own)).toMatchObject({ total_return_pct: -4, trades_count: 2, win_rate_pct: 50 });
  });

  test('have no annual figures of trades that are dated before the deployment', async () => {
    const own = await authored();
    await list(hub, own.user_id, own.strategy_id);
    const since = hub.runtime.clock().toISOString();
    const at = { occurred_at: new Date(hub.runtime.clock().getTime() - 1000).toISOString() };
    await traded(own.keygen, '200', { at });
    const card = await cardOf(own);
    expect(card).toMatchObject({ cagr_pct: null, period_start: since, since });
  });

  test('leave out what was traded before publication, and go on after withdrawing and publishing again', async () => {
    const own = await authored();
    await traded(own.keygen, '1000');
    await list(hub, own.user_id, own.strategy_id);
    expect(await cardOf(own)).toMatchObject({ total_return_pct: null, trades_count: 0, source: 'reported' });
    await traded(own.keygen, '50');
    const lost = { total_return_pct: -5, trades_count: 1 };
    expect(await cardOf(own)).toMatchObject(lost);
    await setState(hub, own.user_id, own.strategy_id, 0);
    await traded(own.keygen, '50');
    const mine = { user_id: own.user_id, strategy_ids: String(own.strategy_id) };
    const owned = await hub.call('GET /get_strategies_performance_metrics', { query: mine });
    expect(owned.body.metrics[0]).toMatchObject({ source: null, trades_count: 1 });
    expect(await cardOf(own)).toBeUndefined();
    await list(hub, own.user_id, own.strategy_id);
    expect(await cardOf(own)).toMatchObject({ total_return_pct: -5, trades_count: 2, win_rate_pct: 0 });
  });

  test('never count deployments of copies', async () => {
    const own = await authored();
    await list(hub, own.user_id, own.strategy_id);
    const reader = await person(hub);
    const copied = (await copy(hub, reader.user_id, own.key)).body;
    await traded(copied.keygen, '1000');
    expect(await cardOf(own)).toMatchObject({ total_return_pct: null, trades_count: 0 });
  });

  test('have no return of capital in several currencies, and still count all trades', async () => {
    const own = await authored();
    await list(hub, own.user_id, own.strategy_id);
    await traded(own.keygen, '110');
    const id = await traded(own.keygen, '90');
    const [first] = await hub.runtime.store.getMany([keys.reportedShare(id)], { consistent: true });
    expect(first).toMatchObject({ currency: 'USD', pnl: '-100', trades: 1 });
    await hub.runtime.store.transact([{ key: keys.deployment(id), set: { currency: 'EUR', version: 99 } }]);
    await reportOrder(hub, id, { client_order_id: 'more' });
    hub.advance(1000);
    await reportOrder(hub, id, { client_order_id: 'less', side: 'sell', average_price: '90' });
    await enterAll(hub);
    expect(await cardOf(own)).toMatchObject({ trades_count: 3, total_return_pct: null });
  });
});
