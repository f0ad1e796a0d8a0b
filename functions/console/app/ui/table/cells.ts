/** Value of a table's cell, as it is sorted, filtered and exported. */
export interface Cell {
  /** Number, or text; times are ISO-8601 texts. Undefined for a cell without a value. */
  readonly value: number | string | undefined;
  /** Text that the user sees. */
  readonly text: string;
  /** Unit of a number: a currency, `%` or `s`. */
  readonly unit: string | undefined;
}

/** Row of cells, and the thing that it shows. */
export interface CellRow<R> {
  readonly row: R;
  readonly cells: readonly Cell[];
}

/** Returns the number that a text of the user's locale shows, such as `1,234.5`; undefined for other texts. */
export const shownNumber = (text: string, locale?: string): number | undefined => {
  const parts = new Intl.NumberFormat(locale).formatToParts(-12_345.6);
  const sign = (type: Intl.NumberFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const plain = text
    .replaceAll(sign('group'), '')
    .replace(sign('minusSign'), '-')
    .replace(sign('decimal'), '.')
    .trim();
  return /^[-+]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
};

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compared = (left: number | string, right: number | string): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : collator.compare(String(left), String(right));

/** Order by a column. */
export interface Order {
  readonly column: number;
  readonly isDown: boolean;
}

/** Returns rows in an order. Equal ones keep theirs; rows without a value are last in both directions. */
export const sorted = <R>(rows: readonly CellRow<R>[], { column, isDown }: Order): readonly CellRow<R>[] =>
  rows.toSorted((one, other) => {
    const left = one.cells[column]?.value;
    const right = other.cells[column]?.value;
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    return isDown ? compared(right, left) : compared(left, right);
  });

const COMPARISON = /^\s*(<=|>=|<|>|=)\s*(.+?)\s*$/;

const holds = (value: number, sign: string, limit: number): boolean => {
  if (sign === '<') return value < limit;
  if (sign === '<=') return value <= limit;
  if (sign === '>') return value > limit;
  return sign === '>=' ? value >= limit : value === limit;
};

/** Tells whether a cell passes a filter: `> 5` and the like for numbers, or a part of its text. */
export const passes = ({ value, text }: Cell, filter: string, locale?: string): boolean => {
  const [, sign, limitText = ''] = COMPARISON.exec(filter) ?? [];
  const limit = shownNumber(limitText, locale);
  if (sign !== undefined && limit !== undefined)
    return typeof value === 'number' && holds(value, sign, limit);
  return text.toLocaleLowerCase(locale).includes(filter.trim().toLocaleLowerCase(locale));
};

/** Returns the rows whose cells pass all filters, which are by column. */
export const filtered = <R>(rows: readonly CellRow<R>[], filters: readonly string[]): readonly CellRow<R>[] =>
  rows.filter(({ cells }) =>
    filters.every((filter, index) => {
      const cell = cells[index];
      return filter.trim() === '' || (cell !== undefined && passes(cell, filter));
    }),
  );

/** Columns and rows of a file. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string | null)[])[];
}

/**
 * Returns the contents of a file of rows. A unit that all values of a column have is in its head: `Equity (USD)`. Units
 * that differ have a column behind it.
 */
export const sheetOf = (heads: readonly string[], rows: readonly (readonly Cell[])[]): Sheet => {
  const parts = heads.map((head, index) => {
    const cells = rows.map((row) => row[index]);
    const values = cells.map((cell) => cell?.value ?? null);
    const units = new Set(cells.flatMap((cell) => (cell?.value === undefined ? [] : [cell.unit ?? ''])));
    if (units.size > 1) {
      const unitColumn = { name: `${head}, unit`, values: cells.map((cell) => cell?.unit ?? null) };
      return [{ name: head, values }, unitColumn];
    }
    const [unit = ''] = units;
    return [{ name: unit === '' ? head : `${head} (${unit})`, values }];
  });
  const columns = parts.flat();
  return {
    columns: columns.map(({ name }) => name),
    rows: rows.map((_, index) => columns.map(({ values }) => values[index] ?? null)),
  };
};
