import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { asProgramShards, findPrograms } from '../../../shared/data/engine/programs.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { type BarColumns, barCount, columnsOf, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { deriveBars } from '../../../shared/domain/candles/derive.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, expectedFills, type Fill, fillsOf } from '../../support/hub-deployments.ts';
import { commandEngine, startEngine, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { crossRules, rulesWith } from '../../support/rules.ts';
import { SplitMarket } from '../../support/splits.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const DAY_MS = 86_400_000;
const HOURLY = { ...BITCOIN, timeframe: '1h' } as const;
const BARS = randomBars(8, 640, '1h');
const WARM = 400;
const EXITS = { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] };
const RULES = crossRules(2, 3, EXITS);

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD', 'ETHUSD']);
});
afterEach(() => hub.close());

const derived = (timeframe: '1d' | '4h', count: number): BarColumns => {
  const { bars } = deriveBars(sliceBars(BARS, 0, count), calendarById(HOURLY.calendar), '1h', timeframe);
  return sliceBars(bars, 0, barCount(bars) - 1);
};

test('accounts on larger bars trade on in the bar that was open at a split, in all shards', async () => {
  const { store } = hub.runtime;
  const market = new SplitMarket(hub, BARS, { units: 4, of: 1 }, HOURLY);
  await market.begin(WARM);
  const workers = [worker(hub), worker(hub)];
  const runs: { readonly id: number; readonly timeframe: '1d' | '4h' }[] = [];
  for (const timeframe of ['1d', '4h', '4h'] as const) {
    const rules = runs.length === 2 ? crossRules(2, 4, EXITS) : RULES;
    const { keygen } = await ruleTrader(hub, { symbol: 'BTCUSD', timeframe, rules });
    const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
    await startEngine(worker(hub), id);
    runs.push({ id, timeframe });
    if (runs.length !== 2) continue;
    // The first shard is full, so the next program gets another.
    const key = keys.programShards('BTCUSD', '4h');
    const { rev } = asProgramShards((await store.getMany([key], { consistent: true }))[0]);
    await store.transact([{ key, set: { counts: [250], rev: rev + 1 } }]);
  }
  const isOver = () => market.at !== undefined && (BARS.start[market.next] ?? 0) > market.at + 3 * DAY_MS;
  let isSplit = false;
  while (market.next < BARS.start.length && !isOver()) {
    const start = BARS.start[market.next] ?? 0;
    const isOpen =
      start % DAY_MS > 5 * 3_600_000 && start % DAY_MS < 20 * 3_600_000 && start % (4 * 3_600_000) > 0;
    if (!isSplit && market.next > WARM + 60 && isOpen) {
      const filled = await Promise.all(runs.map(({ id }) => fillsOf(hub, id)));
      isSplit = filled.every(({ length }) => length % 2 === 1);
      if (isSplit) await market.declare();
    }
    // Several workers take the bars from the split on; before it, one is enough.
    await market.feed(
      market.next % 5 === 0 ? [worker(hub)] : market.at === undefined ? workers.slice(1) : workers,
    );
    for (const { events } of workers) {
      for (const event of events.splice(0)) {
        for (const { engine } of workers) await takeEngineEvent(engine, event);
      }
    }
  }
  const [at, end] = [market.at ?? 0, market.next];
  expect(isSplit).toBe(true);
  for (const { id, timeframe } of runs) {
    const bars = derived(timeframe, end);
    const expected = await expectedFills(hub, id, bars);
    const open = Math.max(0, ...bars.start.filter((start) => start < at));
    const shown = (fills: readonly Fill[]) => market.shown(fills);
    // A fill at the start of the bar that was open counts from the split on.
    const inNew = expected.map((fill) => (fill.at >= open && fill.at < at ? { ...fill, at } : fill));
    expect(shown(await fillsOf(hub, id))).toEqual(
      inNew.map(({ at: time, side, price }) => [time, side, Number(price.toFixed(8))]),
    );
    expect(expected.length).toBeGreaterThan(2);
  }
  for (let shard = 0; shard < 2; shard += 1) {
    const { programs } = await findPrograms(store, 'BTCUSD', '4h', shard);
    expect(programs).toMatchObject([{ splits: 1 }]);
  }
  expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('accounts on weekly bars trade on in the week that was open at a split', async () => {
  const bars = randomBars(8, 420);
  const market = new SplitMarket(hub, bars, { units: 4, of: 1 }, { ...BITCOIN, symbol: 'ETHUSD' });
  await market.begin(140);
  const workers = [worker(hub), worker(hub)];
  const { keygen } = await ruleTrader(hub, {
    symbol: 'ETHUSD',
    timeframe: '1w',
    rules: crossRules(2, 3, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] }),
  });
  const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
  await startEngine(worker(hub), id);
  for (let isOver = false; !isOver && market.next < bars.start.length; ) {
    // In the middle of a week.
    if (new Date(bars.start[market.next] ?? 0).getUTCDay() === 4) {
      const { length } = await fillsOf(hub, id);
      if (market.at === undefined && length % 2 === 1) await market.declare();
      isOver = market.at !== undefined && length > 5;
    }
    await market.feed(market.next % 5 === 0 ? [worker(hub)] : workers);
  }
  const seen = sliceBars(bars, 0, market.next);
  const { bars: weeks } = deriveBars(seen, calendarById('always'), '1d', '1w');
  const at = market.at ?? 0;
  const open = Math.max(...weeks.start.filter((start) => start < at));
  const expected = await expectedFills(hub, id, sliceBars(weeks, 0, barCount(weeks) - 1));
  // A fill at the start of the week that was open counts from the split on.
  const inNew = expected.map((fill) => (fill.at >= open && fill.at < at ? { ...fill, at } : fill));
  expect(market.shown(await fillsOf(hub, id))).toEqual(
    inNew.map(({ at: time, side, price }) => [time, side, Number(price.toFixed(8))]),
  );
  expect(expected.length).toBeGreaterThan(4);
  expect(at).toBeGreaterThan(expected[0]?.at ?? at);
  expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
});

/** Hourly bars of a market that opens each day a little lower than it closed, with a close for each hour. */
const hourly = (from: number, closes: readonly number[]): BarColumns =>
  columnsOf(
    closes.map((close, index) => {
      const open = index % 24 === 0 ? close * 0.999 : (closes[index - 1] ?? close);
      const start = from + index * 3_600_000;
      return { start, open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 1 };
    }),
  );

test('limits judge the bar that was open at a split: its day begins at the close before it', async () => {
  const [quiet, falling] = [20 * 24, 24];
  const noon = quiet + 12;
  // A fifth is lost before the split, and a fifth of the rest after it.
  const closes = Array.from({ length: quiet + falling + 24 }, (_, index) =>
    index < quiet + 6 ? 100 : index < quiet + 18 ? 80 : 64,
  );
  const from = Math.floor(hub.runtime.clock().getTime() / DAY_MS) * DAY_MS - (quiet + 48) * 3_600_000;
  const market = new SplitMarket(hub, hourly(from, closes), { units: 4, of: 1 }, HOURLY);
  await market.begin(quiet - 48);
  const one = worker(hub);
  const rules = rulesWith({ left: { price: 'close' }, op: 'gt', right: { price: 'open' } });
  const { keygen, user_id } = await ruleTrader(hub, { symbol: 'BTCUSD', timeframe: '1d', rules });
  const id: number = (await deployTrading(hub, keygen)).body.deployment_id;
  await startEngine(one, id);
  await setDeploymentLimits(hub.runtime, id, user_id, { limits: { daily_loss_pct: '30' } });
  await commandEngine(one, id);
  const query = { user_id, deployment_id: String(id) };
  const limits = async () => (await hub.call('GET /get_risk_limits', { query })).body;
  while (market.next < noon) await market.feed([one]);
  expect((await fillsOf(hub, id)).length).toBe(1);
  await market.declare();
  while (market.next <= quiet + falling) await market.feed([one]);
  expect(await limits()).toMatchObject({ state: { tripped: { limit: 'daily_loss_pct' } } });
  const { tripped } = (await limits()).state;
  expect(tripped.used).toBeCloseTo(36, 0);
  expect(hub.log.filter(({ level }) => level === 'error')).toEqual([]);
});
