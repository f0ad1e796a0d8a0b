import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startHub, type TestHub } from '../../support/hub.ts';
import { deployLive, enterAll, report, reportOrder, trader, undeployLive } from '../../support/live.ts';
import { outbox } from '../../support/people.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());
beforeEach(() => hub.advance(1000));

const all = (user_id: string, more: Record<string, string> = {}) =>
  hub.call('GET /get_all_live_deployments_v2', { query: { user_id, ...more } });

describe('a paper deployment', () => {
  test('is deployed, trades by what its engine reports, and is ended by its owner', async () => {
    const { user_id, keygen, strategy_id } = await trader(hub);
    hub.takeCalls();
    const { status, body } = await deployLive(hub, keygen);
    expect([status, hub.takeCalls().length <= 3]).toEqual([200, true]);
    expect(body).toMatchObject({
      strategy_id,
      mode: 'virtual',
      status: 'requested',
      phase: 'waiting',
      starting_capital: 10_000,
      currency: 'USD',
      realized_pnl: 0,
      unrealized_pnl: 0,
      positions: [],
    });
    const told = (await outbox(hub)).map(({ message }) => message).filter((m) => m?.kind === 'domain_event');
    expect(told.at(-1)).toMatchObject({
      detail_type: 'Deployment Requested',
      detail: { deployment_id: body.deployment_id, kind: 'live', mode: 'virtual', starting_capital: '10000' },
    });
    expect(JSON.stringify(told)).not.toContain(user_id);
    const id = body.deployment_id as number;
    await report(hub, 'Deployment Started', id);
    hub.advance(1000);
    hub.takeCalls();
    await reportOrder(hub, id, { client_order_id: 'a', quantity: '10', filled_quantity: '10', fees: '1' });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    await report(hub, 'Quote Marked', id, { symbol: 'AAPL', price: 104.5 });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect((await all(user_id)).body.items).toMatchObject([
      {
        status: 'active',
        phase: 'entered',
        realized_pnl: -1,
        unrealized_pnl: 45,
        total_pnl: 44,
        fees: 1,
        positions: [{ symbol: 'AAPL', side: 'long', quantity: 10, average_price: 100, last_price: 104.5 }],
      },
    ]);
    hub.advance(1000);
    await reportOrder(hub, id, {
      client_order_id: 'b',
      side: 'sell',
      order_type: 'limit',
      quantity: '10',
      filled_quantity: '10',
      average_price: '105',
      expected_price: '105.1',
      fees: '1',
    });
    hub.takeCalls();
    expect(await enterAll(hub)).toBe(3);
    const { body: list } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
    expect(list.items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'cycle_completed',
      'target_hit',
      'entry_filled',
      'deployment_started',
    ]);
    hub.takeCalls();
    expect((await undeployLive(hub, user_id, id)).body).toMatchObject({
      status: 'stopped',
      stop_reason: 'user',
    });
    expect(hub.takeCalls().length).toBe(3);
    expect((await all(user_id)).body).toMatchObject({ total: 0, items: [] });
  });
});
