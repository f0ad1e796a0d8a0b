import fc from 'fast-check';
import { listShipped, readShipped } from '../../../../infra/candles/load.ts';
import { firstBarFrom, sliceBars } from '../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../../../shared/domain/engine/backtest/backtest.ts';
import { marketTimeOf } from '../../../../shared/domain/engine/market-time.ts';
import { plainStatistics } from '../../../support/plain-statistics.ts';
import { randomBacktests } from '../../../support/random-backtests.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { plainRules } from '../../../support/rules.ts';
import { barsAt, closeIs, smallBacktest, symbolsBacktest } from '../../../support/small-backtests.ts';
import { soakable } from '../../../support/soak.ts';

const DAY_MS = 86_400_000;

/** Amounts are rounded to the minor unit of the currency. */
const AMOUNTS = new Set(['avg_win', 'avg_loss', 'expectancy', 'largest_win', 'largest_loss']);

const expectFigures = (actual: object, expected: object): void => {
  for (const [name, value] of Object.entries(actual)) {
    const plain = Object.entries(expected).find(([key]) => key === name)?.[1];
    if (typeof plain !== 'number' || typeof value !== 'number') expect([name, value]).toEqual([name, plain]);
    else {
      const allowed = (AMOUNTS.has(name) ? 0.0051 : 1e-9) + 1e-6 * Math.abs(plain);
      expect([name, Math.abs(value - plain) <= allowed, value, plain]).toEqual([name, true, value, plain]);
    }
  }
};

test('every statistic of random backtests is the one computed plainly from trades and equity', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }).chain((legs) => randomBacktests(legs, 120)),
      (backtest) => {
        const result = runBacktest(backtest.input, backtest.bars);
        if (!result.statistics) return;
        compared += 1;
        const plain = plainStatistics(backtest, result);
        // Bars within which levels were touched are no matter of trades and equity.
        const { buy_and_hold_pct: hold, ambiguous_bars, resolved_bars, ...others } = result.statistics;
        const { exposure_pct, ...statistics } = others;
        expectFigures(statistics, plain.statistics);
        if (backtest.input.account.fill_at === 'next_open') expectFigures({ exposure_pct }, plain.statistics);
        expect(result.monthly_returns.map(({ month }) => month)).toEqual(
          plain.monthly_returns.map(({ month }) => month),
        );
        for (const [index, { return_pct }] of result.monthly_returns.entries()) {
          expect(return_pct).toBeCloseTo(plain.monthly_returns[index]?.return_pct ?? Number.NaN, 6);
        }
        expect(hold).toBe(result.benchmark.return_pct);
        expect(result.benchmark.equity[0]?.at ?? null).toBe(result.first_evaluated_bar);
        if (hold !== null) {
          const capital = backtest.input.account.starting_capital;
          expect((result.benchmark.equity.at(-1)?.equity ?? 0) / capital).toBeCloseTo(1 + hold / 100, 9);
        }
      },
    ),
    { numRuns: soakable(200, 5000) },
  );
  expect(compared).toBeGreaterThan(100);
});

/** Holds shipped candles with equal shares of 10,000, from the third bar of each on. */
const held = (
  timeframe: '1h' | '1d',
  [from, to]: readonly [number, number],
  steps: Readonly<Record<string, [calendar: string, step: number]>>,
) => {
  const markets = Object.entries(steps).map(([symbol, [calendar, size_step]], _, { length }) => {
    const series = listShipped().find((one) => one.symbol === symbol && one.timeframe === timeframe);
    if (!series) throw new Error(`no candles of ${symbol} are shipped`);
    const all = readShipped(series);
    const bars = sliceBars(all, firstBarFrom(all, from), firstBarFrom(all, to));
    const time = marketTimeOf(calendarById(calendar));
    const leg = { symbol, share: 1 / length, time, size_step, contract_size: 1, direction: 'both' as const };
    return { bars, calendar, leg };
  });
  return runBacktest(
    {
      rules: plainRules({
        schema: 'hub.rules/1',
        entries: [{ side: 'long', when: { left: { price: 'close' }, op: 'gt', right: 0 } }],
      }),
      timeframe,
      account: plainSettings(10_000),
      currency: 'USD',
      days: tradingDaysOf(markets.map(({ calendar }) => calendar)),
      legs: markets.map(({ leg }) => leg),
    },
    markets.map(({ bars }) => bars),
  );
};

test('annual figures count the trading days of the markets: expected values of another program', () => {
  const hours = held('1h', [Date.UTC(2018, 0), Date.UTC(2019, 0)], { EURUSD: ['forex', 0.001] });
  // With days of UTC, six a week, and 252 a year it would be 6.55.
  expect(hours.statistics?.volatility_pct).toBeCloseTo(7.195993773, 6);
  const mix = held('1d', [Date.UTC(2015, 0, 13), Date.UTC(2018, 7, 14)], {
    SPY: ['us', 1],
    BTCUSD: ['always', 0.00001],
  });
  expect(mix.statistics?.volatility_pct).toBeCloseTo(64.650565145, 6);
});

test('a thinned curve keeps the highs and lows of equity and drawdown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 501, max: 6000 }), (seed, count) => {
      const bars = randomBars(seed, count, '1h');
      const rules = { entries: [{ side: 'long', when: { left: { price: 'close' }, op: 'gt', right: 0 } }] };
      const every = smallBacktest(rules, bars, { timeframe: '1h' });
      const thinned = smallBacktest(rules, bars, { timeframe: '1h', curve: 'thinned' });
      const equities = (points: typeof every.equity) => points.map(({ equity }) => equity);
      const falls = (points: typeof every.equity) => points.map(({ drawdown_pct }) => drawdown_pct);
      for (const valuesOf of [equities, falls]) {
        expect(Math.max(...valuesOf(thinned.equity))).toBe(Math.max(...valuesOf(every.equity)));
        expect(Math.min(...valuesOf(thinned.equity))).toBe(Math.min(...valuesOf(every.equity)));
      }
      expect(Math.max(...falls(thinned.equity))).toBe(thinned.statistics?.max_drawdown_equity_pct);
      expect(Math.max(10_000, ...equities(thinned.equity))).toBe(thinned.statistics?.equity_peak);
      // Each listed drawdown is on the curve as deep as the list says.
      const deepest = every.drawdowns[0];
      expect(falls(thinned.equity)).toContain(deepest?.depth_pct);
      expect(thinned.equity.length).toBeLessThanOrEqual(500);
      expect([thinned.equity[0], thinned.equity.at(-1)]).toEqual([every.equity[0], every.equity.at(-1)]);
      expect(thinned.benchmark.equity[0]).toEqual(every.benchmark.equity[0]);
      const known = new Map(every.equity.map((point) => [point.at, point]));
      for (const point of thinned.equity) expect(point).toEqual(known.get(point.at));
    }),
    { numRuns: 30 },
  );
});

test('monthly returns, drawdowns and buying and holding of a small backtest', () => {
  const start = Date.UTC(2024, 0, 29);
  const bars = barsAt([100, 100, 110, 99, 104.5, 121, 118], (index) => start + index * DAY_MS);
  const result = smallBacktest(
    { entries: [{ side: 'long', when: closeIs(100), size: { type: 'units', units: 50 } }] },
    bars,
  );
  expect(result.equity.map(({ equity }) => equity)).toEqual([
    10_000, 10_000, 10_000, 9_450, 9_725, 10_550, 10_400,
  ]);
  expect(result.monthly_returns).toEqual([
    { month: '2024-01', return_pct: 0 },
    { month: '2024-02', return_pct: expect.closeTo(4, 9) },
  ]);
  expect(result.drawdowns).toEqual([
    { from: bars.start[2], trough: bars.start[3], to: bars.start[5], depth_pct: expect.closeTo(5.5, 9) },
    {
      from: bars.start[5],
      trough: bars.start[6],
      to: null,
      depth_pct: expect.closeTo(100 * (150 / 10_550), 9),
    },
  ]);
  expect(result.statistics).toMatchObject({
    max_drawdown_s: (3 * DAY_MS) / 1000,
    avg_drawdown_pct: expect.closeTo((5.5 + 15_000 / 10_550) / 2, 9),
    buy_and_hold_pct: expect.closeTo(18, 9),
    exposure_pct: expect.closeTo((5 / 7) * 100, 9),
    equity_peak: 10_550,
    trades_count: 0,
    sqn: null,
    kelly: null,
  });
  expect(result.benchmark.equity.at(-1)?.equity).toBeCloseTo(11_800, 6);
});

test('a curve keeps at most 500 points, and the last bar', () => {
  const bars = barsAt(Array.from({ length: 2_750 }, (_, index) => 100 + (index % 7)));
  const rules = { entries: [{ side: 'long' as const, when: closeIs(103) }] };
  const every = smallBacktest(rules, bars);
  expect(every.equity.length).toBe(2_750);
  const thinned = smallBacktest(rules, bars, { curve: 'thinned' });
  expect(thinned.equity.length).toBeGreaterThan(250);
  expect(thinned.equity.length).toBeLessThanOrEqual(500);
  expect(thinned.equity.at(-1)).toEqual(every.equity.at(-1));
  const points = new Map(every.equity.map((point) => [point.at, point]));
  for (const point of thinned.equity) expect(point).toEqual(points.get(point.at));
  expect(thinned.statistics).toEqual(every.statistics);
});

test('symbols without trades have no drawdown, although their shares of the capital are rounded', () => {
  const bars = barsAt([100, 101, 100, 102]);
  const rules = { entries: [{ side: 'long' as const, when: closeIs(99) }] };
  for (const starting_capital of [1_000, 10_000, 100_000]) {
    const { statistics, drawdowns } = symbolsBacktest(
      rules,
      { A: bars, B: bars, C: bars },
      { account: { starting_capital } },
    );
    expect(drawdowns).toEqual([]);
    expect(statistics).toMatchObject({
      max_drawdown_equity_pct: 0,
      max_drawdown_s: null,
      avg_drawdown_pct: null,
      total_return_pct: 0,
    });
  }
});

test('trades of several symbols are counted in the order of closing, whatever the order of the symbols', () => {
  const rules = {
    entries: [{ side: 'long', when: closeIs(100), stop_loss: { type: 'percent', percent: 5 } }],
    exits: [{ side: 'long', when: closeIs(104) }],
  };
  // The stop of A fills on bar 4, which also books the exit of B at the close of bar 3.
  const A = barsAt([99, 100, 100, 100, [100, 100, 90, 92], 92]);
  const B = barsAt([99, 100, 102, 104, 104, 104]);
  const options = { account: { fill_at: 'signal_close' } } as const;
  const results = [symbolsBacktest(rules, { A, B }, options), symbolsBacktest(rules, { B, A }, options)];
  for (const { trades, statistics } of results) {
    expect(trades.map(({ number, symbol, exit_bar }) => [number, symbol, exit_bar])).toEqual([
      [1, 'B', 3],
      [2, 'A', 4],
    ]);
    expect(statistics?.max_drawdown_abs).toBe(250);
    expect(statistics?.max_drawdown_pct).toBeCloseTo(100 * (250 / 10_200), 9);
  }
});

test('equity that differs from its peak by rounding is no drawdown', () => {
  const rules = {
    entries: [{ side: 'long', when: closeIs(36.34) }],
    exits: [{ side: 'long', when: closeIs(43.07), portion: 0.1 }],
  };
  for (const size_step of [1e-8, 0.001, 0.1]) {
    for (const starting_capital of [1_000, 2_500, 10_000]) {
      const bars = barsAt([36, 36.34, 36.34, 43.07, 43.07, 43.07, 43.07, 43.07, 43.07]);
      const { statistics, drawdowns } = smallBacktest(rules, bars, {
        account: { size_step, starting_capital },
      });
      expect([size_step, starting_capital, drawdowns]).toEqual([size_step, starting_capital, []]);
      expect(statistics?.avg_drawdown_pct).toBeNull();
    }
  }
});
