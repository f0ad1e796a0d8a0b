import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAsTested, testedRules } from '../../functions/console/app/backtests/as-tested.ts';
import { equityCsv, fileNameOf, tradesCsv } from '../../functions/console/app/backtests/export.ts';
import { joinedChart } from '../../functions/console/app/charts/models/joined-chart.ts';
import { axisOf, logAxisOf } from '../../functions/console/app/charts/models/plot.ts';
import { usualScale } from '../../functions/console/app/charts/models/scale.ts';
import { binsOf, quantileOf } from '../../functions/console/app/charts/models/trade-shape.ts';
import { windowOf } from '../../functions/console/app/charts/models/trade-window.ts';

const line = (...values: readonly number[]) => values.map((value, index) => ({ at: index, value }));

describe('the scale of equity', () => {
  test('shows amounts while the lines are alike', () => {
    expect(usualScale(line(100, 120, 130), line(100, 90, 150))).toEqual({ scale: 'amount', reason: '' });
    expect(usualScale(line(100, 120), [])).toEqual({ scale: 'amount', reason: '' });
  });

  test('is logarithmic if holding dwarfs the equity, or a line changes more than fivefold, and says so', () => {
    expect(usualScale(line(100, 104), line(100, 160))).toEqual({
      scale: 'log',
      reason: expect.stringMatching(/more than 4 times as much as the equity, so the scale is logarithmic/),
    });
    expect(usualScale(line(100, 600), line(100, 300))).toMatchObject({
      scale: 'log',
      reason: expect.stringMatching(/fivefold/),
    });
  });

  test('is in percent where there is no logarithm', () => {
    expect(usualScale(line(100, 99), line(100, -50)).scale).toBe('percent');
    expect(usualScale(line(0, 1), line(100, -50)).scale).toBe('amount');
  });
});

describe('axes', () => {
  const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 30 });

  test('hold all values between ticks that grow', () => {
    fc.assert(
      fc.property(values, (all) => {
        const { from, to, ticks } = axisOf(all);
        const room = (to - from) * 1e-6;
        expect(Math.min(...all)).toBeGreaterThanOrEqual(from - room);
        expect(Math.max(...all)).toBeLessThanOrEqual(to + room);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(12);
        expect(ticks).toEqual([...new Set(ticks)].toSorted((left, right) => left - right));
      }),
    );
  });

  test('of logarithms name round values', () => {
    const { ticks } = logAxisOf([9_000, 120_000_000]);
    expect(ticks.map((tick) => Math.round(10 ** tick))).toEqual([1e4, 1e5, 1e6, 1e7, 1e8]);
  });
});

describe('the distribution of returns', () => {
  const returns = fc.array(fc.double({ min: -99, max: 900, noNaN: true }), { minLength: 1, maxLength: 300 });

  test('counts each return once, in bins that follow each other and part at zero', () => {
    fc.assert(
      fc.property(returns, (all) => {
        const bins = binsOf(all);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
        for (const [index, { from, to }] of bins.entries()) {
          expect(from).toBeLessThan(to);
          expect(from < 0 && to > 0 && Number.isFinite(from) && Number.isFinite(to)).toBe(false);
          if (index > 0) expect(from).toBe(bins[index - 1]?.to);
        }
      }),
    );
  });

  test('has the middle of values', () => {
    expect([quantileOf([3, 1, 2]), quantileOf([1, 2]), quantileOf([])]).toEqual([2, 1.5, undefined]);
  });
});

describe('the bars of the chart of trades', () => {
  const tested = { first_bar: '2020-01-01T00:00:00.000Z', last_bar: '2020-12-31T00:00:00.000Z' };

  test('are all bars if they fit, and else the part with the entry of the trade', () => {
    const whole = windowOf({ ...tested, bars: 250 }, undefined, 6000);
    expect(whole).toEqual({ from: tested.first_bar, to: '2020-12-31T00:00:00.001Z' });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 365 }), (day) => {
        const entry_at = new Date(Date.UTC(2020, 0, 1 + day)).toISOString();
        const part = windowOf({ ...tested, bars: 90_000 }, { entry_at }, 6000);
        expect(entry_at >= part.from && entry_at <= part.to).toBe(true);
      }),
    );
  });

  test('join, with the values of lines and conditions', () => {
    const chart = (start: number) => ({
      symbol: 'SPY',
      timeframe: '1d' as const,
      time_zone: 'America/New_York',
      warmed_up: start > 0,
      bars: [[start, 1, 2, 0, 1, 9]],
      lines: [
        {
          label: 'SMA(2)',
          pane: 'price' as const,
          operand: { price: 'close' as const },
          levels: [],
          values: [start],
        },
      ],
      conditions: [{ text: 'close > 1', path: ['entries', 0], values: [1 as const] }],
    });
    expect(joinedChart([chart(0), chart(1)])).toMatchObject({
      warmed_up: false,
      bars: [[0], [1]].map(([start]) => [start, 1, 2, 0, 1, 9]),
      lines: [{ values: [0, 1] }],
      conditions: [{ values: [1, 1] }],
    });
    expect(joinedChart([])).toBeUndefined();
  });
});

describe('what was tested', () => {
  const rules = {
    schema: 'hub.rules/1' as const,
    entries: [],
    params: { fast: { default: 10, min: 5, max: 50 } },
  };
  const tested = { rules, params: { fast: 20 }, symbols: ['SPY', 'AAPL'], timeframe: '1d' as const };

  test('is saved with the values of its parameters as defaults', () => {
    expect(testedRules(tested).params).toEqual({ fast: { default: 20, min: 5, max: 50 } });
  });

  test('is what a strategy trades only with the same rules, values, symbols and bars', () => {
    const strategy = { rules: testedRules(tested), symbols: ['AAPL', 'SPY'], timeframe: '1d' as const };
    expect(isAsTested(tested, strategy)).toBe(true);
    // The order of keys says nothing.
    expect(
      isAsTested(tested, { ...strategy, rules: { params: strategy.rules.params, ...strategy.rules } }),
    ).toBe(true);
    expect(isAsTested(tested, { ...strategy, rules })).toBe(false);
    expect(isAsTested(tested, { ...strategy, rules: null })).toBe(false);
    expect(isAsTested(tested, { ...strategy, symbols: ['SPY'] })).toBe(false);
    expect(isAsTested(tested, { ...strategy, timeframe: '1h' })).toBe(false);
  });
});

describe('files of a backtest', () => {
  test('are CSV with exact figures', () => {
    const trade = {
      number: 1,
      symbol: 'SPY',
      side: 'long' as const,
      quantity: 0.1,
      entry_at: '2020-01-02T14:30:00.000Z',
      entry_price: 324.87,
      exit_at: '2020-01-03T14:30:00.000Z',
      exit_price: 321.16,
      exit_reason: 'exit',
      pnl: -0.371,
      fees: 0,
      return_pct: -1.14,
      bars: 1,
      mae_pct: 2.5,
    };
    const [head, row] = tradesCsv([trade]).split('\r\n');
    expect(head).toBe(
      'number,symbol,side,quantity,entry_at,entry_price,exit_at,exit_price,exit_reason,stop_loss,take_profit,bars,fees,pnl,return_pct,mae_pct,mfe_pct',
    );
    expect(row).toBe(
      '1,"SPY","long",0.1,"2020-01-02T14:30:00.000Z",324.87,"2020-01-03T14:30:00.000Z",321.16,"exit",,,1,0,-0.371,-1.14,2.5,',
    );
    const equity = [
      { at: '2020-01-02', equity: 100, drawdown_pct: 0 },
      { at: '2020-01-03', equity: 99, drawdown_pct: 1 },
    ];
    const benchmark = { return_pct: 1, max_drawdown_pct: 0, equity: [{ at: '2020-01-03', equity: 101 }] };
    expect(equityCsv({ equity, benchmark })).toBe(
      'at,equity,drawdown_pct,buy_and_hold\r\n"2020-01-02",100,0,\r\n"2020-01-03",99,1,101\r\n',
    );
  });

  test('have names of letters and digits only', () => {
    const backtest = { backtest_id: 7, symbols: ['BTCUSD', 'EURUSD'] };
    expect(fileNameOf({ ...backtest, backtest_name: null }, 'trades')).toBe('BTCUSD-EURUSD-7-trades');
    expect(fileNameOf({ ...backtest, backtest_name: '../"Évening"\n<script>' }, 'report')).toBe(
      'Evening-script-7-report',
    );
    expect(fileNameOf({ ...backtest, backtest_name: '…' }, 'report')).toBe('backtest-7-report');
  });
});
