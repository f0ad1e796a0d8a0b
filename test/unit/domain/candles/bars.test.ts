import {
  BAR_FIELDS,
  type Bar,
  barAt,
  barCount,
  columnsOf,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../../../shared/domain/candles/bars.ts';

const bars: Bar[] = Array.from({ length: 5 }, (_, index) => ({
  start: index * 60_000,
  open: index + 0.1,
  high: index + 0.9,
  low: index,
  close: index + 0.5,
  volume: index * 10,
}));

const listOf = (columns: ReturnType<typeof columnsOf>): (Bar | undefined)[] =>
  Array.from({ length: barCount(columns) }, (_, index) => barAt(columns, index));

test('bars survive the way into columns and back', () => {
  const columns = columnsOf(bars);
  expect(listOf(columns)).toEqual(bars);
  expect(Object.keys(columns)).toEqual([...BAR_FIELDS]);
  expect(barAt(columns, 5)).toBeUndefined();
});

test('slices that are appended give the whole', () => {
  const columns = columnsOf(bars);
  const parts = [sliceBars(columns, 0, 2), sliceBars(columns, 2, 2), sliceBars(columns, 2)];
  expect(listOf(concatBars(parts))).toEqual(bars);
});

test('the first bar from a time is found', () => {
  const columns = columnsOf(bars);
  expect([-1, 0, 1, 60_000, 239_999, 240_000, 240_001].map((start) => firstBarFrom(columns, start))).toEqual([
    0, 0, 1, 1, 4, 4, 5,
  ]);
});
