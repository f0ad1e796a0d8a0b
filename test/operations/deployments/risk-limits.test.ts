import { beforeEach, describe, expect, test } from '@jest/globals';
import { deliver } from '../../support/functions/deliveries.ts';
import type { Response } from '../../support/hub.ts';
import { openHub } from '../../support/open-hub.ts';
import { bearer, outbox, signUp } from '../../support/people.ts';
import { build, furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, enterAll, report, reportOrder } from '../../support/trading.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const hub = await openHub(furnishWithInstruments);
beforeEach(() => hub.advance(1000));

interface Owner {
  readonly user_id: string;
  readonly keygen: string;
  readonly access_token: string;
}

const signedIn = async (symbol = 'AAPL,MSFT'): Promise<Owner> => {
  const { body } = await signUp(hub);
  const { user_id, access_token } = body;
  const { keygen } = (await build(hub, { user_id, symbol })).body;
  return { user_id, keygen, access_token };
};

const setLimits = (owner: Owner, json: object, id?: number): Promise<Response> =>
  hub.call('POST /set_risk_limits', {
    query: { user_id: owner.user_id, ...(id !== undefined && { deployment_id: String(id) }) },
    headers: bearer(owner.access_token),
    json,
  });

const getLimits = async ({ user_id }: Owner, id?: number): Promise<Response['body']> =>
  (
    await hub.call('GET /get_risk_limits', {
      query: { user_id, ...(id !== undefined && { deployment_id: String(id) }) },
    })
  ).body;

/** Returns a paper deployment that an engine outside runs. */
const running = async (limits: object, owner?: Owner) => {
  const by = owner ?? (await signedIn());
  const { body } = await deployTrading(hub, by.keygen);
  const id = body.deployment_id as number;
  await report(hub, 'Deployment Started', id);
  if (Object.keys(limits).length > 0) {
    expect(await setLimits(by, { limits }, id)).toMatchObject({ status: 200 });
  }
  hub.advance(1000);
  return { ...by, id };
};

const stateOf = async ({ user_id }: Owner, id: number) => {
  const { body } = await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } });
  const found = body.items.find(({ deployment_id }: Response['body']) => deployment_id === id);
  return [found.status, found.stop_reason];
};

const noticesOf = async ({ user_id }: Owner): Promise<string[]> => {
  await enterAll(hub);
  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id, size: '100' } });
  return body.items
    .map(({ kind }: Response['body']) => kind)
    .filter((kind: string) => kind.startsWith('risk_'));
};

const haltEvents = async (id: number) =>
  (await outbox(hub)).flatMap(({ message }) =>
    message?.kind === 'domain_event' &&
    message.detail_type === 'Deployment Halted' &&
    message.detail.deployment_id === id
      ? [message.detail]
      : [],
  );

const carry = async (): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    for (const { delivery_id, attempts, message } of await outbox(hub)) {
      if (message?.kind === 'risk_limits') await deliver(hub.runtime, delivery_id, attempts);
    }
  }
};

describe('setting limits', () => {
  test('needs the session of the owner, and is audited', async () => {
    const owner = await signedIn();
    const { user_id } = owner;
    const json = { limits: { daily_loss: 100 } };
    expect(await hub.call('POST /set_risk_limits', { query: { user_id }, json })).toMatchObject({
      status: 401,
      body: { code: 'session_required' },
    });
    const { id } = await running({}, owner);
    expect(await setLimits(owner, { ...json, reason: 'I sleep better.' }, id)).toMatchObject({ status: 200 });
    const { body } = await hub.call('GET /get_audit_trail', { query: { user_id } });
    expect(body.items[0]).toMatchObject({
      action: 'risk_limits_set',
      by: 'user',
      reason: 'I sleep better.',
      deployment_id: id,
    });
    const stranger = await signedIn();
    expect(await setLimits(stranger, json, id)).toMatchObject({ status: 404 });
    expect(await setLimits(owner, { ...json, account: { orders_per_day: 1 } })).toMatchObject({
      status: 422,
    });
    expect(await setLimits(owner, {})).toMatchObject({ status: 422 });
    expect(await setLimits(owner, { limits: { daily_loss: -1 } })).toMatchObject({ status: 422 });
    for (const daily_loss of [true, {}, []]) {
      expect((await setLimits(owner, { limits: { daily_loss } })).body.detail[0].msg).toBe(
        'number or string type expected',
      );
    }
  });

  test('merges levels by the strictest, carries those of the user, and removes them', async () => {
    const owner = await signedIn();
    const { id } = await running({ daily_loss: 300, orders_per_day: 9 }, owner);
    hub.takeCalls();
    await setLimits(owner, { limits: { daily_loss: 200, symbols: ['AAPL'], action: 'flatten' } });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    await carry();
    const merged = { daily_loss: 200, orders_per_day: 9, symbols: ['AAPL'], action: 'flatten' };
    expect(await getLimits(owner, id)).toMatchObject({
      user: { daily_loss: 200, symbols: ['AAPL'] },
      deployment: { daily_loss: 300, orders_per_day: 9 },
      merged,
    });
    const { body } = await deployTrading(hub, owner.keygen);
    expect((await getLimits(owner, body.deployment_id)).merged).toMatchObject({ daily_loss: 200 });
    await setLimits(owner, { limits: {} });
    await carry();
    expect((await getLimits(owner, id)).merged).toMatchObject({ daily_loss: 300, symbols: null });
    expect((await getLimits(owner, body.deployment_id)).merged).toMatchObject({ daily_loss: null });
  });
});

describe('an engine outside', () => {
  test('is warned of at 80 % of the loss, halted and told at 100 %', async () => {
    const own = await running({ daily_loss: 100, action: 'flatten' });
    await reportOrder(hub, own.id, { client_order_id: 'a', quantity: '10' });
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 92 });
    hub.advance(1000);
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 91 });
    expect(await noticesOf(own)).toEqual(['risk_warning']);
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
    expect((await getLimits(own, own.id)).usage).toEqual([
      { limit: 'daily_loss', used: 90, allowed: 100, used_pct: 90 },
    ]);
    hub.advance(1000);
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 90 });
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
    expect(await noticesOf(own)).toEqual(['risk_tripped', 'risk_warning']);
    expect(await haltEvents(own.id)).toMatchObject([{ by: 'risk_limit', flatten: true }]);
    const notices = await hub.call('GET /get_deployment_notifications', { query: { user_id: own.user_id } });
    const ofRisk = notices.body.items.filter(({ kind }: { kind: string }) => kind.startsWith('risk_'));
    expect(ofRisk.map(({ body: text }: { body: string }) => text)).toEqual([
      'A loss of 100 USD in one day reaches the risk limit of 100 USD a day. It is halted: nothing is ordered. ' +
        'Its orders are cancelled and its positions closed. To trade again, resume it with a reason.',
      'A loss of 80 USD in one day is 80 % of the risk limit of 100 USD a day.',
    ]);
    const { body } = await hub.call('GET /get_audit_trail', { query: { user_id: own.user_id } });
    expect(body.items[0]).toMatchObject({ action: 'risk_limit_tripped', by: 'risk_limit' });
    // Neither further reports nor the engine's own word lift the halt.
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 80 });
    await report(hub, 'Deployment Started', own.id);
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
    expect(await haltEvents(own.id)).toHaveLength(1);
  });

  test('goes on after a resume with a reason, with losses counted from then', async () => {
    const own = await running({ daily_loss: 100, drawdown_pct: 5 });
    await reportOrder(hub, own.id, { client_order_id: 'a', quantity: '10' });
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 85 });
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
    const query = { user_id: own.user_id, deployment_id: String(own.id) };
    expect(await hub.call('POST /resume_deployment', { query })).toMatchObject({ status: 422 });
    hub.takeCalls();
    const resumed = await hub.call('POST /resume_deployment', { query: { ...query, reason: 'A glitch.' } });
    expect(resumed).toMatchObject({ status: 200, body: { status: 'active' } });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    hub.advance(1000);
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 84 });
    hub.advance(1000);
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 75 });
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
    expect((await getLimits(own, own.id)).usage[0]).toMatchObject({ used: 90 });
    hub.advance(1000);
    await report(hub, 'Quote Marked', own.id, { symbol: 'AAPL', price: 74 });
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
  });

  test.each([
    ['open_positions', { open_positions: 1 }, { symbol: 'MSFT' }],
    ['order_value', { order_value: 150 }, { quantity: '2' }],
    ['position_value', { position_value: 150 }, {}],
    ['orders_per_day', { orders_per_day: 1 }, {}],
    ['symbols', { symbols: ['AAPL'] }, { symbol: 'MSFT' }],
    ['hours', { hours: { time_zone: 'UTC', from: '00:00', to: '00:01' } }, {}],
  ])('is halted by an entry beyond %s', async (limit, limits, second) => {
    const own = await running({});
    await reportOrder(hub, own.id, { client_order_id: 'a' });
    await setLimits(
      own,
      { limits: { ...limits, ...(limit === 'orders_per_day' && { orders_per_day: 2 }) } },
      own.id,
    );
    if (limit === 'orders_per_day') {
      await reportOrder(hub, own.id, { client_order_id: 'b' });
      await reportOrder(hub, own.id, { client_order_id: 'c' });
    }
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
    await reportOrder(hub, own.id, { client_order_id: 'z', ...second });
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
    expect((await getLimits(own, own.id)).state.tripped).toMatchObject({ limit });
  });

  test('is halted by the fill of an order beyond order_value that had no price at first', async () => {
    const own = await running({ order_value: 150 });
    const order = { client_order_id: 'a', quantity: '2' };
    const open = { ...order, status: 'open', filled_quantity: '0', average_price: null };
    await reportOrder(hub, own.id, open);
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
    await reportOrder(hub, own.id, { ...order, sequence: 2 });
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
    expect((await getLimits(own, own.id)).state.tripped).toMatchObject({ limit: 'order_value', used: 200 });
  });

  test('that goes on with entries after a halt is told again, and its owner of each, up to ten', async () => {
    const own = await running({ order_value: 150 });
    const ignored = async (): Promise<number> => {
      await enterAll(hub);
      const query = { user_id: own.user_id, size: '100' };
      const { body } = await hub.call('GET /get_deployment_notifications', { query });
      return body.items.filter(({ kind }: { kind: string }) => kind === 'hold_ignored').length;
    };
    await reportOrder(hub, own.id, { client_order_id: 'z', quantity: '2' });
    expect([await stateOf(own, own.id), await ignored()]).toEqual([['halted', 'risk_limit'], 0]);
    hub.advance(1000);
    const entry = { client_order_id: 'a', status: 'open', filled_quantity: '0', average_price: null };
    await reportOrder(hub, own.id, entry);
    await reportOrder(hub, own.id, { client_order_id: 'a', sequence: 2 });
    // Exits and refused orders are no entries.
    await reportOrder(hub, own.id, { client_order_id: 'b', side: 'sell' });
    await reportOrder(hub, own.id, { ...entry, client_order_id: 'c', status: 'rejected' });
    expect([await ignored(), await haltEvents(own.id)]).toMatchObject([1, [{}, { by: 'risk_limit' }]]);
    for (let order = 0; order < 12; order += 1) {
      await reportOrder(hub, own.id, { client_order_id: `d${order}` });
    }
    expect(await ignored()).toBe(10);
  });

  test('is never halted by an exit', async () => {
    const own = await running({});
    await reportOrder(hub, own.id, { client_order_id: 'a', quantity: '5' });
    await setLimits(own, { limits: { orders_per_day: 1, order_value: 10, symbols: ['MSFT'] } }, own.id);
    await reportOrder(hub, own.id, { client_order_id: 'b', side: 'sell', quantity: '2' });
    await reportOrder(hub, own.id, { client_order_id: 'c', side: 'sell', quantity: '3' });
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
  });

  test('counts orders by day', async () => {
    const own = await running({ orders_per_day: 2 });
    for (const day of [0, 1, 2]) {
      await reportOrder(hub, own.id, { client_order_id: `a${day}` });
      await reportOrder(hub, own.id, { client_order_id: `b${day}` });
      // Repeats do not count.
      await reportOrder(hub, own.id, { client_order_id: `b${day}` });
      hub.advance(DAY);
    }
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
  });

  test('counts a day of currencies from 17:00 in New York, as today, the curve and the weeks do', async () => {
    const own = await running({ daily_loss: 150, orders_per_day: 2 }, await signedIn('EURUSD'));
    const query = { user_id: own.user_id, deployment_id: String(own.id) };
    const order = (client_order_id: string, side = 'buy') =>
      reportOrder(hub, own.id, {
        client_order_id,
        side,
        symbol: 'EURUSD',
        quantity: '0.1',
        average_price: '1.1',
      });
    const quote = (price: number) => report(hub, 'Quote Marked', own.id, { symbol: 'EURUSD', price });
    const today = async () => {
      const { body } = await hub.call('GET /get_all_live_deployments_v2', {
        query: { user_id: own.user_id },
      });
      return body.items[0].today_pnl;
    };
    // A Sunday after the clocks of New York were put forward: 17:00 there is 21:00 UTC.
    const sunday = hub.runtime.clock().getTime();
    const daysToSunday = (7 - new Date(sunday).getUTCDay()) % 7 || 7;
    hub.advance(daysToSunday * DAY - (sunday % DAY) + 7 * DAY * 2 + 22 * 60 * MINUTE);
    const monday = new Date(hub.runtime.clock().getTime() + DAY).toISOString().slice(0, 10);
    await order('a');
    await quote(1.09);
    expect([(await getLimits(own, own.id)).state.day, await today()]).toEqual([monday, -100]);
    // Monday at 21:30 UTC is Tuesday: orders, loss and today's result begin again.
    hub.advance(DAY - 30 * MINUTE);
    const tuesday = new Date(hub.runtime.clock().getTime() + DAY).toISOString().slice(0, 10);
    await quote(1.08);
    expect(await today()).toBe(-100);
    await order('b', 'sell');
    await order('c');
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
    expect((await getLimits(own, own.id)).state).toMatchObject({ day: tuesday, orders_today: 2 });
    const { equity_curve, pnl } = (await hub.call('GET /get_deployment_performance', { query })).body;
    expect(equity_curve.slice(-2).map(({ day }: { day: string }) => day)).toEqual([monday, tuesday]);
    expect(equity_curve.at(-2).equity).toBe(9900);
    expect([pnl.by_day.at(-1).period, pnl.by_week.at(-1).period]).toEqual([tuesday, monday]);
  });

  test('counts orders that are reported much later when they arrive', async () => {
    const own = await running({ orders_per_day: 2 });
    const occurred_at = hub.runtime.clock().toISOString();
    hub.advance(2 * DAY);
    await reportOrder(hub, own.id, { client_order_id: 'a' });
    await reportOrder(hub, own.id, { client_order_id: 'b', occurred_at });
    expect(await stateOf(own, own.id)).toEqual(['active', null]);
    await reportOrder(hub, own.id, { client_order_id: 'c', occurred_at });
    expect(await stateOf(own, own.id)).toEqual(['halted', 'risk_limit']);
  });

  test('costs no further call under limits', async () => {
    const own = await running({ daily_loss: 100, orders_per_day: 5 });
    hub.takeCalls();
    await reportOrder(hub, own.id, { client_order_id: 'a' });
    expect(hub.takeCalls()).toHaveLength(2);
  });
});
