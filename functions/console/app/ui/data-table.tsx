import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { HeadCell } from './table/head-cell.tsx';
import { TableTools } from './table/table-tools.tsx';
import { useArrangement } from './table/use-arrangement.ts';

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

/** Makes a region that scrolls reachable by keyboard. */
export const SCROLLED = { tabIndex: 0 } as const;

const classOf = <R,>({ isNumber, isCommands }: Column<R>): string | undefined => {
  if (isCommands) return 'commands';
  return isNumber ? 'number' : undefined;
};

/** Table that can be sorted, filtered and exported, and scrolls sideways in its own region. */
export const DataTable = <R,>(props: DataTableProps<R>) => {
  const { caption, columns, rowKey, showCaption = false, below } = props;
  const id = useId();
  const { rows, isArranged, ...arrangement } = useArrangement(props);
  return (
    <div class="table">
      <TableTools {...arrangement} caption={caption} shown={rows.length} />
      <section class="table-region" aria-labelledby={id} {...SCROLLED}>
        <table>
          <caption id={id} class={showCaption ? undefined : 'unseen'}>
            {caption}
          </caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <HeadCell
                  key={index}
                  column={index}
                  of={column}
                  class={classOf(column)}
                  arrangement={arrangement}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column, index) =>
                  column.isHead ? (
                    <th key={index} scope="row" class={classOf(column)}>
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={index} class={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!isArranged && below}
    </div>
  );
};
