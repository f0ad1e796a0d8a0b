import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { importBars, removeSeries } from '../../../shared/data/candles/import-bars.ts';
import type { SeriesFacts } from '../../../shared/data/candles/series.ts';
import { asDeploymentSetup } from '../../../shared/data/engine/setups.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type BarColumns, barCount, columnsOf, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { deriveBars } from '../../../shared/domain/candles/derive.ts';
import { runBacktest } from '../../../shared/domain/engine/backtest/backtest.ts';
import { inputOf } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import {
  BITCOIN,
  feed,
  fillsOf,
  fillsOfRun,
  hubDeployed,
  setupOf,
  sumFills,
} from '../../support/hub-deployments.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { nearFills } from '../../support/near-fills.ts';
import { calendar, quarters, quartersOf } from '../../support/quarters.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader, undeployTrading } from '../../support/trading.ts';

const WARM = 20;
const HOURS = soakable(40, 150);
const QUARTERS: SeriesFacts = { ...BITCOIN, timeframe: '15m' };
const HOURLY: SeriesFacts = { ...BITCOIN, timeframe: '1h' };

let hub: TestHub;
let owner: Awaited<ReturnType<typeof trader>>;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
  owner = await trader(hub, { symbol: 'BTCUSD' });
});
afterAll(() => hub.close());

const hoursOf = (all: BarColumns) => deriveBars(all, calendar, '15m', '1h').bars;

/** Starts a deployment on hours. @param source timeframe of the series that the hours are made from. */
const start = async (rules: unknown, source: '15m' | '1h', account = {}) => {
  const setup = setupOf(rules, undefined, { timeframe: '1h' });
  const legs = setup.legs.map((leg) => ({ ...leg, source, size_step: 0.001 }));
  const id = await hubDeployed(hub, owner, { ...setup, account: { ...setup.account, ...account }, legs });
  const on = worker(hub);
  await startEngine(on, id);
  return { id, on };
};

const end = async (id: number) => {
  await undeployTrading(hub, owner.user_id, id);
  await endEngine(worker(hub), id);
};

const clear = async () => {
  for (const facts of [QUARTERS, HOURLY]) await removeSeries(hub.runtime.store, facts);
};

const parityOf = async (id: number) =>
  (
    await hub.call('GET /get_parity', {
      query: { user_id: owner.user_id, deployment_id: String(id) },
    })
  ).body;

/** Returns the fills of a backtest of a deployment over hours, with the quarters that are given. */
const backtestOf = async (id: number, hours: BarColumns, known: BarColumns) => {
  const [item] = await hub.runtime.store.getMany([keys.deploymentSetup(id)], { consistent: true });
  const found = asDeploymentSetup(item);
  const [begin] = found?.starts ?? [];
  if (!found || !begin) throw new Error('the deployment has not started');
  const legs = found.setup.legs.map((leg) => ({ ...leg, smaller: ['15m' as const] }));
  const first = hours.start.findIndex((at) => at >= begin.from);
  const run = runBacktest(
    inputOf({ ...found.setup, legs, from: begin.joined_at + 1 }, storedRules(found.setup)),
    [sliceBars(hours, first)],
    quartersOf(known),
  );
  return { fills: sumFills(fillsOfRun(run)), statistics: run.statistics };
};

const distance = fc.constantFrom(0.4, 1, 2);
const randomRules = fc
  .record({
    kind: fc.constantFrom('limit', 'stop', 'market'),
    side: fc.constantFrom('long', 'short'),
    stop: distance,
    target: distance,
    trailing: fc.option(distance, { nil: undefined }),
    reverse: fc.boolean(),
  })
  .map(({ kind, side, stop, target, trailing, reverse }) => ({
    schema: 'hub.rules/1',
    reverse,
    entries: ['long', 'short'].map((own) => ({
      side: own,
      when: {
        left: { price: 'close' },
        op: own === side ? 'crosses_above' : 'crosses_below',
        right: { indicator: 'sma', length: 2 },
      },
      ...(kind !== 'market' && { [kind]: { percent: kind === 'limit' ? -0.3 : 0.3 }, valid_bars: 2 }),
      size: { type: 'equity_percent', percent: 50 },
      stop_loss: { type: 'percent', percent: stop },
      take_profit: { type: 'percent', percent: target },
      ...(trailing !== undefined && { trailing_stop: { type: 'percent', percent: trailing } }),
    })),
    exits: ['long', 'short'].map((own) => ({ side: own, when: { bars_in_trade: 4 } })),
  }));

/** Feeds quarters in batches; each third one first reaches a worker that dies. */
const feedQuarters = async (all: BarColumns, on: Worker, step: number): Promise<void> => {
  const count = barCount(all);
  for (let from = 4 * WARM, turn = 0; from < count; from += step, turn += 1) {
    const batch = sliceBars(all, from, Math.min(count, from + step));
    if (turn % 3 === 0) {
      const store = new DyingStore(hub.runtime.store, 1 + (turn % 5), turn % 2 === 0, 'together');
      await feed(hub, batch, [worker(hub, { store })], QUARTERS, ['1h']).catch((error: unknown) => {
        expect(String(error)).toMatch(/AggregateError|died/);
      });
    }
    await feed(hub, batch, [on, worker(hub)], QUARTERS, ['1h']);
  }
  await feed(hub, sliceBars(all, count - 1, count), [on], QUARTERS, ['1h']);
};

test('on paper, quarters of an hour that arrive over the bus decide as in the backtest, through crashes', async () => {
  let fills = 0;
  let resolved = 0;
  await fc.assert(
    fc.asyncProperty(
      randomRules,
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('next_open', 'signal_close'),
      async (rules, seed, step, fill_at) => {
        await clear();
        const all = quarters(seed, 4 * (WARM + HOURS));
        const hours = hoursOf(all);
        await appendBars(hub.runtime.store, QUARTERS, sliceBars(all, 0, 4 * WARM));
        const { id, on } = await start(rules, '15m', { fill_at });
        try {
          await feedQuarters(all, on, step);
          const expected = await backtestOf(id, hours, all);
          expect(sumFills(await fillsOf(hub, id))).toEqual(nearFills(expected.fills));
          expect(await parityOf(id)).toMatchObject({ is_equal: true, differences: [] });
          fills += expected.fills.length;
          resolved += expected.statistics?.resolved_bars ?? 0;
        } finally {
          await end(id);
        }
      },
    ),
    { numRuns: soakable(3, 25) },
  );
  expect(fills).toBeGreaterThan(20);
  expect(resolved).toBeGreaterThan(0);
});

test('quarters that are imported after their hour change nothing, nor does the loss of those that were used', async () => {
  await clear();
  const all = quarters(11, 4 * (WARM + HOURS));
  const hours = hoursOf(all);
  const { store } = hub.runtime;
  await appendBars(store, HOURLY, sliceBars(hours, 0, WARM));
  const [rules] = fc.sample(randomRules, { numRuns: 1, seed: 5 });
  const { id, on } = await start(rules, '1h');
  const known: BarColumns[] = [];
  const late: BarColumns[] = [];
  for (let hour = WARM; hour < WARM + HOURS; hour += 1) {
    const own = sliceBars(all, 4 * hour, 4 * hour + 4);
    const isKnown = hour % 2 === 0;
    if (isKnown) await importBars(store, QUARTERS, own);
    await feed(hub, sliceBars(hours, hour, hour + 1), [on], HOURLY);
    (isKnown ? known : late).push(own);
  }
  const joined = (parts: readonly BarColumns[]) =>
    columnsOf(
      parts.flatMap((part) =>
        Array.from({ length: barCount(part) }, (_, index) => ({
          start: part.start[index] ?? 0,
          open: part.open[index] ?? 0,
          high: part.high[index] ?? 0,
          low: part.low[index] ?? 0,
          close: part.close[index] ?? 0,
          volume: 1,
        })),
      ),
    );
  const { fills, statistics } = await backtestOf(id, hours, joined(known));
  expect(statistics?.resolved_bars).toBeGreaterThan(0);
  expect(statistics?.ambiguous_bars).toBeGreaterThan(0);
  expect(sumFills(await fillsOf(hub, id))).toEqual(nearFills(fills));
  expect(await parityOf(id)).toMatchObject({ is_equal: true });
  await importBars(store, QUARTERS, joined(late));
  expect((await backtestOf(id, hours, all)).fills).not.toEqual(nearFills(fills));
  expect(await parityOf(id)).toMatchObject({ is_equal: true });
  await removeSeries(store, QUARTERS);
  expect(await parityOf(id)).toMatchObject({ is_equal: true });
  await end(id);
});
