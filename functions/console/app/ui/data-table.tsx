import { useId } from 'preact/hooks';
import { HeadCell } from './table/head-cell.tsx';
import type { Column, DataTableProps } from './table/table-props.ts';
import { TableTools } from './table/table-tools.tsx';
import { useArrangement } from './table/use-arrangement.ts';

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
