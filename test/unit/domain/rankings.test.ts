import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type AnnualFigures, afterLuck, luckOf } from '../../../shared/domain/rankings/luck.ts';
import { upperNormalQuantile } from '../../../shared/domain/rankings/normal-quantile.ts';
import { randomNumbers } from '../../support/random-bars.ts';

/** Probabilities of the upper tail with their quantiles, by `statistics.NormalDist` of Python. */
const QUANTILES = [
  [0.9999, -3.719016485455709],
  [0.9, -1.2815515655446008],
  [0.5, 0],
  [0.3, 0.5244005127080407],
  [0.075, 1.4395314709384557],
  [0.01, 2.3263478740408408],
  [1e-6, 4.753424308822899],
  [1e-9, 5.9978070150076865],
  [1e-12, 7.034483825301132],
  [1e-15, 7.941345326170995],
] as const;

test.each(QUANTILES)('with probability %p a normal variable exceeds %p', (probability, value) => {
  expect(upperNormalQuantile(probability)).toBeCloseTo(value, 5);
});

/** Makes standard normal values. */
const normals = (seed: number): (() => number) => {
  const random = randomNumbers(seed);
  return () => -upperNormalQuantile(Math.max(random(), Number.MIN_VALUE));
};

const DAYS_A_YEAR = 252;

/** Returns the figures of a record of days without skill, or with a true Sharpe ratio. */
const record = (normal: () => number, years: number, sharpe = 0): AnnualFigures => {
  const daily = 0.01;
  const days = Math.round(years * DAYS_A_YEAR);
  const returns = Array.from({ length: days }, () => daily * (sharpe / Math.sqrt(DAYS_A_YEAR) + normal()));
  const mean = returns.reduce((sum, one) => sum + one, 0) / days;
  const deviation = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (days - 1));
  return {
    sharpe_ratio: (mean / deviation) * Math.sqrt(DAYS_A_YEAR),
    cagr_pct: 100 * (returns.reduce((product, one) => product * (1 + one), 1) ** (1 / years) - 1),
    volatility_pct: 100 * deviation * Math.sqrt(DAYS_A_YEAR),
    years,
  };
};

describe('luck', () => {
  test('has the values of its source', () => {
    // The Deflated Sharpe Ratio, numerical example: 100 trials, a variance of 1/2 a year, 250 days a year.
    expect(luckOf(100) * Math.sqrt(1 / (2 * 250))).toBeCloseTo(0.1132, 4);
    // Pseudo-Mathematics and Financial Charlatanism, by the same authors: ten trials over a year.
    expect(luckOf(10)).toBeCloseTo(1.57, 2);
  });

  test('of a single record is none, and grows with their number', () => {
    expect([luckOf(0), luckOf(1)]).toEqual([0, 0]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e6 }), (records, more) => {
        expect(luckOf(records + more)).toBeGreaterThan(luckOf(records));
      }),
    );
  });

  test.each([10, 100, 1000])('is the mean of the highest of %p normal values, or a little more', (count) => {
    const normal = normals(count);
    const repeats = 500_000 / count;
    let sum = 0;
    for (let n = 0; n < repeats; n++) {
      let highest = Number.NEGATIVE_INFINITY;
      for (let one = 0; one < count; one++) highest = Math.max(highest, normal());
      sum += highest;
    }
    // The formula is an approximation from above; the deviation of a maximum is below 0.6.
    const excess = luckOf(count) - sum / repeats;
    const error = 0.6 / Math.sqrt(repeats);
    expect(excess).toBeGreaterThan(-3 * error);
    expect(excess).toBeLessThan(0.04 + 3 * error);
  });
});

describe('what is left after luck', () => {
  const figures = fc.record({
    sharpe_ratio: fc.double({ min: -5, max: 5, noNaN: true }),
    cagr_pct: fc.double({ min: -100, max: 300, noNaN: true }),
    volatility_pct: fc.double({ min: 1, max: 100, noNaN: true }),
    years: fc.double({ min: 0.25, max: 20, noNaN: true }),
  });
  const counts = fc.integer({ min: 2, max: 1e7 });

  test('falls with the number of records, and grows with the length of the record', () => {
    fc.assert(
      fc.property(figures, counts, (one, records) => {
        const left = afterLuck(one, records);
        const ofMore = afterLuck(one, 2 * records);
        const ofLonger = afterLuck({ ...one, years: 2 * one.years }, records);
        expect(ofMore.sharpe).toBeLessThan(left.sharpe);
        expect(ofMore.return_pct).toBeLessThan(left.return_pct);
        expect(ofLonger.sharpe).toBeGreaterThan(left.sharpe);
        expect(ofLonger.return_pct).toBeGreaterThan(left.return_pct);
      }),
    );
  });

  test('of all is the figure itself while there is one record', () => {
    fc.assert(
      fc.property(figures, (one) => {
        expect(afterLuck(one, 1)).toEqual({ sharpe: one.sharpe_ratio, return_pct: one.cagr_pct });
      }),
    );
  });

  test('of the best of 1,000 records without skill is about nothing, and less than of a long one with skill', () => {
    const authors = 10;
    const tries = 1000;
    let left = 0;
    for (let author = 0; author < authors; author++) {
      const normal = normals(author);
      const bySharpe = (one: AnnualFigures, other: AnnualFigures) => other.sharpe_ratio - one.sharpe_ratio;
      const [best] = Array.from({ length: tries }, () => record(normal, 0.25)).toSorted(bySharpe);
      const skilled = record(normal, 5, 2.5);
      if (!best) throw new Error('no record was made');
      // By its plain figures the lucky one is far ahead.
      expect(best.sharpe_ratio).toBeGreaterThan(skilled.sharpe_ratio + 2);
      expect(best.cagr_pct).toBeGreaterThan(skilled.cagr_pct);
      const records = tries + 1;
      left += afterLuck(best, records).sharpe / authors;
      expect(afterLuck(skilled, records).sharpe).toBeGreaterThan(0);
    }
    // The deviation of the best of 1,000 is 0.35 errors, and an error over a quarter of a year is 2.
    expect(Math.abs(left)).toBeLessThan((3 * 0.35 * 2) / Math.sqrt(authors));
  });
});
