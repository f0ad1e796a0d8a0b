import { beforeEach, describe, expect, test } from '@jest/globals';
import { BookMemory } from '../../../shared/data/books/book-memory.ts';
import { historyKey } from '../../../shared/data/books/equity-history.ts';
import { packLedger } from '../../../shared/data/books/packed-ledger.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { removeSeries } from '../../../shared/data/candles/import-bars.ts';
import { asDeployment } from '../../../shared/data/deployments/deployments.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import {
  type BarColumns,
  barAt,
  barCount,
  columnsOf,
  sliceBars,
} from '../../../shared/domain/candles/bars.ts';
import { HUB_SOURCE } from '../../../shared/domain/deployments/event-source.ts';
import { openLedger } from '../../../shared/domain/ledger/ledger-state.ts';
import { addDays, dayOf } from '../../../shared/domain/periods.ts';
import { closeMarketDays } from '../../../shared/lifecycle/close-days.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import { performanceOf } from '../../../shared/lifecycle/performance.ts';
import { DAILY, sessionBars } from '../../support/candles.ts';
import { takeEvent } from '../../support/functions/execution-events.ts';
import { hubDeployed, setupOf } from '../../support/hub-deployments.ts';
import { openHub } from '../../support/open-hub.ts';
import { crossRules } from '../../support/rules.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployedTrader, report, reportOrder, trader } from '../../support/trading.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const CAPITAL = 10_000;
const QUANTITY = 10;

const hub = await openHub((opened) => furnishWithInstruments(opened, ['SPY', 'BTCUSD']));
beforeEach(async () => {
  hub.advance(1000);
  await removeSeries(hub.runtime.store, DAILY);
});

const curveOf = async (id: number) => {
  const [item, history] = await hub.runtime.store.getMany([keys.deployment(id), historyKey(id)], {
    consistent: true,
  });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') throw new Error('not a trading deployment');
  return performanceOf(deployment, [history], hub.runtime.clock()).equity_curve;
};

describe('days of a deployment of an engine outside', () => {
  const minutes = {
    ...DAILY,
    symbol: 'BTCUSD',
    timeframe: '1m',
    asset_class: 'crypto',
    calendar: 'always',
  } as const;

  const trade = (end: number, close: number) => {
    const bar = { start: end - MINUTE, open: close, high: close, low: close, close, volume: 1 };
    return appendBars(hub.runtime.store, minutes, columnsOf([bar]));
  };

  test('close at the price of their last bar, unless a quote or fill is newer', async () => {
    const { id } = await deployedTrader(hub, {}, 'BTCUSD');
    const today = dayOf(hub.runtime.clock().getTime() + DAY);
    const midnight = Date.parse(`${today}T00:00Z`);
    hub.advance(midnight - hub.runtime.clock().getTime());
    await reportOrder(hub, id, { client_order_id: 'a', symbol: 'BTCUSD', quantity: String(QUANTITY) });
    await trade(midnight + DAY, 105);
    // Bars of the next day have come before the job runs.
    await trade(midnight + DAY + MINUTE, 999);
    hub.advance(DAY + MINUTE);
    await closeEquityDays(hub.runtime, id, today);
    expect((await curveOf(id)).find(({ day }) => day === today)?.equity).toBe(CAPITAL + 50);
    await report(hub, 'Quote Marked', id, { symbol: 'BTCUSD', price: 107 });
    await trade(midnight + DAY + 2 * MINUTE - MINUTE, 999);
    hub.advance(DAY);
    const tomorrow = addDays(today, 1);
    await closeEquityDays(hub.runtime, id, tomorrow);
    expect((await curveOf(id)).find(({ day }) => day === tomorrow)?.equity).toBe(CAPITAL + 70);
    hub.takeCalls();
    await closeEquityDays(hub.runtime, id, tomorrow);
    expect(hub.takeCalls()).toEqual(['BatchGetItem']);
  });
});

describe('days of a deployment that the hub runs', () => {
  const bars = sessionBars('2015-03-02', 250);
  const barOf = (index: number) => {
    const bar = barAt(bars, index);
    if (!bar) throw new RangeError(`there is no bar ${index}`);
    return bar;
  };

  /** A deployment that began at the first bar. */
  const begun = async () => {
    const owner = await trader(hub, { symbol: 'SPY' });
    const id = await hubDeployed(hub, owner, setupOf(crossRules(2, 4), ['SPY']));
    const started_at = new Date(barOf(0).start).toISOString();
    const ledger = openLedger({
      started_at,
      starting_capital: CAPITAL,
      calendars: ['us'],
      symbols: ['SPY'],
    });
    await changeDeployment(hub.runtime, id, (deployment) =>
      deployment?.kind === 'live'
        ? {
            deployment: { ...deployment, engine: 'hub', ledger: packLedger(ledger) },
            notifications: [],
            at: new Date(started_at),
          }
        : undefined,
    );
    return id;
  };

  const fill = (id: number, index: number, side: 'buy' | 'sell', memory?: BookMemory) =>
    takeEvent(
      hub.runtime,
      {
        'detail-type': 'Order Updated',
        source: HUB_SOURCE,
        detail: {
          version: 1,
          deployment_id: id,
          occurred_at: new Date(barOf(index).start).toISOString(),
          client_order_id: `SPY:${index}:${side}`,
          sequence: 1,
          symbol: 'SPY',
          side,
          order_type: 'market',
          quantity: QUANTITY,
          status: 'filled',
          filled_quantity: QUANTITY,
          average_price: barOf(index).open,
          fees: 0,
        },
      },
      { memory },
    );

  /** Equity at the close of each bar, with fills at the opens of given bars: bought at even places, sold at odd ones. */
  const expectedCurve = (fills: readonly number[], count: number) => {
    let [cash, held] = [CAPITAL, 0];
    return Array.from({ length: count }, (_, index) => {
      const bar = barOf(index);
      if (fills.includes(index)) {
        const bought = fills.indexOf(index) % 2 === 0 ? QUANTITY : -QUANTITY;
        cash -= bought * bar.open;
        held += bought;
      }
      return { day: dayOf(bar.start), equity: cash + held * bar.close };
    });
  };

  const feed = (part: BarColumns) => appendBars(hub.runtime.store, DAILY, part);

  /** Compares the days of bars; days without a session show the equity of the day before. */
  const expectCurve = async (id: number, fills: readonly number[], count: number) => {
    const shown = new Map((await curveOf(id)).map(({ day, equity }) => [day, equity]));
    const expected = expectedCurve(fills, count);
    expect(expected.map(({ day }) => ({ day, equity: shown.get(day) }))).toEqual(expected);
  };

  test('close before the fills of a replay, with the curve of its bars', async () => {
    const fills = [5, 17, 18, 80, 81, 82, 200, 221];
    const id = await begun();
    const memory = new BookMemory();
    for (const [place, index] of fills.entries()) {
      await closeMarketDays(hub.runtime, id, barOf(index).start, memory);
      await fill(id, index, place % 2 === 0 ? 'buy' : 'sell', memory);
      // All bars were appended at once, before the first fill was booked.
      if (place === 0) await feed(bars);
    }
    await closeMarketDays(hub.runtime, id, barOf(barCount(bars) - 1).start, memory);
    await expectCurve(id, fills, 240);
  });

  test('close by the job up to the day before the newest bar, however late it is', async () => {
    const id = await begun();
    const known = sliceBars(bars, 0, 8);
    await feed(known);
    await fill(id, 2, 'buy');
    await closeEquityDays(hub.runtime, id, dayOf(hub.runtime.clock().getTime()));
    // The current day, of the newest bar, is the last.
    expect((await curveOf(id)).at(-1)?.day).toBe(dayOf(barOf(7).start));
    await expectCurve(id, [2], 7);
  });

  test('close again with a fill that the engine booked after the job', async () => {
    const id = await begun();
    await feed(sliceBars(bars, 0, 8));
    await closeEquityDays(hub.runtime, id, '2026-01-01');
    await fill(id, 2, 'buy');
    await closeEquityDays(hub.runtime, id, '2026-01-01');
    await feed(sliceBars(bars, 8, 12));
    await closeEquityDays(hub.runtime, id, '2026-01-01');
    await expectCurve(id, [2], 11);
  });

  test('go no further in a round than fills may be late', async () => {
    const id = await begun();
    await feed(bars);
    await closeEquityDays(hub.runtime, id, '2026-01-01');
    await fill(id, 2, 'buy');
    await fill(id, 3, 'sell');
    await closeEquityDays(hub.runtime, id, '2026-01-01');
    await expectCurve(id, [2, 3], 12);
  });

  test('need a setup', async () => {
    const { id } = await deployedTrader(hub, {}, 'SPY');
    hub.takeCalls();
    await closeMarketDays(hub.runtime, id, hub.runtime.clock().getTime() + 30 * DAY);
    expect(hub.takeCalls()).toEqual(['BatchGetItem']);
  });
});
