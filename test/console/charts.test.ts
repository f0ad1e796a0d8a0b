import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lengthOf, markersOf } from '../../functions/console/app/charts/models/candles.ts';
import { heatOf } from '../../functions/console/app/charts/models/heat.ts';
import {
  drawdownLine,
  equityLine,
  evenlySpaced,
  growthLine,
  thinned,
} from '../../functions/console/app/charts/models/lines.ts';
import { monthOf, yearsOf } from '../../functions/console/app/charts/models/months.ts';
import { heldAt, rulesLines } from '../../functions/console/app/charts/models/rules-chart.ts';
import { SPARK_BOX, sparkPath } from '../../functions/console/app/charts/models/spark.ts';
import {
  candlesSummary,
  equitySummary,
  recordSummary,
} from '../../functions/console/app/charts/models/summaries.ts';
import { sweepGridOf, variedParams } from '../../functions/console/app/charts/models/sweep-grid.ts';
import { timeAxisOf } from '../../functions/console/app/charts/models/time-axis.ts';
import { formatsFor } from '../../functions/console/app/format.ts';
import type { RulesChart, RulesOperand } from '../../infra/client/package/src/index.ts';

const at = (text: string): number => Date.parse(text);
const english = formatsFor('en-US', 'UTC');

describe('time axis', () => {
  test('shows the clock of the user', () => {
    const axis = timeAxisOf([at('2026-03-02T10:00:00Z')], { isDaily: false, offsetOf: () => -300 });
    expect(axis.secondsOf(at('2026-03-02T10:00:00Z'))).toBe(at('2026-03-02T05:00:00Z') / 1000);
    expect(axis.millisOf(at('2026-03-02T05:00:00Z') / 1000)).toBe(at('2026-03-02T10:00:00Z'));
  });

  test('grows when clocks go back', () => {
    const change = at('2026-11-01T06:00:00Z');
    const hours = [-1, 0, 1, 2].map((hour) => change + hour * 3_600_000);
    const axis = timeAxisOf(hours, { isDaily: false, offsetOf: (millis) => (millis < change ? -240 : -300) });
    const seconds = hours.map((hour) => axis.secondsOf(hour) ?? 0);
    expect(seconds).toEqual([...seconds].sort((left, right) => left - right));
    expect(new Set(seconds).size).toBe(4);
    expect(seconds.map((second) => axis.millisOf(second))).toEqual(hours);
  });

  test('shows days of every exchange as days', () => {
    const newYork = at('2026-03-02T05:00:00Z');
    const axis = timeAxisOf([newYork], { isDaily: true, offsetOf: () => 720 });
    expect(axis.secondsOf(newYork)).toBe(at('2026-03-02T00:00:00Z') / 1000);
  });

  test('finds the bar of a moment', () => {
    const axis = timeAxisOf([1_000, 3_000, 2_000], { isDaily: false, offsetOf: () => 0 });
    expect([500, 1_000, 1_999, 9_000].map(axis.secondsAt)).toEqual([undefined, 1, 1, 3]);
  });
});

describe('lines', () => {
  const points = [
    { at: '2026-01-01', equity: 100 },
    { at: '2026-01-03', equity: 90 },
    { at: '2026-01-02', equity: 120 },
    { at: 'never', equity: 1 },
    { at: '2026-01-04', equity: Number.NaN },
  ];

  test('are in the order of time, without impossible points', () => {
    expect(equityLine(points).map(({ value }) => value)).toEqual([100, 120, 90]);
  });

  test('drawdown is that of the service, or computed', () => {
    expect(drawdownLine(points).map(({ value }) => value)).toEqual([0, 0, -25]);
    expect(drawdownLine([{ at: '2026-01-01', equity: 90, drawdown_pct: 10 }])[0]?.value).toBe(-10);
  });

  test('growth begins at zero', () => {
    expect(growthLine(equityLine(points)).map(({ value }) => Math.round(value))).toEqual([0, 20, -10]);
    expect(growthLine([{ at: 0, value: 0 }])).toEqual([]);
  });

  test('are thinned to their ends and evenly spaced points', () => {
    const numbers = Array.from({ length: 1001 }, (_, index) => index);
    const few = thinned(numbers, 11);
    expect(few).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
    expect(thinned([1, 2], 11)).toEqual([1, 2]);
  });

  test('with other bars and other spans share an axis that is true to time', () => {
    const day = 86_400_000;
    const years = Array.from({ length: 3651 }, (_, index) => ({ at: index * day, value: index }));
    const hours = Array.from({ length: 8761 }, (_, index) => ({
      at: 365 * day + (index * day) / 24,
      value: index,
    }));
    const [long = [], short = []] = evenlySpaced([years, hours], 1001);
    expect(long).toHaveLength(1001);
    expect(short.length).toBeGreaterThanOrEqual(100);
    expect(short.length).toBeLessThanOrEqual(102);
    expect([long.at(0)?.value, long.at(-1)?.value]).toEqual([0, 3650]);
    expect([short.at(-1)?.value, short.every(({ at }) => at >= 365 * day)]).toEqual([8760, true]);
    const gaps = new Set(long.slice(1).map(({ at }, index) => Math.round(at - (long[index]?.at ?? 0))));
    expect(gaps.size).toBe(1);
  });

  test('with the same times keep them', () => {
    const line = [1, 2, 9].map((at) => ({ at, value: at }));
    expect(evenlySpaced([line, line], 2)).toEqual([line, line]);
    expect(evenlySpaced([line, []], 2)).toEqual([line, []]);
    expect(evenlySpaced([], 2)).toEqual([]);
  });

  test('have a sentence for people who do not see them', () => {
    const facts = {
      equity: equityLine(points),
      drawdown: drawdownLine(points),
      held: null,
      currency: 'USD',
      timeframe: '1d',
    };
    expect(equitySummary(facts, english)).toBe(
      'Equity fell to $90.00 on Jan 3, 2026, from $100.00 on Jan 1, 2026 (-10.00%). The deepest fall shown was 25.00%, on Jan 3, 2026.',
    );
    expect(equitySummary({ ...facts, drawdown: [], held: 10 }, english)).toContain('holding made +10.00%.');
    expect(equitySummary({ ...facts, equity: [] }, english)).toBe('No equity yet.');
  });
});

describe('candles', () => {
  const candles = [0, 1, 2].map((hour) => ({
    start: new Date(at('2026-03-02T10:00:00Z') + hour * 3_600_000).toISOString(),
    open: 1,
    high: 2,
    low: 0.5,
    close: 1.5,
  }));
  const axis = timeAxisOf(
    candles.map(({ start }) => at(start)),
    { isDaily: false, offsetOf: () => 0 },
  );
  const second = (text: string): number => at(text) / 1000;
  const percentText = (points: number): string => `${points}%`;

  test('mark the bars of entries and exits', () => {
    const trade = {
      side: 'long',
      number: 3,
      entry_at: '2026-03-02T10:00:00Z',
      entry_price: 1,
      return_pct: -2,
    } as const;
    const closed = { ...trade, exit_at: '2026-03-02T12:59:00Z', exit_price: 2 };
    expect(markersOf([closed], candles, axis, 3_600_000, percentText)).toEqual([
      { time: second('2026-03-02T10:00:00Z'), action: 'buy', isEntry: true, tone: 'plain', text: 'Buy 3' },
      {
        time: second('2026-03-02T12:00:00Z'),
        action: 'sell',
        isEntry: false,
        tone: 'loss',
        text: 'Sell 3 -2%',
      },
    ]);
    const short = { ...closed, side: 'short', return_pct: 2 } as const;
    expect(
      markersOf([short], candles, axis, 3_600_000, percentText).map(({ action, tone }) => [action, tone]),
    ).toEqual([
      ['sell', 'plain'],
      ['buy', 'gain'],
    ]);
  });

  test('mark nothing outside of the bars, and no exit of an open trade', () => {
    const open = { side: 'long', entry_at: '2026-03-02T11:30:00Z', entry_price: 1, exit_at: null } as const;
    const before = { ...open, entry_at: '2026-03-02T09:59:00Z', exit_at: '2026-03-02T13:00:00Z' };
    expect(markersOf([open, before], candles, axis, 3_600_000, percentText).map(({ time }) => time)).toEqual([
      second('2026-03-02T11:00:00Z'),
    ]);
    expect(markersOf([open], [], timeAxisOf([], { isDaily: true }), 1, percentText)).toEqual([]);
  });

  test('have sentences for people who do not see them', () => {
    const trade = { side: 'short', entry_at: '2026-03-02T10:00:00Z', entry_price: 1.5 } as const;
    expect(candlesSummary({ candles, trades: [trade], timeframe: '1d' }, english)).toBe(
      '3 bars from Mar 2, 2026 to Mar 3, 2026, the last close at 1.50. Sold at 1.50 on Mar 2, 2026, still open.',
    );
    expect(candlesSummary({ candles: [], trades: [], timeframe: '1d' }, english)).toBe('No candles.');
  });

  test('have the length of their timeframe', () => {
    expect(lengthOf('4h')).toBe(4 * 3_600_000);
  });
});

describe('heat', () => {
  test('has a tone by sign, and the strength of the farthest value', () => {
    const heat = heatOf([10, -5, null]);
    expect(heat(10)).toEqual({ tone: 'gain', strength: 1 });
    expect(heat(-5)).toEqual({ tone: 'loss', strength: 0.5 });
    expect([heat(0), heat(null)].map(({ tone }) => tone)).toEqual(['none', 'none']);
    expect(heatOf([1, 3], { neutral: 1 })(0.5).tone).toBe('loss');
    expect(heatOf([10, 30], { neutral: 20, isLessBetter: true })(10).tone).toBe('gain');
    expect(heatOf([])(1).tone).toBe('none');
  });

  test('months are arranged by year, and a year is compounded', () => {
    const [first, second] = yearsOf([
      { month: '2026-01', return_pct: -50 },
      { month: '2025-11', return_pct: 10 },
      { month: '2025-12', return_pct: 10 },
      { month: 'soon', return_pct: 10 },
    ]);
    expect(first?.year).toBe(2025);
    expect(first?.months).toEqual([...Array.from({ length: 10 }, () => null), 10, 10]);
    expect(first?.total).toBeCloseTo(21);
    expect(second).toMatchObject({ year: 2026, total: -50 });
  });

  const combination = (rank: number, fast: number, slow: number, stop: number) => ({
    rank,
    params: { fast, slow, stop },
  });
  const axes = { fast: [20, 5, 10], slow: [50], stop: [1, 2] };

  test('a cell of a sweep has the best of its combinations', () => {
    const best = [combination(2, 5, 50, 1), combination(1, 5, 50, 2), combination(3, 20, 50, 1)];
    const grid = sweepGridOf(best, axes, 'fast', 'slow');
    expect(grid.columns).toEqual([5, 10, 20]);
    expect(grid.rows).toEqual([50]);
    expect(grid.cells[0]?.map((cell) => cell?.rank ?? null)).toEqual([1, null, 3]);
    const single = sweepGridOf(best, axes, 'stop', undefined);
    expect(single.rows).toEqual([null]);
    expect(single.cells[0]?.map((cell) => cell?.rank)).toEqual([2, 1]);
  });

  test('parameters with one value are no axis', () => {
    expect(variedParams(axes)).toEqual(['fast', 'stop']);
  });
});

describe('sparkline', () => {
  test('fills its box', () => {
    expect(sparkPath([1, 2])).toBe(`M0.0 34.0L${SPARK_BOX.width}.0 2.0`);
    expect(sparkPath([3, 3])).toBe('M0.0 18.0L120.0 18.0');
    expect([sparkPath([]), sparkPath([1])]).toEqual(['', '']);
  });

  test('never draws an impossible number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2 }),
        (values) => {
          expect(sparkPath(values)).not.toMatch(/NaN|Infinity|e/);
        },
      ),
    );
  });
});

test('a track record is described with the backtest of before and its publication', () => {
  const facts = { publishedAt: '2026-03-03T00:00:00Z', currency: 'USD', timeframe: '1d' };
  const before = [
    { at: '2026-01-01T00:00:00Z', equity: 100_000 },
    { at: '2026-03-02T00:00:00Z', equity: 130_000 },
  ];
  const record = [
    { at: '2026-03-04T00:00:00Z', equity: 100_000 },
    { at: '2026-07-01T00:00:00Z', equity: 90_000 },
  ];
  expect(recordSummary({ ...facts, before, record }, english)).toBe(
    'Backtest of before Mar 3, 2026: Equity rose to $130,000.00 on Mar 2, 2026, from $100,000.00 on Jan 1, 2026 (+30.00%). Track record since Mar 3, 2026, the day of publication: Equity fell to $90,000.00 on Jul 1, 2026, from $100,000.00 on Mar 4, 2026 (-10.00%). The deepest fall shown was 10.00%, on Jul 1, 2026.',
  );
  expect(recordSummary({ ...facts, before: [], record: [] }, english)).toContain('No equity yet.');
});

test('months are named as answers name them', () => {
  expect([monthOf(2024, 0), monthOf(2024, 11)]).toEqual(['2024-01', '2024-12']);
});

describe('a chart of rules', () => {
  const line = (operand: RulesOperand, pane: 'price' | 'own', value: number | null) => ({
    label: JSON.stringify(operand),
    pane,
    operand,
    levels: [],
    values: [null, value],
  });
  const macd = { indicator: 'macd', fast: 12, slow: 26, signal: 9, source: 'close', ago: 0 } as const;
  const chart: RulesChart = {
    symbol: 'SPY',
    timeframe: '1d',
    time_zone: 'America/New_York',
    warmed_up: true,
    bars: [
      [at('2026-03-02T05:00:00Z'), 1, 2, 0.5, 1.5, 10],
      [at('2026-03-03T05:00:00Z'), 1.5, 3, 1, 2, 20],
    ],
    lines: [
      line({ ...macd, output: 'macd' }, 'own', 1),
      line({ indicator: 'sma', length: 2, source: 'close', ago: 0 }, 'price', 1.75),
      line({ indicator: 'rsi', length: 2, source: 'close', ago: 0 }, 'own', null),
      line({ ...macd, output: 'signal', ago: 1 }, 'own', 2),
    ],
    conditions: [
      { text: 'all', path: ['entries', 0, 'when'], values: [null, 1] },
      { text: 'one', path: ['entries', 0, 'when', 'all', 0], values: [0, 0] },
    ],
  };

  test('has lines over the candles, and a pane for the lines of each other indicator', () => {
    const { candles, lines } = rulesLines(chart);
    expect(candles[1]).toEqual({
      start: '2026-03-03T05:00:00.000Z',
      open: 1.5,
      high: 3,
      low: 1,
      close: 2,
      volume: 20,
    });
    expect(lines.map(({ pane, place }) => [pane, place])).toEqual([
      [1, 0],
      [0, 1],
      [2, 2],
      [1, 3],
    ]);
    const [, average] = lines;
    if (!average) throw new Error('there is no line');
    const named = [{ ...average, label: 'SMA(2)' }];
    expect(candlesSummary({ candles, lines: named, trades: [], timeframe: '1d' }, english)).toContain(
      ' At the last bar: SMA(2) 1.75.',
    );
  });

  test('tells which conditions hold at a bar, if they have a value', () => {
    expect([...(heldAt(chart, at('2026-03-02T05:00:00Z')) ?? [])]).toEqual([['entries.0.when.all.0', false]]);
    expect([...(heldAt(chart, at('2026-03-03T05:00:00Z')) ?? [])]).toEqual([
      ['entries.0.when', true],
      ['entries.0.when.all.0', false],
    ]);
    expect(heldAt(chart, 5)).toBeUndefined();
    expect(heldAt(chart, undefined)).toBeUndefined();
  });
});
