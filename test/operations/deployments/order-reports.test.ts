import { beforeEach, describe, expect, test } from '@jest/globals';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, enterAll, report, reportOrder, undeployTrading } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

const deployed = () => deployedTrader(hub);

const orderOf = async (user_id: string, deployment_id: number) => {
  const query = { user_id, deployment_id: String(deployment_id) };
  return (await hub.call('GET /get_live_strategy_order_book', { query })).body.items[0];
};

const notifications = async (user_id: string) => {
  while ((await enterAll(hub)) > 0);
  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id } });
  return body.items;
};

const order = { client_order_id: 'in', quantity: '10' };
const nothing = { filled_quantity: '0', average_price: null };
const part = { filled_quantity: '3', average_price: '100' };

describe('an order that is cancelled', () => {
  test('after a partial fill is notified with the filled quantity', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, ...part, status: 'partially_filled' });
    await reportOrder(hub, id, { ...order, ...part, sequence: 2, status: 'cancelled' });
    expect(await notifications(user_id)).toMatchObject([
      {
        kind: 'entry_filled',
        title: 'Entry filled in part: AAPL',
        body: 'Bought 3 of 10 AAPL at 100. The rest of the order was cancelled.',
        data: { quantity: '3', ordered_quantity: '10' },
      },
    ]);
  });

  test('and closes part of a position is notified as a partial exit', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, filled_quantity: '10' });
    await notifications(user_id);
    hub.advance(1000);
    const out = { client_order_id: 'out', side: 'sell', quantity: '10' };
    await reportOrder(hub, id, { ...out, ...part, status: 'expired' });
    expect(await notifications(user_id)).toMatchObject([
      { kind: 'exit_filled', body: 'Sold 3 of 10 AAPL at 100. The rest of the order was expired.' },
      { kind: 'entry_filled' },
    ]);
  });

  test('and turns out to be partially filled is notified again, once', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, ...nothing, status: 'cancelled' });
    for (let times = 0; times < 2; times += 1) {
      hub.advance(1000);
      await reportOrder(hub, id, { ...order, ...part, sequence: 2, status: 'cancelled' });
    }
    expect(await notifications(user_id)).toMatchObject([
      { kind: 'entry_filled', data: { quantity: '3' } },
      { kind: 'entry_cancelled' },
    ]);
  });

  test('and filled completely counts as filled, and is notified as such', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, ...nothing, sequence: 5, status: 'cancelled' });
    hub.advance(1000);
    await reportOrder(hub, id, { ...order, filled_quantity: '10', sequence: 6 });
    expect(await orderOf(user_id, id)).toMatchObject({ status: 'filled', filled_quantity: 10 });
    expect(await notifications(user_id)).toMatchObject([
      { kind: 'entry_filled' },
      { kind: 'entry_cancelled' },
    ]);
  });

  test('after it was filled stays filled, without a notification', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, filled_quantity: '10', sequence: 6 });
    hub.advance(1000);
    for (const sequence of [5, 7]) {
      const filled_quantity = sequence === 5 ? '9' : '10';
      await reportOrder(hub, id, { ...order, filled_quantity, sequence, status: 'cancelled' });
    }
    expect(await orderOf(user_id, id)).toMatchObject({ status: 'filled', cancelled_at: null });
    expect(await notifications(user_id)).toMatchObject([{ kind: 'entry_filled' }]);
  });
});

describe('an order of an engine outside', () => {
  test('that closes a position and opens the opposite one is named so, with a warning if it closed at a loss', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, filled_quantity: '10', average_price: '100' });
    hub.advance(1000);
    const turn = { client_order_id: 'turn', side: 'sell', quantity: '15', filled_quantity: '15' };
    await reportOrder(hub, id, { ...turn, average_price: '90', order_type: 'stop' });
    hub.advance(1000);
    const back = { client_order_id: 'back', side: 'buy', quantity: '8', filled_quantity: '8' };
    await reportOrder(hub, id, { ...back, average_price: '80' });
    expect(await notifications(user_id)).toMatchObject([
      { kind: 'entry_filled', severity: 'success', title: 'Position reversed: AAPL' },
      {
        kind: 'entry_filled',
        severity: 'warning',
        title: 'Position reversed: AAPL',
        body: 'Sold 15 AAPL at 90.',
      },
      { kind: 'entry_filled', severity: 'success', title: 'Entry filled: AAPL' },
    ]);
  });

  test('whose fill is taken back is no cancelled entry', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, filled_quantity: '10', average_price: '100' });
    hub.advance(1000);
    const out = { client_order_id: 'out', side: 'sell', quantity: '10' };
    await reportOrder(hub, id, { ...out, filled_quantity: '10', average_price: '101' });
    hub.advance(1000);
    await reportOrder(hub, id, { ...out, ...nothing, sequence: 2, status: 'cancelled' });
    expect((await notifications(user_id))[0]).toMatchObject({
      kind: 'order_unknown',
      severity: 'warning',
      title: 'Fill taken back: AAPL',
      body: 'The broker took back the fill of 10 AAPL. The order was cancelled.',
    });
  });
});

describe('a report', () => {
  test('that contradicts another one with its sequence changes nothing', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...order, ...nothing, status: 'open', stop_loss: '90' });
    await reportOrder(hub, id, { ...order, ...part, sequence: 2, status: 'partially_filled', fees: '1' });
    const before = await orderOf(user_id, id);
    hub.takeCalls();
    await reportOrder(hub, id, { ...order, ...nothing, status: 'rejected' });
    await reportOrder(hub, id, { ...order, filled_quantity: '10', sequence: 2, fees: '9' });
    expect(hub.takeCalls()).toEqual(['BatchGetItem', 'BatchGetItem']);
    expect(await orderOf(user_id, id)).toEqual(before);
  });

  test('has a sequence of at most 2^63 - 1', async () => {
    const { user_id, id } = await deployed();
    const at = (sequence: string | number, filled_quantity: string) =>
      reportOrder(hub, id, { ...order, status: 'partially_filled', sequence, filled_quantity });
    await at('9223372036854775807', '5');
    await at('9223372036854775806', '4');
    await at(7, '1');
    expect(await orderOf(user_id, id)).toMatchObject({ filled_quantity: 5 });
    await expect(at('9223372036854775808', '6')).rejects.toThrow('detail.sequence: must be an integer');
    await expect(at(2 ** 60, '6')).rejects.toThrow('detail.sequence: must be an integer');
  });

  test('of a filled order without a fill is refused', async () => {
    const { user_id, id } = await deployed();
    await expect(reportOrder(hub, id, { ...order, ...nothing, status: 'filled' })).rejects.toThrow(
      'detail.filled_quantity: must be positive if the status is filled',
    );
    expect(await orderOf(user_id, id)).toBeUndefined();
  });

  test('of a start after the end does not set the time of the start', async () => {
    const { user_id, id } = await deployed();
    const at = (ms: number) => ({ occurred_at: new Date(hub.runtime.clock().getTime() + ms).toISOString() });
    const expired = async () =>
      (await hub.call('GET /get_live_expired_strategies_v2', { query: { user_id } })).body.items[0];
    const [late, first, end] = [at(3000), at(1000), at(2000)];
    hub.advance(5000);
    // In either order, a start after the end does not count.
    await report(hub, 'Deployment Started', id, late);
    await report(hub, 'Deployment Stopped', id, { ...end, stop_reason: 'completed' });
    expect(await expired()).toMatchObject({ started_at: null, stopped_at: end.occurred_at });
    await report(hub, 'Deployment Started', id, at(0));
    expect((await expired()).started_at).toBeNull();
    // A late report of a start before the end counts.
    await report(hub, 'Deployment Started', id, first);
    expect((await expired()).started_at).toBe(first.occurred_at);
  });

  test('of a start after the owner has ended the deployment changes nothing', async () => {
    const { user_id, id } = await deployed();
    await undeployTrading(hub, user_id, id);
    hub.advance(1000);
    await report(hub, 'Deployment Started', id);
    const { body } = await hub.call('GET /get_live_expired_strategies_v2', { query: { user_id } });
    expect(body.items).toMatchObject([{ status: 'stopped', started_at: null }]);
  });
});

describe('a fill', () => {
  test('of an engine that adds doubles is whole, and leaves no dust', async () => {
    const { user_id, id } = await deployed();
    let filled = 0;
    for (const sequence of [1, 2, 3]) {
      filled += 0.1;
      const status = sequence === 3 ? 'filled' : 'partially_filled';
      const fill = { filled_quantity: filled, average_price: 100 / 3, fees: 0.1 + 0.2 };
      await reportOrder(hub, id, { client_order_id: 'in', quantity: 0.3, sequence, status, ...fill });
    }
    expect(await orderOf(user_id, id)).toMatchObject({
      status: 'filled',
      filled_quantity: 0.3,
      average_price: 33.3333333333333,
      fees: 0.3,
    });
    hub.advance(1000);
    await reportOrder(hub, id, { client_order_id: 'out', side: 'sell', quantity: 0.1 + 0.2 });
    expect(await notifications(user_id)).toMatchObject([
      { kind: 'cycle_completed' },
      { kind: 'exit_filled' },
      { kind: 'entry_filled', body: 'Bought 0.3 AAPL at 33.3333333333333.' },
    ]);
  });

  test('is booked at the digits of a text, which people read at 15', async () => {
    const { user_id, id } = await deployed();
    const fill = { quantity: '0.30000000000000004', average_price: '33.333333333333333333' };
    await reportOrder(hub, id, { client_order_id: 'in', ...fill });
    expect(await orderOf(user_id, id)).toMatchObject({
      quantity: 0.3,
      average_price: 33.3333333333333,
      status_message: null,
    });
    expect(await notifications(user_id)).toMatchObject([
      {
        body: 'Bought 0.3 AAPL at 33.3333333333333.',
        data: { quantity: '0.30000000000000004', price: '33.333333333333333333' },
      },
    ]);
  });

  test('with more decimals than are kept is rounded, and its message says so', async () => {
    const { user_id, id } = await deployed();
    const sent = { quantity: '2e-05', fees: '1.05E-6', average_price: '0.12345678901234567890123' };
    await reportOrder(hub, id, { client_order_id: 'in', ...sent, status_message: 'Done.' });
    expect(await orderOf(user_id, id)).toMatchObject({
      status: 'filled',
      filled_quantity: 0.00002,
      average_price: 0.123456789012346,
      status_message: 'Done. Rounded to 18 decimals: average_price.',
    });
  });

  test('at a time in any offset counts at its moment', async () => {
    const { user_id, id } = await deployed();
    const now = hub.runtime.clock().getTime();
    const occurred_at = new Date(now + 5.5 * 3_600_000).toISOString().replace('Z', '+0530');
    await reportOrder(hub, id, { client_order_id: 'in', occurred_at });
    expect(await orderOf(user_id, id)).toMatchObject({ updated_at: new Date(now).toISOString() });
  });

  test.each<[string, unknown, string | null]>([
    ['too long', `<html>${'x'.repeat(1200)}`, `<html>${'x'.repeat(993)}…`],
    ['of many lines', 'Rejected:\r\n\tno \u202emargin\u0000', 'Rejected: no margin'],
    ['without a visible character', ' \u200b\n', null],
    ['no text', { code: 5 }, '{"code":5}'],
    ['half a character', `a${'\ud83d'}b`, 'a b'],
  ])('is booked with a message that is %s', async (_, status_message, shown) => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { client_order_id: 'in', status_message });
    expect(await orderOf(user_id, id)).toMatchObject({ status: 'filled', status_message: shown });
  });
});

test('an error of an engine is one with any message', async () => {
  const { user_id, id } = await deployed();
  await report(hub, 'Deployment Error', id, { message: `Traceback:\n  ${'x'.repeat(9000)}` });
  expect((await notifications(user_id))[0]).toMatchObject({
    kind: 'deployment_error',
    body: `Traceback: ${'x'.repeat(488)}…`,
  });
  hub.advance(1000);
  await report(hub, 'Deployment Started', id);
  hub.advance(1000);
  await report(hub, 'Deployment Error', id);
  expect((await notifications(user_id))[0]).toMatchObject({ kind: 'deployment_error', body: 'No message.' });
});

describe('an exit', () => {
  const out = { client_order_id: 'out', side: 'sell', quantity: '10' };

  test.each([
    ['a limit order with a profit is a target', { order_type: 'limit', average_price: '105' }, 'target_hit'],
    [
      'a limit order with a loss is a plain exit',
      { order_type: 'limit', average_price: '90' },
      'exit_filled',
    ],
    ['a stop order with a loss is a stop', { order_type: 'stop', average_price: '95' }, 'stop_loss_hit'],
    [
      'a stop order with a profit is a plain exit',
      { order_type: 'stop', average_price: '120' },
      'exit_filled',
    ],
    [
      'a stop-limit order at cost is a plain exit',
      { order_type: 'stop_limit', average_price: '100' },
      'exit_filled',
    ],
    ['a market order is a plain exit', { average_price: '95' }, 'exit_filled'],
    ['a market order beyond its stop is a stop', { average_price: '94.9', stop_loss: '95' }, 'stop_loss_hit'],
    [
      'a market order before its stop is a plain exit',
      { average_price: '95.1', stop_loss: '95' },
      'exit_filled',
    ],
    ['a market order at its target is a target', { average_price: '110', take_profit: '110' }, 'target_hit'],
  ])('by %s', async (_, detail, kind) => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, order);
    hub.advance(1000);
    await reportOrder(hub, id, { ...out, ...detail });
    const severity = Number(detail.average_price) < 100 ? 'warning' : 'success';
    const found = await notifications(user_id);
    expect(found.slice(0, 2)).toMatchObject([{ kind: 'cycle_completed' }, { kind, severity }]);
  });

  test('of a short is judged by its own side', async () => {
    const { user_id, id } = await deployed();
    await reportOrder(hub, id, { ...out, client_order_id: 'in' });
    hub.advance(1000);
    await reportOrder(hub, id, {
      ...order,
      client_order_id: 'out',
      order_type: 'stop',
      average_price: '104',
      stop_loss: '103',
    });
    expect((await notifications(user_id))[1]).toMatchObject({ kind: 'stop_loss_hit', severity: 'warning' });
  });

  test('of the time of the next entry closes its own trade, whatever their ids', async () => {
    for (const [exit, entry] of [
      ['z', 'a'],
      ['a', 'z'],
    ] as const) {
      const { user_id, id } = await deployed();
      await reportOrder(hub, id, { ...order, average_price: '90' });
      hub.advance(1000);
      await reportOrder(hub, id, { ...out, client_order_id: exit });
      await reportOrder(hub, id, { ...order, client_order_id: entry, average_price: '101' });
      const kinds = (await notifications(user_id)).map(({ kind }: { kind: string }) => kind);
      expect(kinds.sort()).toEqual(['cycle_completed', 'entry_filled', 'entry_filled', 'exit_filled']);
      const query = { user_id, deployment_id: String(id) };
      const { body } = await hub.call('GET /get_deployment_trades', { query });
      expect(body.items).toMatchObject([
        { entry_price: 90, exit_price: 100, net_pnl: 100, client_order_id: exit },
      ]);
      const { items } = (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body;
      expect(items[0].positions).toMatchObject([{ quantity: 10, average_price: 101 }]);
    }
  });
});
