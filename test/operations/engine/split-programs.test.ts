import { expect, test } from '@jest/globals';
import { joinScan } from '../../../functions/engine/scan/join-scan.ts';
import { SplitPendingError } from '../../../functions/engine/split/split-pending.ts';
import { changeHead } from '../../../shared/data/candles/change-head.ts';
import { asStoredProgram, newStateWrite } from '../../../shared/data/engine/states.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { observeBars } from '../../../shared/domain/engine/live/frames.ts';
import { startLiveProgram } from '../../../shared/domain/engine/live/live-program.ts';
import { signalsOf } from '../../../shared/domain/engine/live/signals.ts';
import { marketTimeOf } from '../../../shared/domain/engine/market-time.ts';
import { canonicalRules } from '../../../shared/domain/engine/rules/canonical.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { resolvedRulesOf } from '../../../shared/domain/engine/rules/stored-resolved.ts';
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
  const live = startLiveProgram(rules, '1d', marketTimeOf(calendarById('always')), 1);
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
    engine_version: 1,
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
      engineVersion: 1,
    });
  await expect(join()).rejects.toThrow(SplitPendingError);
  await market.feed([worker(hub)]);
  await join();
  const [item] = await store.getMany([keys.programState(program_id)], { consistent: true });
  expect(asStoredProgram(item)).toMatchObject({ in_shard: 0, joined: 1 });
});
