import { expect, test } from '@jest/globals';
import { joinScan } from '../../../functions/engine/scan/join-scan.ts';
import { SplitPendingError } from '../../../functions/engine/split/split-pending.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { asStoredProgram, newStateWrite } from '../../../shared/data/engine/states.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { marketTimeOf } from '../../../shared/domain/engine/market-time.ts';
import { canonicalRules } from '../../../shared/domain/engine/rules/canonical.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { resolvedRulesOf } from '../../../shared/domain/engine/rules/stored-resolved.ts';
import { observeBars } from '../../../shared/domain/engine/running/frames.ts';
import { signalsOf } from '../../../shared/domain/engine/running/program-signals.ts';
import { startProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading, report, reportOrder, trader } from '../../support/trading.ts';

const WARM = 30;
const BARS = randomBars(11, WARM + 50);
const RULES = crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 4 } }] });

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD']));

test('a notification deployment hears of the signals of adjusted candles', async () => {
  const market = new SplitMarket(hub, BARS, { units: 4, of: 1 });
  await market.begin(WARM);
  const { keygen, user_id } = await ruleTrader(hub, { symbol: 'BTCUSD', rules: RULES });
  const { body } = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });
  const workers = [worker(hub), worker(hub)];
  await startEngine(worker(hub), body.deployment_id);
  while (market.next < BARS.start.length) {
    if (market.next === WARM + 20) await market.declare();
    await market.feed(market.next % 4 === 0 ? [worker(hub)] : workers);
  }
  const rules = resolvedRulesOf(canonicalRules(rulesSchema.parse(RULES)));
  const live = startProgram(rules, '1d', marketTimeOf(calendarById('always')));
  const joined = BARS.start[WARM - 1] ?? 0;
  const expected = signalsOf(live, observeBars(live, BARS), 'BTCUSD')
    .filter(({ at, entered_at = at }) => at > joined && entered_at > joined)
    .map(({ at, kind }) => [new Date(at).toISOString(), kind === 'entry' ? 'signal_buy' : 'signal_sell']);
  const { body: page } = await hub.call('GET /get_deployment_notifications', {
    query: { user_id, size: '100' },
  });
  const heard = (page.items as { kind: string; created_at: string }[])
    .filter(({ kind }) => kind.startsWith('signal_'))
    .map(({ created_at, kind }) => [created_at, kind]);
  expect(expected.length).toBeGreaterThan(5);
  expect(heard.toReversed()).toEqual(expected);
});

test('the books of an engine of its own are left to its reports', async () => {
  const market = new SplitMarket(hub, BARS, { units: 4, of: 1 });
  await market.begin(WARM);
  const { body } = await deployTrading(
    hub,
    (await ruleTrader(hub, { symbol: 'BTCUSD', rules: RULES })).keygen,
  );
  await startEngine(worker(hub), body.deployment_id);
  const owner = await trader(hub, { symbol: 'BTCUSD' });
  const own = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  await report(hub, 'Deployment Started', own);
  await reportOrder(hub, own, {
    client_order_id: 'o1',
    symbol: 'BTCUSD',
    quantity: '2',
    average_price: '300',
  });
  await market.declare();
  await market.feed([worker(hub)]);
  const { items } = (
    await hub.call('GET /get_all_live_deployments_v2', { query: { user_id: owner.user_id } })
  ).body;
  expect(items).toMatchObject([{ positions: [{ quantity: 2, average_price: 300 }] }]);
});

test('a scanner takes no program that warms up in old units while its series is split', async () => {
  const { store } = hub.runtime;
  const market = new SplitMarket(hub, BARS, { units: 4, of: 1 });
  await market.begin(WARM);
  await market.declare();
  const { calendar, source: feed, first, last } = await market.head();
  const program_id = 'a-program-that-warms-up';
  const rules = canonicalRules(resolvedRulesOf(canonicalRules(rulesSchema.parse(RULES))));
  const common = { program_id, symbol: 'BTCUSD', source: '1d', calendar, from: first } as const;
  const warming = {
    ...common,
    timeframe: '1d',
    state_at: first - 1,
    program: { rules, saved: '' },
    joined: 0,
  } as const;
  await store.transact([newStateWrite(warming)]);
  await changeHead(
    store,
    await market.head(),
    (series) => series.split && { ...series, split: { ...series.split, started: true } },
  );
  const join = () =>
    joinScan(store, {
      deploymentId: 77,
      instrument: { ...common, feed, at: last },
      timeframe: '1d',
      rules,
      rulesHash: 'of-the-rules',
    });
  await expect(join()).rejects.toThrow(SplitPendingError);
  await market.feed([worker(hub)]);
  await join();
  const [item] = await store.getMany([keys.programState(program_id)], { consistent: true });
  expect(asStoredProgram(item)).toMatchObject({ in_shard: 0, joined: 1 });
});

test('a program that warms up begins again with the series that replaced its own', async () => {
  const { store } = hub.runtime;
  const market = new SplitMarket(hub, BARS, { units: 4, of: 1 });
  await market.begin(WARM);
  const { calendar, source: feed, first, last } = await market.head();
  const program_id = 'a-program-of-a-series-with-a-split';
  const rules = canonicalRules(resolvedRulesOf(canonicalRules(rulesSchema.parse(RULES))));
  const common = { program_id, symbol: 'BTCUSD', source: '1d', calendar } as const;
  await store.transact([
    newStateWrite({
      ...common,
      timeframe: '1d',
      from: first + 5,
      state_at: first + 4,
      program: { rules, saved: '' },
      joined: 0,
      splits: 1,
    }),
  ]);
  await joinScan(store, {
    deploymentId: 78,
    instrument: { ...common, from: first, feed, at: last },
    timeframe: '1d',
    rules,
    rulesHash: 'of-the-rules',
  });
  const [item] = await store.getMany([keys.programState(program_id)], { consistent: true });
  const state = asStoredProgram(item);
  expect(state).toMatchObject({ from: first, in_shard: 0 });
  // The next split must not find it done.
  expect(state?.splits).toBeUndefined();
});

test('the reverse of a split that was declared by mistake brings accounts and programs back', async () => {
  const market = new SplitMarket(hub, BARS, { units: 4, of: 1 });
  await market.begin(WARM);
  const { keygen, user_id } = await ruleTrader(hub, {
    symbol: 'BTCUSD',
    rules: crossRules(2, 4, { exits: [{ side: 'long', when: { bars_in_trade: 6 } }] }),
  });
  const { deployment_id } = (await deployTrading(hub, keygen)).body;
  const one = worker(hub);
  await startEngine(one, deployment_id);
  const positions = async () => {
    const { body } = await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } });
    const [{ positions: held }] = body.items;
    return held.map(({ quantity, average_price }: { quantity: number; average_price: number }) => ({
      quantity,
      average_price,
    }));
  };
  while ((await positions()).length === 0) await market.feed([one]);
  const before = await positions();
  const declare = (ratio: string) =>
    takeEngineEvent(one.engine, {
      'detail-type': 'Split Declared',
      source: market.facts.source,
      time: new Date(hub.runtime.clock().getTime() - 10_000).toISOString(),
      detail: {
        version: 1,
        symbol: 'BTCUSD',
        ratio,
        at: new Date(BARS.start[market.next] ?? 0).toISOString(),
      },
    });
  await declare('4:1');
  // The source has not split.
  await market.feed([one]);
  expect(await positions()).toEqual([
    { quantity: before[0].quantity * 4, average_price: before[0].average_price / 4 },
  ]);
  await declare('1:4');
  await market.feed([one]);
  const series = await market.head();
  expect(series.splits?.map(({ units, of }) => [units, of])).toEqual([
    [4, 1],
    [1, 4],
  ]);
  expect(series.held).toBeUndefined();
  expect(series.last).toBe(BARS.start[market.next - 1]);
  expect(await positions()).toEqual(before);
});
