import type { ComponentChildren } from 'preact';

/** Column of a table. Its cells are sorted, filtered and exported by the figures and texts that they show. */
export interface Column<R> {
  readonly head: ComponentChildren;
  readonly cell: (row: R) => ComponentChildren;
  /** True for figures, which are aligned to the right. */
  readonly isNumber?: boolean;
  /** True for the column that names the row. */
  readonly isHead?: boolean;
  /** True for buttons, which stay in view and have no value. Screen readers alone read the head. */
  readonly isCommands?: boolean;
}

/** Rows of a list. */
export interface WholeRows<R> {
  readonly rows: readonly R[];
  /** True if the list has more, which are left out. */
  readonly isCut: boolean;
}

export interface DataTableProps<R> {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string | number;
  /** Shows the caption above the table. By default it is for screen readers only. */
  readonly showCaption?: boolean;
  /** Loads the list of which `rows` are a page, to sort, filter or export it. Undefined if `rows` are all. */
  readonly loadWhole?: (() => Promise<WholeRows<R>>) | undefined;
  /** Parts under the table while it shows a page of the list. */
  readonly below?: ComponentChildren;
}
