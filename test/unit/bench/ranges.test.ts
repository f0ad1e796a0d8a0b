import { expect, test } from '@jest/globals';
import { rangesOf } from '../../bench/ranges.ts';

test('ranges of several runs have the least, the median and the largest of each figure', () => {
  const run = (ratio: number, ms: number) => ({ limit: 5, ratio, rows: [{ name: 'ours', ms }] });
  expect(rangesOf([run(0.5, 3), run(0.4, 9), run(0.6, 4)])).toEqual({
    ratio: { from: 0.4, median: 0.5, to: 0.6 },
    'rows ours ms': { from: 3, median: 4, to: 9 },
  });
});

test('a figure that a run lacks has no range', () => {
  expect(rangesOf([{ a: 1, b: 1 }, { a: 2 }])).toEqual({ a: { from: 1, median: 1.5, to: 2 } });
  expect(rangesOf([])).toEqual({});
});
