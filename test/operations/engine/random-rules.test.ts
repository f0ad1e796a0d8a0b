import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findAllOrders } from '../../../shared/data/books/orders.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type BarColumns, barCount, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../../shared/domain/engine/backtest/backtest.ts';
import { settingsOf } from '../../../shared/domain/engine/backtest/leg-settings.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { marketTimeOf } from '../../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { observeBars } from '../../../shared/domain/engine/running/frames.ts';
import { openPaperAccount } from '../../../shared/domain/engine/running/paper-account.ts';
import { startProgram } from '../../../shared/domain/engine/running/running-program.ts';
import { netOf, openPositions } from '../../../shared/domain/ledger/account.ts';
import { advancePaper } from '../../support/advance.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, expectedRun, feed, fillsOf, fillsOfRun, sumFills } from '../../support/hub-deployments.ts';
import { endEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { nearFills } from '../../support/near-fills.ts';
import { randomBars } from '../../support/random-bars.ts';
import { randomRulesJson } from '../../support/random-rules.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';
import { deployTrading, undeployTrading } from '../../support/trading.ts';

const WARM = 60;
const BARS = soakable(25, 80);
const DAY = 86_400_000;

let hub: TestHub;
let user_id: string;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  ({ user_id } = await person(hub));
});
afterAll(() => hub.close());

/** Delivery of a batch of bars: to a worker whose store fails, then to others, at once and again. */
const deliveries = fc.record({
  bars: fc.integer({ min: 1, max: 6 }),
  dies: fc.option(
    fc.record({
      call: fc.integer({ min: 1, max: 6 }),
      isAfter: fc.boolean(),
      kind: fc.constantFrom<'together' | 'single'>('together', 'together', 'single'),
    }),
    { nil: undefined, freq: 3 },
  ),
  others: fc.constantFrom<('warm' | 'cold')[]>([], ['warm'], ['warm', 'cold'], ['cold', 'cold', 'warm']),
});
type Delivery = typeof deliveries extends fc.Arbitrary<infer D> ? D : never;

const forms = fc.record({
  commission_rate: fc.constantFrom('0', '0.001'),
  spread_rate: fc.constantFrom('0', '0.0005'),
  slippage_rate: fc.constantFrom('0', '0.001'),
  margin: fc.constantFrom('1', '0.5'),
  size_step: fc.constantFrom('1', '0.01'),
  fill_at: fc.constantFrom('next_open', 'signal_close'),
  stop_basis: fc.constantFrom('fill', 'signal_close'),
});

const dailyBars = (seed: number, count: number): BarColumns => {
  const bars = randomBars(seed, count);
  return { ...bars, start: bars.start.map((_, index) => Date.UTC(2020, 0, 1) + index * DAY) };
};

/** Returns how often rules trade over bars after the warm-up. */
const tradesOf = (json: unknown, bars: BarColumns): number => {
  const resolved = resolveParams(rulesSchema.parse(json));
  if (!('rules' in resolved)) return 0;
  const { trades } = runBacktest(
    {
      rules: resolved.rules,
      timeframe: '1d',
      account: plainSettings(10_000),
      currency: 'USD',
      days: tradingDaysOf(['always']),
      from: bars.start[WARM] ?? 0,
      legs: [
        {
          symbol: 'BTCUSD',
          share: 1,
          time: marketTimeOf(calendarById('always')),
          size_step: 1,
          contract_size: 1,
          direction: 'both',
        },
      ],
    },
    [bars],
  );
  return trades.length;
};

/** Feeds bars to workers as delivered, and the last ones to one that lives. */
const feedAll = async (bars: BarColumns, plan: readonly Delivery[]): Promise<void> => {
  const warm = worker(hub);
  const count = barCount(bars);
  for (let from = WARM, step = 0; from < count; step++) {
    const { bars: size, dies, others } = plan[step % plan.length] ?? { bars: 1, others: [] };
    const batch = sliceBars(bars, from, Math.min(count, from + size));
    from += size;
    if (dies) {
      const store = new DyingStore(hub.runtime.store, dies.call, dies.isAfter, dies.kind);
      await feed(hub, batch, [worker(hub, { store })]).catch((error: unknown) => {
        expect(String(error)).toMatch(/AggregateError|died/);
      });
    }
    const workers = others.map((kind) => (kind === 'warm' ? warm : worker(hub)));
    // Without a worker the bars are stored, and wait.
    await feed(hub, batch, workers);
  }
  await feed(hub, sliceBars(bars, count - 1, count), [warm]);
};

/** Returns the orders that a paper account reports over all bars at once, with their last status. */
const reportedOrders = async (id: number, bars: BarColumns) => {
  const [item] = await hub.runtime.store.getMany([keys.deploymentSetup(id)], { consistent: true });
  const found = asDeploymentSetup(item);
  const [leg] = found?.setup.legs ?? [];
  const [start] = found?.starts ?? [];
  if (!found || !leg || !start) throw new Error('the deployment has not started');
  const time = marketTimeOf(calendarById(leg.calendar));
  const live = startProgram(storedRules(found.setup), found.setup.timeframe, time);
  const first = bars.start.findIndex((at) => at >= start.from);
  const begin = bars.start.findIndex((at) => at > start.joined_at);
  observeBars(live, sliceBars(bars, first, begin));
  const { financing: _, ...account } = found.setup.account;
  const { swap: __, ...terms } = leg;
  const cursor = { at: start.joined_at, index: live.index };
  const paper = openPaperAccount(settingsOf({ account }, terms), live.program.trading, leg.symbol, cursor);
  const { reports } = advancePaper(live, paper, observeBars(live, sliceBars(bars, begin)));
  const orders = new Map<string, unknown>();
  for (const report of reports) {
    if (report.kind !== 'order') continue;
    const { client_order_id, status, order_type, quantity, filled_quantity, fees, at } = report;
    orders.set(client_order_id, { status, order_type, quantity, filled_quantity, fees, updated_at: at });
  }
  return orders;
};

const storedOrders = async (id: number) =>
  new Map(
    (await findAllOrders(hub.runtime.store, id)).map((order) => {
      const { client_order_id, status, order_type, quantity, filled_quantity, fees, updated_at } = order;
      return [client_order_id, { status, order_type, quantity, filled_quantity, fees, updated_at }];
    }),
  );

/** Returns the equity of the books at a price. */
const equityOf = async (id: number, price: number): Promise<number> => {
  const [item] = await hub.runtime.store.getMany([keys.deployment(id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  const { head, starting_capital } = unpackLedger(deployment.ledger);
  return openPositions(head).reduce(
    (sum, [, { quantity, cost }]) => sum + Number(quantity) * price - Number(cost),
    Number(starting_capital) + Number(netOf(head)),
  );
};

const PLAN: readonly Delivery[] = [
  { bars: 3, dies: { call: 3, isAfter: false, kind: 'together' }, others: ['warm'] },
  { bars: 1, dies: undefined, others: ['warm', 'cold'] },
];

/** A case that trades for certain. */
const TRADING = {
  rules: crossRules(2, 4, { exits: [{ side: 'long', when: { bars_in_trade: 2 } }] }),
  form: {
    commission_rate: '0',
    spread_rate: '0',
    slippage_rate: '0',
    margin: '1',
    size_step: '1',
    fill_at: 'next_open',
    stop_basis: 'fill',
  } as const,
  seed: 7,
  plan: [...PLAN],
};

test('orders and fills are those of the backtest, for any rules, crashes, repeats and numbers of workers', async () => {
  let fills = 0;
  const cases = fc.record({
    rules: randomRulesJson('1d'),
    form: forms,
    seed: fc.nat(),
    plan: fc.array(deliveries, { minLength: 3, maxLength: 12 }),
  });
  // Most random rules seldom trade.
  const trading = cases.filter(({ rules, seed }) => tradesOf(rules, dailyBars(seed, WARM + BARS)) > 2);
  await fc.assert(
    fc.asyncProperty(trading, async ({ rules, form, seed, plan }) => {
      const bars = dailyBars(seed, WARM + BARS);
      await removeSeries(hub.runtime.store, BITCOIN);
      await appendBars(hub.runtime.store, BITCOIN, sliceBars(bars, 0, WARM));
      const { keygen } = await ruleTrader(hub, { user_id, symbol: 'BTCUSD', rules });
      const id: number = (await deployTrading(hub, keygen, form)).body.deployment_id;
      await startEngine(worker(hub), id);
      try {
        await feedAll(bars, plan);
        const run = await expectedRun(hub, id, bars);
        expect(sumFills(await fillsOf(hub, id))).toEqual(nearFills(sumFills(fillsOfRun(run))));
        expect(await storedOrders(id)).toEqual(await reportedOrders(id, bars));
        const equity = run.equity.at(-1)?.equity ?? 0;
        expect(await equityOf(id, bars.close.at(-1) ?? 0)).toBeCloseTo(equity, 4);
        fills += run.trades.length;
      } finally {
        await undeployTrading(hub, user_id, id);
        await endEngine(worker(hub), id);
      }
    }),
    { numRuns: soakable(3, 15), examples: [[TRADING]] },
  );
  expect(fills).toBeGreaterThan(0);
});
