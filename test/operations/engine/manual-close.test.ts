import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { findInputs } from '../../../shared/data/engine/inputs.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { readSub } from '../../../shared/data/engine/subscriptions.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { sliceBars } from '../../../shared/domain/candles/bars.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, feed, fillsOf, setupOf, subsOf } from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { outbox } from '../../support/people.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const BARS = randomBars(7, 120);
const WARM = 60;
const RULES = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 6 } }] });
const SETUP = setupOf(RULES);

let hub: TestHub;
let owner: Awaited<ReturnType<typeof ruleTrader>>;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  owner = await ruleTrader(hub, { symbol: 'BTCUSD', rules: RULES });
});
afterAll(() => hub.close());

const positionOf = async () => {
  const query = { user_id: owner.user_id };
  return (await hub.call('GET /get_all_live_deployments_v2', { query })).body.items[0]?.positions[0];
};

const closeByHand = async (id: number) => {
  const query = { user_id: owner.user_id, deployment_id: String(id) };
  const [order] = (await hub.call('GET /get_live_strategy_order_book', { query })).body.items;
  hub.advance(1000);
  hub.takeCalls();
  const { status } = await hub.call('POST /update_live_trade', {
    query: { user_id: owner.user_id, order_id: String(order.order_id), close_value: '123.5' },
  });
  expect([status, hub.takeCalls().length]).toEqual([200, 3]);
  expect(await positionOf()).toBeUndefined();
  return order;
};

/** Every sale is of a quantity that was bought before. */
const expectNoOversold = (fills: Awaited<ReturnType<typeof fillsOf>>) => {
  let open = 0;
  for (const { side, quantity } of fills) {
    open += side === 'buy' ? quantity : -quantity;
    // Sums of decimal quantities are rounded here.
    expect(open).toBeGreaterThan(-1e-9);
  }
};

/** Returns a deployment with an open position, and the number of bars that it has seen. */
const holding = async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
  const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  const one = worker(hub);
  await startEngine(one, id);
  let bar = WARM;
  while (!(await positionOf())) {
    await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
    bar += 1;
  }
  const end = async () => {
    await undeployTrading(hub, owner.user_id, id);
    await endEngine(one, id);
    expect(await subsOf(hub, SETUP)).toEqual([]);
  };
  return { id, one, bar, end, held: await positionOf() };
};

test('a manual close ends the trade of the account, before its next bar', async () => {
  const { id, one, held, end, ...began } = await holding();
  let { bar } = began;
  // The position is held over a bar that changes nothing.
  await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  bar += 1;
  const order = await closeByHand(id);
  const last = BARS.start[bar - 1] ?? 0;
  expect((await findInputs(hub.runtime.store, id)).inputs).toEqual([
    {
      number: expect.any(Number),
      symbol: 'BTCUSD',
      type: 'close',
      after: last,
      order: order.client_order_id,
      price: 123.5,
      client_order_id: `manual-${order.order_id}`,
    },
  ]);
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)]);
  expect(asDeployment(item)).toMatchObject({ updated_at: new Date(last).toISOString() });
  const told = (await outbox(hub)).map(
    ({ message }) => message?.kind === 'domain_event' && message.detail_type,
  );
  expect(told).not.toContain('Position Closed');
  const before = (await fillsOf(hub, id)).length;
  for (const to = bar + 30; bar < to; bar++) await feed(hub, sliceBars(BARS, bar, bar + 1), [one]);
  const fills = await fillsOf(hub, id);
  expect(fills.length).toBeGreaterThan(before + 2);
  expect(fills.find(({ price }) => price === 123.5)).toMatchObject({ side: 'sell', quantity: held.quantity });
  expectNoOversold(fills);
  await end();
});

test('a manual close counts before bars that have arrived but were not worked on', async () => {
  const { id, one, bar, end } = await holding();
  const late = bar + 12;
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, bar, late));
  await closeByHand(id);
  const [recorded] = (await findInputs(hub.runtime.store, id)).inputs;
  expect(recorded?.after).toBe(BARS.start[late - 1]);
  await feed(hub, sliceBars(BARS, late, late + 1), [one]);
  const [moved] = (await findInputs(hub.runtime.store, id)).inputs;
  expect(moved?.after).toBeLessThan(recorded?.after ?? 0);
  expectNoOversold(await fillsOf(hub, id));
  await end();
});

test('a manual close between two reports of a catch-up reaches the account', async () => {
  await removeSeries(hub.runtime.store, BITCOIN);
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, 0, WARM));
  const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  await startEngine(worker(hub), id);
  const last = BARS.start.length - 1;
  await appendBars(hub.runtime.store, BITCOIN, sliceBars(BARS, WARM, last - 1));
  const dying = new DyingStore(hub.runtime.store, 1, true);
  const feeding = feed(hub, sliceBars(BARS, last - 1, last), [worker(hub, { store: dying })]);
  await expect(feeding).rejects.toThrow(AggregateError);
  await closeByHand(id);
  await feed(hub, sliceBars(BARS, last, last + 1), [worker(hub)]);
  const fills = await fillsOf(hub, id);
  expect(fills.length).toBeGreaterThan(3);
  expectNoOversold(fills);
  await undeployTrading(hub, owner.user_id, id);
  await endEngine(worker(hub), id);
});

test('a manual close in the middle of a derived bar takes effect before it', async () => {
  const { store } = hub.runtime;
  const facts = { ...BITCOIN, timeframe: '1m' } as const;
  const walk = randomBars(7, 600);
  const [from = 0] = walk.start;
  const minutes = { ...walk, start: walk.start.map((_, index) => from + index * 60_000) };
  await removeSeries(store, BITCOIN);
  await appendBars(store, facts, sliceBars(minutes, 0, 60));
  const scalper = await ruleTrader(hub, {
    symbol: 'BTCUSD',
    timeframe: '3m',
    rules: RULES,
    user_id: owner.user_id,
  });
  const id: number = (await deployTrading(hub, scalper.keygen)).body.deployment_id;
  const one = worker(hub);
  await startEngine(one, id);
  let bar = 60;
  const feedTo = async (end: number) => {
    for (; bar < end; bar++) await feed(hub, sliceBars(minutes, bar, bar + 1), [one], facts, ['3m']);
  };
  while (!(await positionOf())) await feedTo(bar + 3);
  // The first minute of the next bar.
  await feedTo(bar + 1);
  const closed = minutes.start[bar - 4] ?? 0;
  await closeByHand(id);
  expect((await findInputs(store, id)).inputs).toMatchObject([{ after: closed }]);
  await feedTo(bar + 2);
  const [setup] = await store.getMany([keys.deploymentSetup(id)]);
  const [programId = ''] = asDeploymentSetup(setup)?.program_ids ?? [];
  const sub = await readSub(store, programId, id);
  const decisions = sub && 'decisions' in sub ? sub.decisions : [];
  expect(decisions.find(({ text }) => text.endsWith('closed manually'))?.at).toBe(closed);
  await undeployTrading(hub, owner.user_id, id);
  await endEngine(one, id);
  await removeSeries(store, facts);
});
