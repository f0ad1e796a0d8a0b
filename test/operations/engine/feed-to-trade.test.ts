import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { closedUntil } from '../../../shared/data/candles/read-candles.ts';
import { findSeries, type SeriesFacts } from '../../../shared/data/candles/series.ts';
import { anchorOf } from '../../../shared/domain/candles/anchor.ts';
import {
  type BarColumns,
  barAt,
  barCount,
  firstBarFrom,
  sliceBars,
} from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { deriveBars } from '../../../shared/domain/candles/derive.ts';
import { nextSlot } from '../../../shared/domain/candles/slots.ts';
import type { SourceTimeframe } from '../../../shared/domain/candles/timeframes.ts';
import type { Timeframe } from '../../../shared/domain/strategies/strategies.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { BITCOIN, expectedFills, fillsOf, hubDeployed, setupOf } from '../../support/hub-deployments.ts';
import { startEngine, worker } from '../../support/hub-engine.ts';
import { randomBars } from '../../support/random-bars.ts';
import { crossRules } from '../../support/rules.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { trader } from '../../support/trading.ts';

const COUNT = soakable(280, 1000);
const WARM = 100;

const facts = <T extends Partial<SeriesFacts>>(symbol: string, more: T) => ({ ...BITCOIN, symbol, ...more });

/** Returns hours of a share with gaps, from before a change of the clocks on. They start with the session. */
const hoursOf = (calendar: string): BarColumns => {
  const { start: walk, ...prices } = randomBars(8, COUNT, '1h');
  const start = new Float64Array(COUNT);
  let at = Date.parse('2020-02-19T00:00Z');
  for (let index = 0; index < COUNT; index += 1) {
    const isAfterGap = (walk[index] ?? 0) - (walk[index - 1] ?? 0) > 3_600_000;
    for (let left = isAfterGap ? 3 : 1; left > 0; left -= 1)
      at = nextSlot(calendarById(calendar), '1h', at) ?? at;
    start[index] = at;
  }
  return { ...prices, start };
};

const SHARE = { timeframe: '1h', asset_class: 'equity' } as const;
const NEW_YORK = 'us@09:30';
const LONDON = 'weekdays:Europe/London@08:30';

/** Series of bars with gaps, and the larger bars that the rules see. */
const CASES: readonly (readonly [
  SeriesFacts & { readonly timeframe: SourceTimeframe },
  Timeframe,
  BarColumns,
])[] = [
  [facts('BTCUSD', { timeframe: '1m' } as const), '5m', randomBars(6, COUNT, '1m')],
  [facts('SPY', { ...SHARE, calendar: NEW_YORK }), '4h', hoursOf(NEW_YORK)],
  [facts('AAPL', { ...SHARE, calendar: NEW_YORK }), '1d', hoursOf(NEW_YORK)],
  [facts('MSFT', { ...SHARE, calendar: LONDON }), '4h', hoursOf(LONDON)],
];

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(
    hub,
    CASES.map(([{ symbol }]) => symbol),
  );
});
afterAll(() => hub.close());

const isoOf = (at: number): string => new Date(at).toISOString();

/** Builds the events of a series. */
const eventsOf = ({ symbol, timeframe, source, calendar }: SeriesFacts, all: BarColumns) => {
  const eventOf = (type: string, detail: object) => ({
    'detail-type': type,
    source,
    // Older than the time for which a watermark waits for bars.
    time: isoOf(hub.runtime.clock().getTime() - 10_000),
    detail: { version: 1, timeframe, ...detail },
  });
  return {
    bars: (from: number, to: number) =>
      eventOf('Bars Closed', {
        symbol,
        anchor: anchorOf(calendar).anchor,
        previous: isoOf(all.start[from - 1] ?? 0),
        bars: Array.from({ length: to - from }, (_, index) => {
          const bar = barAt(all, from + index);
          return { ...bar, start: isoOf(bar?.start ?? 0) };
        }),
      }),
    complete: (through: number) => eventOf('Bars Complete', { through: isoOf(through), symbols: [symbol] }),
  };
};

test.each(CASES.map(([own, timeframe, bars]) => ({ ...own, own, timeframe, bars })))(
  'a paper deployment on bars of $timeframe from a series of $calendar trades as its backtest, whatever the order and repeats of its bars',
  async ({ own, timeframe, bars: all }) => {
    const { symbol, timeframe: source, calendar, asset_class } = own;
    const owner = await trader(hub, { symbol });
    await appendBars(hub.runtime.store, own, sliceBars(all, 0, WARM));
    const daily = setupOf(crossRules(1, 2, { exits: [{ side: 'long', when: { bars_in_trade: 3 } }] }), [
      symbol,
    ]);
    const legs = daily.legs.map((leg) => ({ ...leg, source, calendar, asset_class }));
    const id = await hubDeployed(hub, owner, { ...daily, timeframe, legs });
    const workers = [worker(hub), worker(hub)];
    await Promise.all(workers.map((one) => startEngine(one, id)));
    const take = async (on: number, event: object): Promise<void> => {
      const one = workers[on % 2];
      if (one) await takeEngineEvent(one.engine, event);
    };
    const events = eventsOf(own, all);
    const startAt = (index: number): number => all.start[index] ?? 0;
    let step = 0;
    for (let from = WARM; from < barCount(all); step++) {
      const middle = Math.min(from + 1 + (step % 4), barCount(all));
      const to = Math.min(middle + 1 + (step % 3), barCount(all));
      const sent = [events.bars(from, middle), ...(to > middle ? [events.bars(middle, to)] : [])];
      // Every eighth pair arrives in the wrong order.
      if (step % 8 === 0) await Promise.all(sent.toReversed().map((event, on) => take(on, event)));
      else for (const event of sent) await take(step, event);
      if (step % 3 === 0) await take(step + 1, events.bars(from, middle));
      if (step % 5 === 0) await take(step, events.complete(startAt(to) || startAt(to - 1)));
      from = to;
    }
    const [series] = await findSeries(hub.runtime.store, symbol, [source]);
    if (!series) throw new Error('no series');
    expect(series).toMatchObject({ count: barCount(all), late_bars: 0 });
    expect(hub.log.filter(({ level }) => level !== 'info')).toEqual([]);
    const { bars } = deriveBars(all, calendarById(calendar), source, timeframe);
    const closed = sliceBars(bars, 0, firstBarFrom(bars, closedUntil(series, timeframe)));
    const expected = await expectedFills(hub, id, closed);
    expect(expected.length).toBeGreaterThan(2);
    expect(await fillsOf(hub, id)).toEqual(expected);
  },
);
