import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstBarFrom, sliceBars } from '../../../../shared/domain/candles/bars.ts';
import { plainSettings } from '../../../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../../../shared/domain/engine/backtest/backtest.ts';
import { inputOf } from '../../../../shared/domain/engine/backtest/setup.ts';
import { resolveParams } from '../../../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../../../shared/domain/engine/rules/schema.ts';
import { figuresOf, type SweepFigures } from '../../../../shared/domain/engine/sweep/figures.ts';
import {
  type Axis,
  combinationAt,
  countCombinations,
  valuesInRange,
} from '../../../../shared/domain/engine/sweep/grid.ts';
import {
  isCollapse,
  joinSlices,
  MixedSlicesError,
  outcomeOf,
  rankTried,
  type SliceResult,
  type Tried,
} from '../../../../shared/domain/engine/sweep/join.ts';
import { type SweepSetup, samplesOf } from '../../../../shared/domain/engine/sweep/setup.ts';
import { combinationsIn, divideSlices, slicesOf } from '../../../../shared/domain/engine/sweep/slices.ts';
import { tryCombinations } from '../../../../shared/domain/engine/sweep/try-combinations.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { crossRules } from '../../../support/rules.ts';

const axes = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,6}$/),
    values: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const grids = axes.filter((all) => new Set(all.map(({ name }) => name)).size === all.length);

describe('the grid', () => {
  test('has every combination once, the last parameter changing first', () => {
    fc.assert(
      fc.property(grids, (all: Axis[]) => {
        const count = countCombinations(all);
        const seen = Array.from({ length: count }, (_, number) => combinationAt(all, number));
        expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(count);
        for (const { name, values } of all) for (const one of seen) expect(values).toContain(one[name]);
      }),
      { numRuns: 50 },
    );
    const two = [
      { name: 'a', values: [1, 2] },
      { name: 'b', values: [5, 6, 7] },
    ];
    expect(combinationAt(two, 1)).toEqual({ a: 1, b: 6 });
    expect(combinationAt(two, 3)).toEqual({ a: 2, b: 5 });
  });

  test('takes steps that are decimal fractions', () => {
    expect(valuesInRange(0.1, 0.5, 0.1)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(valuesInRange(5, 20, 6)).toEqual([5, 11, 17]);
    expect(valuesInRange(5, 5, 1)).toEqual([5]);
    expect(valuesInRange(6, 5, 1)).toEqual([]);
  });
});

describe('slices', () => {
  test('hold every combination once, and at most two seconds of work', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 1e8 }),
        fc.integer({ min: 0, max: 3e6 }),
        (combinations, work, readWork) => {
          const slicing = slicesOf(combinations, work, readWork);
          const all = Array.from({ length: slicing.slices }, (_, slice) => combinationsIn(slicing, slice));
          const numbers = Array.from({ length: combinations }, (_, number) => number);
          expect(all.flat().join()).toBe(numbers.join());
          const isFit = ({ length }: number[]) => length === 1 || length * work + readWork <= 2e7;
          expect(all.every(isFit)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('are divided until each is a range of its own, without those that are done', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 2000 }),
        fc.uniqueArray(fc.nat({ max: 1999 }), { maxLength: 300 }),
        (slices, doneSlices) => {
          const done = new Set(doneSlices);
          const open: number[] = [];
          const work = [{ from: 0, to: slices }];
          for (let range = work.pop(); range; range = work.pop()) {
            if (range.to - range.from === 1) open.push(range.from);
            else {
              const parts = divideSlices(range, (slice) => done.has(slice), 50);
              expect(parts.length).toBeLessThanOrEqual(50);
              work.push(...parts);
            }
          }
          const wanted = Array.from({ length: slices }, (_, slice) => slice).filter(
            (slice) => !done.has(slice),
          );
          expect(open.sort((left, right) => left - right)).toEqual(wanted);
        },
      ),
      { numRuns: 50 },
    );
  });
});

const figures = (more: Partial<SweepFigures> = {}): SweepFigures => ({
  total_return_pct: 10,
  cagr_pct: 10,
  sharpe_ratio: 1,
  sortino_ratio: 1,
  calmar_ratio: 1,
  max_drawdown_equity_pct: 5,
  win_rate_pct: 50,
  profit_factor: 1.5,
  expectancy_pct: 1,
  sqn: 1,
  exposure_pct: 50,
  trades_count: 40,
  final_equity: 11_000,
  ...more,
});

const sliceOf = (tried: Tried[], more: Partial<SliceResult> = {}): SliceResult => ({
  engine_version: 1,
  candles_hash: 'hash',
  notes: [],
  tried,
  ...more,
});

const someFigures = fc.option(
  fc
    .record({
      sharpe_ratio: fc.option(fc.integer({ min: -3, max: 3 }), { nil: null }),
      cagr_pct: fc.integer({ min: -50, max: 50 }),
      trades_count: fc.nat({ max: 50 }),
    })
    .map((some) => figures({ ...some, total_return_pct: some.cagr_pct })),
  { nil: null },
);

describe('the join', () => {
  test('gives the same outcome for any order, grouping and repeats of slices', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(someFigures, someFigures, fc.nat({ max: 4 })), { minLength: 1, maxLength: 120 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.infiniteStream(fc.nat()),
        (all, repeats, random) => {
          const tried = all.map(([in_sample, out_of_sample], number) => ({
            number,
            in_sample,
            out_of_sample,
          }));
          const parts = [0, 1, 2, 3, 4].map((slice) =>
            sliceOf(tried.filter((_, number) => all[number]?.[2] === slice)),
          );
          const more = repeats.flatMap((index) => parts.slice(index % 5, (index % 5) + 1));
          const bag = [...parts, ...more];
          while (bag.length > 1) {
            const take = () => bag.splice((random.next().value ?? 0) % bag.length, 1);
            const [one, other] = [...take(), ...take()];
            if (one && other) bag.push(joinSlices(one, other));
          }
          const [joined] = bag;
          expect(joined).toEqual(sliceOf(tried));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('refuses slices of other candles or of another engine', () => {
    expect(() => joinSlices(sliceOf([]), sliceOf([], { candles_hash: 'other' }))).toThrow(MixedSlicesError);
    expect(() => joinSlices(sliceOf([]), sliceOf([], { engine_version: 2 }))).toThrow(MixedSlicesError);
  });

  test('ranks a combination that lost everything last, whatever its ratio', () => {
    const tried = [3, 1, 2].map((ratio, number) => ({
      number,
      in_sample: figures({ sharpe_ratio: ratio, final_equity: number === 0 ? 0 : 12_000 }),
      out_of_sample: null,
    }));
    expect(rankTried(tried, 'sharpe_ratio').map(({ number }) => number)).toEqual([2, 1, 0]);
  });

  test('ranks by the figure in sample, and combinations without trades last', () => {
    const tried = [
      { number: 0, in_sample: figures({ max_drawdown_equity_pct: 0, trades_count: 0 }), out_of_sample: null },
      { number: 1, in_sample: figures({ max_drawdown_equity_pct: 7 }), out_of_sample: figures() },
      { number: 2, in_sample: null, out_of_sample: null },
      { number: 3, in_sample: figures({ max_drawdown_equity_pct: 3 }), out_of_sample: figures() },
      { number: 4, in_sample: figures({ max_drawdown_equity_pct: 3, sharpe_ratio: 2 }), out_of_sample: null },
      { number: 5, in_sample: figures({ sharpe_ratio: null }), out_of_sample: null },
    ];
    const numbers = (by: Parameters<typeof rankTried>[1]) => rankTried(tried, by).map(({ number }) => number);
    expect(numbers('max_drawdown_equity_pct')).toEqual([3, 4, 5, 1, 0, 2]);
    expect(numbers('sharpe_ratio')).toEqual([4, 1, 3, 0, 2, 5]);
  });
});

describe('the outcome', () => {
  const tried = (number: number, before: number, after: number): Tried => ({
    number,
    in_sample: figures({ cagr_pct: before, total_return_pct: before * 2, sharpe_ratio: before }),
    out_of_sample: figures({ cagr_pct: after, total_return_pct: after }),
  });

  test.each([
    [20, 10, false],
    [20, 9, true],
    [20, -1, true],
    [-5, -20, false],
    [20, 30, false],
  ])('of %d %% a year in sample and %d %% out of sample is a collapse: %p', (before, after, expected) => {
    expect(isCollapse(tried(0, before, after))).toBe(expected);
  });

  test('without bars out of sample is a collapse of a gain', () => {
    expect(isCollapse({ in_sample: figures(), out_of_sample: null })).toBe(true);
    expect(isCollapse({ in_sample: null, out_of_sample: null })).toBe(false);
  });

  test('lists the 50 best, and warns of the collapse of the best and of many tries', () => {
    const all = Array.from({ length: 80 }, (_, number) => tried(number, number, number === 79 ? 1 : 100));
    const outcome = outcomeOf(sliceOf(all), 'sharpe_ratio');
    expect(outcome.best).toHaveLength(50);
    expect(outcome.best[0]).toMatchObject({ number: 79, collapsed: true });
    expect(outcome.best[1]).toMatchObject({ number: 78, collapsed: false });
    expect(outcome).toMatchObject({ profitable_in_sample: 79, profitable_out_of_sample: 80 });
    expect(outcome.warnings).toEqual([
      expect.objectContaining({ code: 'out_of_sample_collapse', count: 1 }),
      expect.objectContaining({ code: 'best_of_many', count: 80 }),
    ]);
  });

  test('warns when most of the best collapse, of few trades and of none', () => {
    const all = [tried(0, 30, 30), tried(1, 29, 1), tried(2, 28, 1)];
    expect(outcomeOf(sliceOf(all), 'sharpe_ratio').warnings[0]).toMatchObject({
      code: 'out_of_sample_collapse',
      message: expect.stringContaining('most of the best'),
      count: 2,
    });
    const few = [
      { number: 0, in_sample: figures({ trades_count: 12 }), out_of_sample: figures() },
      { number: 1, in_sample: figures({ trades_count: 0 }), out_of_sample: figures() },
    ];
    expect(outcomeOf(sliceOf(few), 'sqn').warnings).toEqual([
      expect.objectContaining({ code: 'best_of_many' }),
      expect.objectContaining({ code: 'few_trades', count: 12 }),
      expect.objectContaining({ code: 'no_trades', count: 1 }),
    ]);
  });
});

describe('combinations', () => {
  const bars = randomBars(7, 700);
  const legs = (['one', 'two'] as const).map((symbol) => ({
    symbol,
    share: 0.5,
    source: '1d' as const,
    calendar: 'always',
    to: Number.MAX_SAFE_INTEGER,
    asset_class: 'crypto' as const,
    size_step: 0.001,
    contract_size: 1,
    direction: 'both' as const,
  }));
  const rules = rulesSchema.parse(
    crossRules(
      { param: 'fast' },
      { param: 'slow' },
      {
        params: { fast: { default: 3, min: 2, max: 50 }, slow: { default: 20, min: 2, max: 500 } },
        reverse: true,
        exits: [{ side: 'long', when: { bars_in_trade: 15 } }],
      },
    ),
  );
  const { size_step: _s, contract_size: _c, direction: _d, swap: _w, ...account } = plainSettings(10_000);
  const setup: SweepSetup = {
    base: {
      rules: JSON.stringify(rules),
      params: { fast: 3, slow: 20 },
      sentence: '',
      timeframe: '1d',
      read_from: bars.start[0] ?? 0,
      currency: 'USD',
      account: { ...account, financing: 'none' },
      legs,
    },
    axes: [
      { name: 'fast', values: [2, 3, 4, 5] },
      { name: 'slow', values: [10, 15.5, 20] },
    ],
    split_at: bars.start[450] ?? 0,
    rank_by: 'sharpe_ratio',
    first: bars.start[0] ?? 0,
    combinations: 12,
    size: 5,
    slices: 3,
  };
  const series = [bars, sliceBars(bars, 100)];

  test('in slices have the figures of a backtest of each by itself', () => {
    const all = [0, 1, 2].flatMap((slice) => tryCombinations(setup, series, combinationsIn(setup, slice)));
    expect(all).toHaveLength(12);
    for (const { number, in_sample, out_of_sample } of all) {
      const params = combinationAt(setup.axes, number);
      const resolved = resolveParams(rules, params);
      if (!('rules' in resolved)) {
        expect(params.slow).toBe(15.5);
        expect([in_sample, out_of_sample]).toEqual([null, null]);
        continue;
      }
      const { inSample, outOfSample } = samplesOf(setup, resolved.rules, params);
      const alone = [inSample, outOfSample].map((sample) => {
        const own = series.map((leg) =>
          sliceBars(leg, firstBarFrom(leg, sample.read_from), firstBarFrom(leg, sample.legs[0]?.to ?? 0)),
        );
        return figuresOf(runBacktest(inputOf(sample, resolved.rules), own).statistics);
      });
      expect([in_sample, out_of_sample]).toEqual(alone);
      expect(in_sample?.trades_count).toBeGreaterThan(3);
    }
  });

  test('depend on no bar after the split in sample', () => {
    const cut = series.map((leg) => sliceBars(leg, 0, firstBarFrom(leg, setup.split_at)));
    const whole = tryCombinations(setup, series, [0, 5]);
    const early = tryCombinations(setup, cut, [0, 5]);
    expect(early.map(({ in_sample }) => in_sample)).toEqual(whole.map(({ in_sample }) => in_sample));
    expect(early.map(({ out_of_sample }) => out_of_sample)).toEqual([null, null]);
  });
});
