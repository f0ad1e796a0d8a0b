import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Column of a table. */
export interface Column<R> {
  readonly head: ComponentChildren;
  readonly cell: (row: R) => ComponentChildren;
  /** True for figures, which are aligned to the right. */
  readonly isNumber?: boolean;
  /** True for the column that names the row. */
  readonly isHead?: boolean;
}

export interface DataTableProps<R> {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string | number;
  /** Shows the caption above the table. By default it is for screen readers only. */
  readonly showCaption?: boolean;
}

/** Makes a region that scrolls reachable by keyboard. */
export const SCROLLED = { tabIndex: 0 } as const;

/** Table that scrolls sideways in its own region. */
export const DataTable = <R,>({ caption, columns, rows, rowKey, showCaption = false }: DataTableProps<R>) => {
  const id = useId();
  const classOf = ({ isNumber }: Column<R>): string | undefined => (isNumber ? 'number' : undefined);
  return (
    <section class="table-region" aria-labelledby={id} {...SCROLLED}>
      <table>
        <caption id={id} class={showCaption ? undefined : 'unseen'}>
          {caption}
        </caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" class={classOf(column)}>
                {column.head}
              </th>
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
  );
};
