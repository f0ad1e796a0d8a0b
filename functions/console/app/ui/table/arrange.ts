import { csvText } from '../csv-text.ts';
import { saveFile } from '../save-file.ts';
import { filtered, type Order, sheetOf, sorted } from './cells.ts';
import { headsOf, readCells } from './read-cells.tsx';
import type { Column } from './table-props.ts';

/** Choice of rows and their order. */
export interface Arrangement {
  readonly order?: Order | undefined;
  /** Filters by column; empty ones pass all. */
  readonly filters: readonly string[];
}

/** Returns the rows of a table that pass the filters, in order. */
export const arranged = <R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  { order, filters }: Arrangement,
): readonly R[] => {
  const chosen = filtered(readCells(rows, columns), filters);
  return (order ? sorted(chosen, order) : chosen).map(({ row }) => row);
};

/** Returns the text of a file of rows. Columns of buttons are left out. */
export const tableCsv = <R>(rows: readonly R[], columns: readonly Column<R>[]): string => {
  const kept = columns.filter(({ isCommands }) => !isCommands);
  const sheet = sheetOf(
    headsOf(kept),
    readCells(rows, kept).map(({ cells }) => cells),
  );
  return csvText(sheet.columns, sheet.rows);
};

const fileNameOf = (caption: string): string =>
  `${
    caption
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'table'
  }.csv`;

/** Saves rows as a file of the user. */
export const saveTable = <R>(caption: string, rows: readonly R[], columns: readonly Column<R>[]): void => {
  // Spreadsheets take a file without the mark for one of an old code page.
  saveFile(fileNameOf(caption), `\ufeff${tableCsv(rows, columns)}`, 'text/csv;charset=utf-8');
};
