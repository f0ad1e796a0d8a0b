import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { takeEngineEvent } from '../../../functions/engine/take-event.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { findSeries } from '../../../shared/data/candles/series.ts';
import { type BarColumns, barAt, barCount, sliceBars } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { deriveBars } from '../../../shared/domain/candles/derive.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, expectedFills, fillsOf, hubDeployed, setupOf } from '../../support/hub-deployments.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader } from '../../support/trading.ts';

/** Minutes with gaps, of which the rules see bars of five minutes. */
const MINUTES = randomBars(6, soakable(280, 1000), '1m');
const WARM = 100;
const SERIES = { ...BITCOIN, timeframe: '1m' } as const;

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['BTCUSD']);
});
afterAll(() => hub.close());

const isoOf = (at: number): string => new Date(at).toISOString();

const startAt = (index: number): number => MINUTES.start[index] ?? 0;

const eventOf = (type: string, detail: object) => ({
  'detail-type': type,
  source: SERIES.source,
  // Older than the time for which a watermark waits for bars.
  time: isoOf(hub.runtime.clock().getTime() - 10_000),
  detail: { version: 1, timeframe: SERIES.timeframe, ...detail },
});

/** Builds the event of some bars. */
const barsEvent = (from: number, to: number) =>
  eventOf('Bars Closed', {
    symbol: SERIES.symbol,
    previous: isoOf(startAt(from - 1)),
    bars: Array.from({ length: to - from }, (_, index) => {
      const bar = barAt(MINUTES, from + index);
      return { ...bar, start: isoOf(bar?.start ?? 0) };
    }),
  });

const derived = (bars: BarColumns): BarColumns =>
  deriveBars(bars, calendarById(SERIES.calendar), '1m', '5m').bars;

test('a paper deployment on derived bars trades as its backtest, whatever the order and repeats of its bars', async () => {
  const owner = await trader(hub, { symbol: 'BTCUSD' });
  await appendBars(hub.runtime.store, SERIES, sliceBars(MINUTES, 0, WARM));
  const daily = setupOf(crossRules(2, 5, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] }));
  const legs = daily.legs.map((leg) => ({ ...leg, source: SERIES.timeframe }));
  const id = await hubDeployed(hub, owner, { ...daily, timeframe: '5m', legs });
  const workers = [worker(hub), worker(hub)];
  await Promise.all(workers.map((one) => startEngine(one, id)));
  const take = async (on: number, event: object): Promise<void> => {
    const one = workers[on % 2];
    if (one) await takeEngineEvent(one.engine, event);
  };
  let step = 0;
  for (let from = WARM; from < barCount(MINUTES); step++) {
    const middle = Math.min(from + 1 + (step % 4), barCount(MINUTES));
    const to = Math.min(middle + 1 + (step % 3), barCount(MINUTES));
    const events = [barsEvent(from, middle), ...(to > middle ? [barsEvent(middle, to)] : [])];
    // Every eighth pair arrives in the wrong order.
    if (step % 8 === 0) await Promise.all(events.toReversed().map((event, on) => take(on, event)));
    else for (const event of events) await take(step, event);
    if (step % 3 === 0) await take(step + 1, barsEvent(from, middle));
    if (step % 5 === 0) {
      const through = isoOf(startAt(to) || startAt(to - 1));
      await take(step, eventOf('Bars Complete', { through, symbols: [SERIES.symbol] }));
    }
    from = to;
  }
  const [series] = await findSeries(hub.runtime.store, SERIES.symbol, ['1m']);
  expect(series).toMatchObject({ count: barCount(MINUTES), late_bars: 0 });
  expect(hub.log.filter(({ level }) => level !== 'info')).toEqual([]);
  const bars = derived(MINUTES);
  const expected = await expectedFills(hub, id, sliceBars(bars, 0, barCount(bars) - 1));
  expect(expected.length).toBeGreaterThan(2);
  expect(await fillsOf(hub, id)).toEqual(expected);
});
