import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { readTotals } from '../../../shared/data/users/risk-totals.ts';
import { type BarColumns, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { SIGNAL_RULES } from '../../../shared/domain/engine/running/signal-rules.ts';
import { carryUserLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { deliver } from '../../support/functions/deliveries.ts';
import { type Response, startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, setupOf } from '../../support/hub-deployments.ts';
import { serveEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { barsUpTo, liveDeployed, startBus, TestBroker } from '../../support/live-deployments.ts';
import { Life, MortalStore } from '../../support/mortal-work.ts';
import { bearer, loginSteppedUp, outbox } from '../../support/people.ts';
import { randomBars } from '../../support/random-bars.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll, reportOrder } from '../../support/trading.ts';
import type { Upstream } from '../../support/upstream.ts';

const WARM = 40;
const DAY = 86_400_000;
const MINUTE = 60_000;
const SETUP = setupOf(SIGNAL_RULES);
const environment = { ...process.env };

let bus: Upstream;
let hub: TestHub;
let bars: BarColumns;
let price: number;

beforeAll(async () => {
  bus = await startBus();
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
beforeEach(async () => {
  bars = barsUpTo(hub, randomBars(7, 100), WARM - 1);
  price = bars.close[WARM - 1] ?? 0;
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(bars, 0, WARM));
});
afterAll(async () => {
  process.env = environment;
  await hub.close();
  await bus.close();
});

type Json = Readonly<Record<string, unknown>>;

/** Carries changed limits to the running deployments, as the outbox does. */
const carry = async (): Promise<void> => {
  for (;;) {
    const due = (await outbox(hub)).filter(({ message }) => message?.kind === 'risk_limits');
    if (due.length === 0) return;
    for (const { delivery_id, attempts } of due) await deliver(hub.runtime, delivery_id, attempts);
  }
};

/** Makes deployments with real orders by signals, of one user. */
const traders = async (count: number, workers: readonly Worker[] = [worker(hub), worker(hub)]) => {
  const owner = await signedTrader(hub, 'BTCUSD');
  const { user_id, headers } = owner;
  const trader = { ...owner, user_key: '', strategy_name: '' };
  const broker = new TestBroker(hub, bus, workers);
  broker.price = price;
  const each = { daily_loss: '1000000', order_value: '1000000' };
  await hub.call('POST /set_risk_limits', { query: { user_id }, headers, json: { limits: each } });
  const tokens = new Map<number, string>();
  for (let index = 0; index < count; index += 1) {
    const id = await liveDeployed(hub, trader, SETUP);
    await hub.runtime.store.transact([{ key: keys.deployment(id), set: { engine: 'signals' } }]);
    await carryUserLimits(hub.runtime, id, user_id);
    await startEngine(worker(hub), id);
    const query = { user_id, deployment_id: String(id) };
    const { body } = await hub.call('POST /create_signal_hook', {
      query,
      headers,
      form: { max_quantity: '50' },
    });
    tokens.set(id, body.url.slice(body.url.lastIndexOf('/') + 1));
  }
  const limit = async (all: Json): Promise<Response> => {
    const answer = await hub.call('POST /set_risk_limits', { query: { user_id }, headers, json: { all } });
    await carry();
    return answer;
  };
  let sent = 0;
  const post = (id: number, json: Json): Promise<Response> => {
    sent += 1;
    const alert = { id: `${id} ${sent}`, time: hub.runtime.clock().toISOString(), ...json };
    return hub.call('POST /hooks/{token}', { params: { token: tokens.get(id) ?? '' }, json: alert });
  };
  const send = async (id: number, json: Json): Promise<Response> => {
    const answer = await post(id, json);
    await broker.settle();
    return answer;
  };
  const ids = [...tokens.keys()];
  const all = async () =>
    (await findDeployments(hub.runtime.store, ids)).flatMap((one) => (one.kind === 'live' ? [one] : []));
  const positions = async (): Promise<number[]> =>
    (await all()).map(({ ledger }) =>
      Number(unpackLedger(ledger).head.symbols.BTCUSD?.position?.quantity ?? 0),
    );
  const shown = async (): Promise<Response['body']> =>
    (await hub.call('GET /get_risk_limits', { query: { user_id } })).body.all;
  const totals = () => readTotals(hub.runtime.store, user_id);
  /** Signs in again after days, which end a session. */
  const renew = async (): Promise<void> => {
    Object.assign(headers, bearer((await loginSteppedUp(hub, owner.email)).body.access_token));
  };
  return { ...owner, ids, broker, limit, post, send, all, positions, shown, totals, renew };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

interface AlertsStep {
  readonly kind: 'alerts';
  readonly alerts: readonly { readonly at: number; readonly action: string; readonly quantity: number }[];
  /** Calls after which the process that serves the alerts dies. */
  readonly calls: number;
  readonly isAfter: boolean;
}

interface EndStep {
  readonly kind: 'end';
  readonly place: number;
  readonly status: string;
}

const stepArbitrary: fc.Arbitrary<AlertsStep | EndStep> = fc.oneof(
  fc.record({
    kind: fc.constant('alerts' as const),
    alerts: fc.array(
      fc.record({
        at: fc.nat(2),
        action: fc.constantFrom('buy', 'sell', 'exit'),
        quantity: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    calls: fc.integer({ min: 1, max: 40 }),
    isAfter: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('end' as const),
    place: fc.nat(9),
    status: fc.constantFrom('filled', 'rejected', 'cancelled', 'expired', 'partially_filled'),
  }),
);

describe('limits over all deployments', () => {
  test('hold together: exposure, and orders of a day', async () => {
    const { ids, broker, limit, send, positions, shown } = await traders(2);
    const [one = 0, other = 0] = ids;
    expect((await limit({ exposure: String(price * 5), orders_per_day: 4 })).status).toBe(200);
    await send(one, { action: 'buy', quantity: 3 });
    expect((await send(other, { action: 'buy', quantity: 3 })).body.code).toBe('risk_limit');
    await broker.fillAll();
    expect(await shown()).toMatchObject({ is_counting: true, currency: 'USD', exposure: price * 5 });
    expect((await send(other, { action: 'sell', quantity: 2 })).status).toBe(200);
    await broker.fillAll();
    expect(await positions()).toEqual([3, -2]);
    // An exit counts, and is never refused.
    await send(one, { action: 'exit' });
    await broker.fillAll();
    await send(one, { action: 'buy', quantity: 1 });
    await broker.fillAll();
    const refused = await send(other, { action: 'sell', quantity: 1 });
    expect(refused.body.detail).toContain('5 orders in one day over all deployments exceed the limit of 4');
    await send(other, { action: 'exit' });
    await broker.fillAll();
    expect(await positions()).toEqual([1, 0]);
    hub.advance(DAY);
    expect((await send(other, { action: 'buy', quantity: 1 })).status).toBe(200);
  });

  test('give back what is rejected, cancelled or expires', async () => {
    const { ids, broker, limit, send, totals } = await traders(2);
    const [one = 0, other = 0] = ids;
    await limit({ exposure: String(price * 5) });
    for (const status of ['rejected', 'cancelled', 'expired']) {
      await send(one, { action: 'buy', quantity: 4 });
      expect((await send(other, { action: 'buy', quantity: 2 })).body.code).toBe('risk_limit');
      expect(Number((await totals())?.exposure)).toBeCloseTo(price * 4, 9);
      const [working] = broker.working;
      await broker.report(working?.key ?? '', status);
      expect(await totals()).toMatchObject({ exposure: '0' });
    }
  });

  test('a loss of the day stops all deployments, and no entry leaves from then on', async () => {
    const { ids, broker, limit, send, all, shown, user_id, headers, renew } = await traders(3);
    const [one = 0, other = 0] = ids;
    await limit({ daily_loss: String(price * 2), action: 'flatten' });
    await send(one, { action: 'buy', quantity: 10 });
    await send(other, { action: 'buy', quantity: 10 });
    await broker.fillAll();
    const close = price * 0.89;
    const bar = sliceBars(bars, WARM, WARM + 1);
    const ofBar = { open: price, high: price, low: close, close };
    const fallen = Object.fromEntries(
      Object.entries(ofBar).map(([field, value]) => [field, new Float64Array([value])]),
    );
    await broker.feed({ ...bar, ...fallen });
    await renew();
    expect((await shown()).tripped).toMatchObject({ limit: 'daily_loss', allowed: price * 2 });
    // Before the deployments are stopped, nothing more enters.
    expect((await send(ids[2] ?? 0, { action: 'buy', quantity: 1 })).body.code).toBe('risk_limit');
    await carry();
    await broker.settle();
    expect((await all()).map(({ status }) => status)).toEqual(['halted', 'halted', 'halted']);
    await broker.fillAll();
    expect(broker.position).toBe(0);
    await enterAll(hub);
    const query = { user_id, deployment_id: String(one), reason: 'Again.' };
    const resume = () => hub.call('POST /resume_deployment', { query, headers });
    expect(await resume()).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    await limit({ daily_loss: String(price * 2) });
    expect((await shown()).tripped).toBeNull();
    expect((await resume()).status).toBe(200);
    expect((await send(one, { action: 'buy', quantity: 1 })).status).toBe(200);
    await broker.fillAll();
  });

  test('a loss of the day before does not count', async () => {
    const { ids, broker, limit, send, shown } = await traders(1);
    const [one = 0] = ids;
    await limit({ daily_loss: String(price * 5) });
    await send(one, { action: 'buy', quantity: 10 });
    await broker.fillAll();
    const fall = async (index: number, part: number): Promise<void> => {
      const close = broker.price * part;
      const ofBar = { open: broker.price, high: broker.price, low: close, close };
      const fields = Object.entries(ofBar).map(([field, value]) => [field, new Float64Array([value])]);
      await broker.feed({ ...sliceBars(bars, index, index + 1), ...Object.fromEntries(fields) });
    };
    await fall(WARM, 0.9);
    const lost = (await shown()).usage[0].used;
    await fall(WARM + 1, 0.9);
    const { usage, tripped } = await shown();
    expect([lost > 0, tripped]).toEqual([true, null]);
    expect(usage[0].used).toBeLessThanOrEqual(price * 0.9 + 0.01);
  });

  test('wait until each running deployment is counted, and end without a trace', async () => {
    const { ids, broker, send, user_id, headers, totals, all } = await traders(2);
    const [one = 0, other = 0] = ids;
    await send(one, { action: 'buy', quantity: 4 });
    await broker.fillAll();
    const json = { all: { exposure: String(price * 5) } };
    await hub.call('POST /set_risk_limits', { query: { user_id }, headers, json });
    await carryUserLimits(hub.runtime, other, user_id);
    expect((await send(other, { action: 'buy', quantity: 1 })).body.detail).toContain('are being set up');
    await carry();
    expect(Number((await totals())?.exposure)).toBeCloseTo(price * 4, 9);
    expect((await send(other, { action: 'buy', quantity: 2 })).body.code).toBe('risk_limit');
    await hub.call('POST /set_risk_limits', { query: { user_id }, headers, json: { all: {} } });
    await carry();
    expect(await totals()).toBeUndefined();
    expect((await all()).map(({ overall, limits }) => [overall, limits?.all])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect((await send(other, { action: 'buy', quantity: 2 })).status).toBe(200);
    await broker.fillAll();
  });

  test('raising, ending or re-arming them needs a step-up, lowering does not', async () => {
    const { user_id, headers, totals } = await traders(1);
    const set = (all: Json) =>
      hub.call('POST /set_risk_limits', { query: { user_id }, headers, json: { all } });
    await set({ exposure: '500', daily_loss: '100' });
    const user = keys.user(user_id);
    const [item] = await hub.runtime.store.getMany([user], { consistent: true });
    const sessions = Object.entries(Object(item?.sessions)).map(([sid, session]) => [
      sid,
      { ...Object(session), stepped_up_at: 0 },
    ]);
    await hub.runtime.store.transact([{ key: user, set: { sessions: Object.fromEntries(sessions) } }]);
    const refused = { status: 403, body: { code: 'step_up_required' } };
    expect(await set({ exposure: '501', daily_loss: '100' })).toMatchObject(refused);
    expect(await set({ exposure: '500' })).toMatchObject(refused);
    expect(await set({})).toMatchObject(refused);
    expect(await set({ exposure: '500', daily_loss: '100', currency: 'EUR' })).toMatchObject(refused);
    expect((await set({ exposure: '400', daily_loss: '100', orders_per_day: 9 })).status).toBe(200);
    const known = await totals();
    const tripped = { limit: 'daily_loss', at: hub.runtime.clock().toISOString(), used: '1', allowed: '1' };
    await hub.runtime.store.transact([{ key: keys.riskTotals(user_id), set: { ...known, tripped } }]);
    expect(await set({ exposure: '300', daily_loss: '100', orders_per_day: 9 })).toMatchObject(refused);
  });

  test.each([
    { limits: {}, all: {} },
    {},
    { all: { exposure: '0' } },
    { all: { exposure: '5', currency: 'XXY' } },
    { all: { position_value: '5' } },
  ])('are refused: %j', async (json) => {
    const owner = await signedTrader(hub, 'BTCUSD');
    const query = { user_id: owner.user_id };
    expect((await hub.call('POST /set_risk_limits', { query, headers: owner.headers, json })).status).toBe(
      422,
    );
  });

  test('an engine outside that exceeds them is halted', async () => {
    const { ids, limit, all, broker } = await traders(1);
    const [id = 0] = ids;
    await limit({ exposure: '1000' });
    const set = { engine: undefined, execution: undefined };
    await hub.runtime.store.transact([{ key: keys.deployment(id), set }]);
    const order = { symbol: 'BTCUSD', client_order_id: 'x1', quantity: '20', filled_quantity: '20' };
    await reportOrder(hub, id, { ...order, average_price: '49' });
    expect((await all())[0]?.status).toBe('active');
    await reportOrder(hub, id, { ...order, client_order_id: 'x2', quantity: '1', filled_quantity: '1' });
    expect((await all())[0]?.status).toBe('halted');
    expect(broker.working).toEqual([]);
  });

  test.each(['the switch is thrown', 'the limit is reached'])(
    'no entry of several deployments leaves once %s, whatever is on its way',
    async (stop) => {
      const on = await traders(3);
      const { ids, broker, limit, post, user_id, headers, totals } = on;
      await limit({ exposure: String(price * 1000), daily_loss: '100' });
      const stopAll = async (): Promise<void> => {
        if (stop === 'the switch is thrown') {
          await switchOwn(hub, { user_id, headers }, 'throw');
          return;
        }
        const known = await totals();
        const tripped = {
          limit: 'daily_loss',
          at: hub.runtime.clock().toISOString(),
          used: '100',
          allowed: '100',
        };
        const set = { ...known, tripped, rev: (known?.rev ?? 0) + 1 };
        await hub.runtime.store.transact([{ key: keys.riskTotals(user_id), set }]);
      };
      await broker.settle();
      const buy = (id: number) => post(id, { action: 'buy', quantity: 1 });
      // Some are taken before, and booked or not; their requests wait for the lane.
      await Promise.all(ids.map(buy));
      await Promise.all(ids.map((id) => serveEngine(worker(hub), id)));
      await Promise.all([stopAll(), ...ids.map(buy)]);
      broker.receive();
      const left = broker.orders.size;
      const late = await Promise.all(ids.map(buy));
      expect(late.map(({ status }) => status)).toEqual([409, 409, 409]);
      await broker.settle();
      expect(broker.orders.size).toBe(left);
      expect(left).toBe(0);
      const orders = (await Promise.all(ids.map((id) => findAllOrders(hub.runtime.store, id)))).flat();
      expect(orders.length).toBeGreaterThan(0);
      expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['cancelled']));
      if (stop === 'the limit is reached') expect(Number((await totals())?.exposure)).toBe(0);
    },
  );

  test('are exact under parallel orders, crashes and every end of an order', async () => {
    const on = await traders(3, [worker(hub), worker(hub)]);
    const { ids, broker, limit, post, all, totals, shown } = on;
    const most = 10;
    await limit({ exposure: String(price * most) });
    /** Serves in a process that dies, then as others go on. */
    const settle = async (life: Life): Promise<void> => {
      const mortal = worker(hub, { store: new MortalStore(hub.runtime.store, life) });
      await Promise.allSettled(ids.map((id) => serveEngine(mortal, id)));
      await Promise.all(ids.map((id) => serveEngine(worker(hub), id)));
      await broker.settle();
    };
    const unitsAtRisk = (): number => {
      const held = new Map<number, number>();
      const working = new Map<number, number>();
      for (const { deployment_id: id, side, quantity, filled, isOver, type } of broker.orders.values()) {
        held.set(id, (held.get(id) ?? 0) + (side === 'buy' ? filled : -filled));
        const isEntry = type === 'Order Requested' && !isOver;
        if (isEntry) working.set(id, (working.get(id) ?? 0) + Number(quantity) - filled);
      }
      return sum([...held.values()].map(Math.abs)) + sum([...working.values()]);
    };
    const check = async (): Promise<void> => {
      expect(unitsAtRisk()).toBeLessThanOrEqual(most);
      const shares = (await all()).map(({ overall }) => Number(overall?.exposure ?? 0));
      expect(Number((await totals())?.exposure)).toBeCloseTo(sum(shares), 6);
    };
    let isReached = false;
    const perform = {
      alerts: async ({ alerts, calls, isAfter }: AlertsStep): Promise<void> => {
        const answers = await Promise.all(
          alerts.map(({ at, action, quantity }) => post(ids[at] ?? 0, { action, quantity })),
        );
        isReached ||= answers.some(({ status, text }) => status === 409 && text.includes('exposure'));
        await settle(new Life(calls, isAfter));
      },
      end: async ({ place, status }: EndStep): Promise<void> => {
        const { working } = broker;
        const order = working[place % Math.max(1, working.length)];
        if (!order) return;
        const known = broker.orders.get(order.key);
        const left = Number(order.quantity) - (known?.filled ?? 0);
        const fill = status === 'filled' ? left : status === 'rejected' ? 0 : Math.floor(left / 2);
        if (status === 'partially_filled' && fill === 0) return;
        await broker.report(order.key, status, fill);
      },
    } as const;
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 4, maxLength: 10 }), async (steps) => {
        for (const step of steps) {
          if (step.kind === 'alerts') await perform.alerts(step);
          else await perform.end(step);
          await check();
          hub.advance(10_000);
        }
        // An address takes 30 signals a minute.
        hub.advance(MINUTE);
        const exits = await Promise.all(ids.map((id) => post(id, { action: 'exit' })));
        expect(exits.map(({ status, body }) => status === 200 || body.code === 'position_closed')).toEqual([
          true,
          true,
          true,
        ]);
        await broker.settle();
        await broker.fillAll();
        await check();
        expect(unitsAtRisk()).toBe(0);
        expect(Number((await shown()).usage[0].used)).toBe(0);
      }),
      { numRuns: soakable(4, 20), endOnFailure: true },
    );
    expect(isReached).toBe(true);
  });
});
