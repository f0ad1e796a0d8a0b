import { beforeEach, describe, expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, enterAll, reportOrder } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const deployed = () => deployedTrader(hub);
const book = async (user_id: string, deployment_id: number) => {
  const query = { user_id, deployment_id: String(deployment_id), size: '50' };
  return (await hub.call('GET /get_live_strategy_order_book', { query })).body.items;
};
const idOf = async (user_id: string, id: number, client_order_id: string): Promise<number> =>
  (await book(user_id, id)).find(
    (order: { client_order_id: string }) => order.client_order_id === client_order_id,
  ).order_id;
const close = (user_id: string, order_id: number, headers: Record<string, string> = {}) =>
  hub.call('POST /update_live_trade', {
    query: { user_id, order_id: String(order_id), close_value: '110' },
    headers,
  });
const held = async (user_id: string) =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0].positions[0]
    ?.quantity;
/** Returns the events that notify the engine of closings by hand, oldest first. */
const closings = async () =>
  (await outbox(hub)).flatMap(({ message }) =>
    message?.kind === 'domain_event' && message.detail_type === 'Position Closed' ? [message.detail] : [],
  );
const filled = (id: number, client_order_id: string, quantity: string, side = 'buy') => {
  hub.advance(1000);
  return reportOrder(hub, id, { client_order_id, quantity, filled_quantity: quantity, side });
};

describe('closing an order by hand', () => {
  test('closes its open quantity, and notifies the engine of the quantity', async () => {
    const { user_id, id } = await deployed();
    await filled(id, 'a', '2');
    await filled(id, 'b', '3');
    await filled(id, 'out', '4', 'sell');
    const [a, b] = [await idOf(user_id, id, 'a'), await idOf(user_id, id, 'b')];
    expect(await close(user_id, a)).toMatchObject({ status: 409, body: { code: 'position_closed' } });
    expect(await held(user_id)).toBe(1);
    hub.takeCalls();
    expect((await close(user_id, b)).status).toBe(200);
    expect(hub.takeCalls()).toHaveLength(3);
    expect(await held(user_id)).toBeUndefined();
    expect((await book(user_id, id))[0]).toMatchObject({ side: 'sell', quantity: 1, status: 'filled' });
    const mine = (await closings()).filter((detail) => detail.deployment_id === id);
    expect(mine).toMatchObject([{ closes: 'b', side: 'sell', quantity: '1', price: '110' }]);
    expect(await close(user_id, b)).toMatchObject({ status: 409, body: { code: 'position_closed' } });
  });

  test('leaves the other orders of the position open', async () => {
    const { user_id, id } = await deployed();
    await filled(id, 'a', '1');
    await filled(id, 'b', '1');
    expect((await close(user_id, await idOf(user_id, id, 'b'))).status).toBe(200);
    expect(await held(user_id)).toBe(1);
    // The fill by hand closed b, not the older a.
    expect((await close(user_id, await idOf(user_id, id, 'b'))).status).toBe(409);
    expect((await close(user_id, await idOf(user_id, id, 'a'))).status).toBe(200);
    expect(await held(user_id)).toBeUndefined();
  });

  test('closes an order again after further fills', async () => {
    const { user_id, id } = await deployed();
    const order = { client_order_id: 'a', quantity: '5' };
    await reportOrder(hub, id, { ...order, status: 'partially_filled', filled_quantity: '3' });
    const a = await idOf(user_id, id, 'a');
    expect((await close(user_id, a)).status).toBe(200);
    expect((await close(user_id, a)).status).toBe(409);
    hub.advance(1000);
    await reportOrder(hub, id, { ...order, sequence: 2, filled_quantity: '5' });
    expect(await held(user_id)).toBe(2);
    expect((await close(user_id, a)).status).toBe(200);
    expect(await held(user_id)).toBeUndefined();
    const orders = await book(user_id, id);
    expect(orders.map(({ side, quantity }: { side: string; quantity: number }) => [side, quantity])).toEqual([
      ['sell', 2],
      ['sell', 3],
      ['buy', 5],
    ]);
  });

  test('counts once, however often it is requested at the same time', async () => {
    const { user_id, id } = await deployed();
    await filled(id, 'a', '2');
    const a = await idOf(user_id, id, 'a');
    const answers = await Promise.all([1, 2, 3].map(() => close(user_id, a)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await filled(id, 'b', '2');
    const b = await idOf(user_id, id, 'b');
    const headers = { 'idempotency-key': 'close-b' };
    const [first, again] = [await close(user_id, b, headers), await close(user_id, b, headers)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(await book(user_id, id)).toHaveLength(4);
  });

  test('of a short order buys back', async () => {
    const { user_id, id } = await deployed();
    await filled(id, 'a', '1');
    await filled(id, 'turn', '3', 'sell');
    expect((await close(user_id, await idOf(user_id, id, 'a'))).status).toBe(409);
    expect((await close(user_id, await idOf(user_id, id, 'turn'))).status).toBe(200);
    expect((await book(user_id, id))[0]).toMatchObject({ side: 'buy', quantity: 2, realized_pnl: -20 });
    expect(await held(user_id)).toBeUndefined();
  });

  test.each(['virtual', 'live'])('counts in the figures of the strategy, with mode %s', async (mode) => {
    const { user_id, strategy_id, id } = await deployed();
    await hub.runtime.store.transact([{ key: keys.deployment(id), set: { mode } }]);
    const card = async (): Promise<Response['body']> => {
      await enterAll(hub);
      const query = { user_id, strategy_ids: String(strategy_id) };
      return (await hub.call('GET /get_strategies_performance_metrics', { query })).body.metrics[0];
    };
    await filled(id, 'a', '1');
    await filled(id, 'out', '1', 'sell');
    expect(await card()).toMatchObject({ mode, trades_count: 1, total_return_pct: 0 });
    await filled(id, 'b', '1');
    const query = { user_id, order_id: String(await idOf(user_id, id, 'b')), close_value: '50' };
    expect((await hub.call('POST /update_live_trade', { query })).status).toBe(200);
    expect(await card()).toMatchObject({ trades_count: 2, total_return_pct: -0.5 });
  });
});
