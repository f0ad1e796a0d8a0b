import { join } from 'node:path';
import * as z from 'zod';
import { columnsOf } from '../../../../shared/domain/candles/bars.ts';
import { readText } from '../../../oracle/cases.ts';
import { indicatorSeries } from '../../../support/indicator-series.ts';

const TOLERANCE = 1e-4;

const published = z
  .array(
    z.object({
      file: z.string(),
      operand: z.looseObject({ indicator: z.string(), output: z.string().optional() }),
      bars: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])),
      expected: z.array(z.number().nullable()),
    }),
  )
  .parse(JSON.parse(readText(join(import.meta.dirname, 'data', 'indicators.json.gz'))))
  .map((one) => ({ ...one, name: [one.operand.indicator, one.operand.output].filter(Boolean).join(' ') }));

test.each(published)('$name gives the values of $file', ({ operand, bars, expected }) => {
  const series = indicatorSeries(
    operand,
    columnsOf(
      bars.map(([open, high, low, close, volume], index) => ({
        start: index * 86_400_000,
        open,
        high,
        low,
        close,
        volume,
      })),
    ),
  );
  const wrong = expected.flatMap((value, index) => {
    const actual = series[index] ?? Number.NaN;
    // The index of commodity channels swings between -100 and 100: values near zero are differences of rounded prices.
    const least = operand.indicator === 'cci' ? 10 : 1;
    const isClose =
      value === null || Math.abs(actual - value) <= TOLERANCE * Math.max(least, Math.abs(value));
    return isClose ? [] : [{ index, actual, value }];
  });
  expect(wrong).toEqual([]);
  expect(expected.filter((value) => value !== null).length).toBeGreaterThan(60);
});
