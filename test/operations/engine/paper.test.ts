import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { findTradeRange } from '../../../shared/data/books/trades.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { closedUntil, readCandles } from '../../../shared/data/candles/read-candles.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import { SERIES_UNSETTLED } from '../../../shared/data/engine/events.ts';
import { findPrograms } from '../../../shared/data/engine/programs.ts';
import { completeDelivery } from '../../../shared/data/outbox/deliveries.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { marketTimeOf } from '../../../shared/domain/engine/market-time.ts';
import { canonicalRules } from '../../../shared/domain/engine/rules/canonical.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { resolvedRulesOf } from '../../../shared/domain/engine/rules/stored-resolved.ts';
import { observeBars } from '../../../shared/domain/engine/running/frames.ts';
import { signalsOf } from '../../../shared/domain/engine/running/program-signals.ts';
import { startProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BITCOIN,
  expectedFills,
  feed,
  fillsOf,
  hubDeployed,
  setupOf,
  subsOf,
} from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { runJob } from '../../support/jobs.ts';
import { outbox } from '../../support/people.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { allInUse } from '../../support/series-in-use.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { enterAll, trader, undeployTrading } from '../../support/trading.ts';

const BARS = randomBars(7, 100);
const WARM = 60;
const RULES = crossRules(2, 5, {
  exits: [{ side: 'long', when: { bars_in_trade: 3 } }],
});

let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD', 'ETHUSD']);
  owner = await trader(hub, { symbol: 'BTCUSD' });
});
afterAll(() => hub.close());

const running = async (): Promise<{ deployment_id: number }[]> =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } })).body.items;

beforeEach(async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
});

afterEach(async () => {
  const one = worker(hub);
  for (const { deployment_id: id } of await running()) {
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(one, id);
  }
});

test('a paper deployment fed bar by bar has the fills of its backtest', async () => {
  const id = await hubDeployed(hub, owner, setupOf(RULES));
  const one = worker(hub);
  await startEngine(one, id);
  await startEngine(one, id);
  expect(await findDeployments(hub.runtime.store, [id])).toMatchObject([
    { status: 'active', started_at: new Date(BARS.start[WARM - 1] ?? 0).toISOString() },
  ]);
  for (let bar = WARM; bar < BARS.start.length; bar++) await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(5);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('each fill is notified by its cause, and each round trip as completed once', async () => {
  const up = { left: { price: 'close' }, op: 'gt', right: { price: 'close', ago: 1 } };
  const percent = (value: number) => ({ type: 'percent', percent: value });
  const setup = setupOf({
    schema: 'hub.rules/1',
    entries: [
      { side: 'long', when: up, stop_loss: percent(1), take_profit: percent(2), trailing_stop: percent(1.5) },
    ],
    exits: [{ side: 'long', when: { bars_in_trade: 2 } }],
  });
  const account = { ...setup.account, fill_at: 'signal_close' as const };
  const id = await hubDeployed(hub, owner, { ...setup, account });
  const one = worker(hub);
  await startEngine(one, id);
  await feed(hub, sliceBars(BARS, WARM), [one]);
  while ((await enterAll(hub)) > 0);
  const query = { user_id: owner.user_id, size: '100' };
  const { body } = await hub.call('GET /get_deployment_notifications', { query });
  const notes: { kind: string; severity: string; data: { client_order_id?: string } }[] = body.items.filter(
    ({ deployment_id }: { deployment_id: number }) => deployment_id === id,
  );
  const orders = await findAllOrders(hub.runtime.store, id);
  const causes = new Set<string | null>();
  for (const { client_order_id, status_message, realized_pnl } of orders) {
    const isLoss = Number(realized_pnl ?? 0) < 0;
    const kinds = new Map([
      [null, 'entry_filled'],
      ['stop loss', 'stop_loss_hit'],
      ['take profit', 'target_hit'],
      ['trailing stop', isLoss ? 'stop_loss_hit' : 'exit_filled'],
      ['exit of the rules', 'exit_filled'],
    ]);
    causes.add(status_message);
    expect(notes.filter(({ data }) => data.client_order_id === client_order_id)).toMatchObject([
      { kind: kinds.get(status_message), severity: isLoss ? 'warning' : 'success' },
    ]);
  }
  expect(causes.size).toBeGreaterThan(3);
  const exits = orders.filter(({ side }) => side === 'sell');
  expect(notes.filter(({ kind }) => kind === 'cycle_completed')).toHaveLength(exits.length);
  const trades = await findTradeRange(hub.runtime.store, id, { first: 1, last: 100 });
  expect(trades).toHaveLength(exits.length);
});

test('a program works for nobody once its deployments have ended, and is removed with the last one', async () => {
  const setup = setupOf(RULES);
  const ids = [await hubDeployed(hub, owner, setup), await hubDeployed(hub, owner, setup)];
  const one = worker(hub);
  for (const id of ids) await startEngine(one, id);
  expect(await subsOf(hub, setup)).toHaveLength(2);
  expect(await allInUse(hub.runtime.store)).toMatchObject([{ symbol: 'BTCUSD', programs: 1 }]);
  for (const id of ids) {
    // An event that overtook the end of its deployment changes nothing.
    await endEngine(one, id);
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(one, id);
    await endEngine(one, id);
  }
  expect(await subsOf(hub, setup)).toEqual([]);
  expect(await allInUse(hub.runtime.store)).toEqual([]);
  expect((await findPrograms(hub.runtime.store, 'BTCUSD', '1d', 0)).programs).toEqual([]);
});

test('larger bars are derived from the stored ones, and trade when they close', async () => {
  const minutes = randomBars(3, 340, '1m');
  const facts = { ...BITCOIN, timeframe: '1m' } as const;
  const setup = setupOf(RULES);
  const [leg] = setup.legs;
  if (!leg) throw new Error('the setup has no leg');
  await appendBars(hub.runtime.store, facts, sliceBars(minutes, 0, 250));
  const id = await hubDeployed(hub, owner, {
    ...setup,
    timeframe: '3m',
    legs: [{ ...leg, source: '1m' }],
  });
  await startEngine(worker(hub), id);
  const one = worker(hub);
  for (let bar = 250; bar < 340; bar++) {
    const on = bar % 10 === 0 ? worker(hub) : one;
    await feed(hub, sliceBars(minutes, bar, bar + 1), [on], facts, ['1m', '3m']);
  }
  const [series] = await findSeries(hub.runtime.store, 'BTCUSD', ['1m']);
  if (!series) throw new Error('there is no series');
  const range = { from: 0, to: closedUntil(series, '3m') };
  const { bars } = await readCandles(hub.runtime.store, series, '3m', range);
  const expected = await expectedFills(hub, id, bars);
  expect(expected.length).toBeGreaterThan(3);
  expect(await fillsOf(hub, id)).toEqual(expected);
  await removeSeries(hub.runtime.store, facts);
});

test('each symbol of a deployment has a program and a share of the capital', async () => {
  const ether = { ...BITCOIN, symbol: 'ETHUSD' };
  const others = randomBars(9, 100);
  await appendBars(hub.runtime.store, ether, sliceBars(others, 0, WARM));
  const both = await trader(hub, { symbol: 'BTCUSD,ETHUSD' });
  const id = await hubDeployed(hub, both, setupOf(RULES, ['BTCUSD', 'ETHUSD']));
  const one = worker(hub);
  await startEngine(one, id);
  for (let bar = WARM; bar < WARM + 20; bar++) {
    await Promise.all([
      feed(hub, sliceBars(BARS, bar, bar + 1), [one]),
      feed(hub, sliceBars(others, bar, bar + 1), [one], ether),
    ]);
  }
  const joined = Math.max(BARS.start[WARM - 1] ?? 0, others.start[WARM - 1] ?? 0);
  const symbols = new Set((await findAllOrders(hub.runtime.store, id)).map(({ symbol }) => symbol));
  expect([...symbols].sort()).toEqual(['BTCUSD', 'ETHUSD']);
  expect(await findDeployments(hub.runtime.store, [id])).toMatchObject([
    { started_at: new Date(joined).toISOString() },
  ]);
  await undeployTrading(hub, both.user_id, id);
  await endEngine(one, id);
  await removeSeries(hub.runtime.store, ether);
});

test('an account pays commissions beyond the value of its trades, as its backtest does', async () => {
  const { account } = setupOf(RULES);
  const [entry] = RULES.entries;
  const rules = { ...RULES, entries: [{ ...entry, size: { type: 'units', units: 1 } }] };
  const terms = { account: { ...account, commission_fixed: 1500 } };
  const id = await hubDeployed(hub, owner, setupOf(rules, ['BTCUSD'], terms));
  const one = worker(hub);
  await startEngine(one, id);
  await feed(hub, sliceBars(BARS, WARM), [one]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(1);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a deployment without candles begins with the first bar after it; earlier ones warm it up', async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  const from = BARS.start[WARM] ?? 0;
  const id = await hubDeployed(hub, owner, setupOf(RULES, ['BTCUSD'], { from }));
  const one = worker(hub);
  await startEngine(one, id);
  await feed(hub, sliceBars(BARS, 0, WARM - 10), [one]);
  for (let bar = WARM - 10; bar < BARS.start.length; bar++)
    await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(3);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a lost event is made up for once no further bar has come', async () => {
  const id = await hubDeployed(hub, owner, setupOf(RULES));
  const one = worker(hub);
  await startEngine(one, id);
  // Nothing tells the engine of these bars.
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, WARM));
  const sweep = async (): Promise<number> => {
    await runJob(hub.runtime, { job: 'sweep-series' });
    const unsettled = (await outbox(hub)).filter(
      ({ message }) => message?.kind === 'domain_event' && message.detail_type === SERIES_UNSETTLED,
    );
    for (const delivery of unsettled) {
      if (delivery.message?.kind !== 'domain_event') continue;
      await completeDelivery(hub.runtime.store, delivery);
      await takeEngineEvent(one.engine, {
        'detail-type': delivery.message.detail_type,
        detail: delivery.message.detail,
      });
    }
    return unsettled.length;
  };
  expect([await sweep(), await sweep(), await sweep()]).toEqual([0, 1, 0]);
  const expected = await expectedFills(hub, id, BARS);
  expect(expected.length).toBeGreaterThan(3);
  expect(await fillsOf(hub, id)).toEqual(expected);
});

test('a notification deployment hears of every signal once', async () => {
  const { keygen, user_id } = await ruleTrader(hub, { symbol: 'BTCUSD', timeframe: '1d', rules: RULES });
  const { status, body } = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen },
    form: { channels: 'push' },
  });
  expect([status, body.engine]).toEqual([200, 'hub']);
  const one = worker(hub);
  await startEngine(one, body.deployment_id);
  for (let bar = WARM; bar < BARS.start.length; bar++) {
    await feed(hub, sliceBars(BARS, bar, bar + 1), [one, worker(hub)]);
  }
  const live = startProgram(
    resolvedRulesOf(canonicalRules(rulesSchema.parse(RULES))),
    '1d',
    marketTimeOf(calendarById('always')),
  );
  const joined = BARS.start[WARM - 1] ?? 0;
  const expected = signalsOf(live, observeBars(live, BARS), 'BTCUSD')
    .filter(({ at, entered_at = at }) => at > joined && entered_at > joined)
    .map(({ at, title }) => [new Date(at).toISOString(), title]);
  expect(expected.length).toBeGreaterThan(3);
  const { body: page } = await hub.call('GET /get_deployment_notifications', {
    query: { user_id, size: '100' },
  });
  const heard = (page.items as { kind: string; created_at: string; title: string }[])
    .filter(({ kind }) => kind.startsWith('signal_'))
    .map(({ created_at, title }) => [created_at, title]);
  expect(heard.toReversed()).toEqual(expected);
});
