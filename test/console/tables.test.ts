import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Cell,
  type CellRow,
  filtered,
  passes,
  sheetOf,
  shownNumber,
  sorted,
} from '../../functions/console/app/ui/table/cells.ts';
import { type ListPage, readWhole } from '../../functions/console/app/ui/whole-list.ts';

const cell = (value: number | string | undefined, unit?: string): Cell => ({
  value,
  text: String(value ?? ''),
  unit,
});
const rowsOf = (...values: readonly (number | string | undefined)[]): CellRow<number>[] =>
  values.map((value, row) => ({ row, cells: [cell(value)] }));
const order = (rows: readonly CellRow<number>[]): number[] => rows.map(({ row }) => row);

test('numbers are sorted by value, texts as people count, and rows without a value are last', () => {
  const numbers = rowsOf(10, undefined, -2, 9);
  expect(order(sorted(numbers, { column: 0, isDown: false }))).toEqual([2, 3, 0, 1]);
  expect(order(sorted(numbers, { column: 0, isDown: true }))).toEqual([0, 3, 2, 1]);
  expect(order(sorted(rowsOf('Item 10', 'item 9', 'Äpfel'), { column: 0, isDown: false }))).toEqual([
    2, 1, 0,
  ]);
});

test('rows of equal values keep their order in both directions', () => {
  const values = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 });
  fc.assert(
    fc.property(values, fc.boolean(), (list, isDown) => {
      const rows = sorted(rowsOf(...list), { column: 0, isDown });
      for (const [index, one] of rows.entries()) {
        const next = rows[index + 1];
        if (next && next.cells[0]?.value === one.cells[0]?.value) expect(next.row).toBeGreaterThan(one.row);
      }
      expect(order(rows).toSorted((a, b) => a - b)).toEqual(list.map((_, index) => index));
    }),
  );
});

test.each([
  [5, '> 4', true],
  [5, '>= 5', true],
  [5, '<5', false],
  [5, '= 5', true],
  [-1_234.5, '< -1,000', true],
  [undefined, '> 0', false],
  ['above', '> 0', false],
  ['Nova Crossover', 'cross', true],
  ['Nova Crossover', 'x', false],
  ['a > b', '> b', true],
  [5, '', true],
])('a cell of %p passes the filter %p: %p', (value, filter, isPassed) => {
  expect(passes(cell(value), filter, 'en')).toBe(isPassed);
});

test('a row passes the filters of all columns', () => {
  const rows = [
    { row: 1, cells: [cell('AAPL'), cell(5)] },
    { row: 2, cells: [cell('AAPL'), cell(-5)] },
    { row: 3, cells: [cell('MSFT'), cell(5)] },
  ];
  expect(filtered(rows, ['aapl', '> 0']).map(({ row }) => row)).toEqual([1]);
  expect(filtered(rows, ['', ' ']).map(({ row }) => row)).toEqual([1, 2, 3]);
});

test.each([
  ['1,234.5', 'en', 1234.5],
  ['1.234,5', 'de', 1234.5],
  ['−3', 'sv', -3],
  ['12 of 30', 'en', undefined],
  ['3 days', 'en', undefined],
  ['', 'en', undefined],
])('%p of %p is the number %p', (text, locale, number) => {
  expect(shownNumber(text, locale)).toBe(number);
});

test('a file names the unit of a column, and has a column for units that differ', () => {
  const rows = [
    [cell('Nova'), cell(1.5, '%'), cell(10, 'USD')],
    [cell('Orbit'), cell(undefined), cell(20, 'EUR')],
  ];
  expect(sheetOf(['Name', 'Return', 'Equity'], rows)).toEqual({
    columns: ['Name', 'Return (%)', 'Equity', 'Equity, unit'],
    rows: [
      ['Nova', 1.5, 10, 'USD'],
      ['Orbit', null, 20, 'EUR'],
    ],
  });
});

const pagesOf = (parts: readonly number[][]) => {
  const asked: unknown[] = [];
  const read = async ({
    page,
    size,
    cursor = 0,
  }: {
    page: number;
    size: number;
    cursor?: number | undefined;
  }) => {
    asked.push([cursor, page]);
    const part = parts[cursor] ?? [];
    const answer: ListPage<number> = {
      items: part.slice((page - 1) * size, page * size),
      total: part.length,
      pages: Math.ceil(part.length / size),
      ...(cursor + 1 < parts.length && { next_cursor: cursor + 1 }),
    };
    return answer;
  };
  return { read, asked };
};

test('a list is read over its pages and cursors, to its end', async () => {
  const { read, asked } = pagesOf([[1, 2, 3], [], [4, 5]]);
  expect(await readWhole(read, 100, 2)).toEqual({ rows: [1, 2, 3, 4, 5], isCut: false });
  expect(asked).toEqual([
    [0, 1],
    [0, 2],
    [1, 1],
    [2, 1],
  ]);
});

test('a very long list is cut, and says so', async () => {
  const { read, asked } = pagesOf([[1, 2, 3, 4, 5, 6, 7]]);
  expect(await readWhole(read, 3, 2)).toEqual({ rows: [1, 2, 3], isCut: true });
  expect(asked).toHaveLength(2);
  expect(await readWhole(pagesOf([[1, 2, 3]]).read, 3, 2)).toEqual({ rows: [1, 2, 3], isCut: false });
});
