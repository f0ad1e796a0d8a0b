import type { ComponentChildren } from 'preact';
import { DataTable } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';
import type { DataTableProps } from './table/table-props.ts';
import type { Resource } from './use-resource.ts';
import { type ListPage, type ReadPage, wholeOf } from './whole-list.ts';

interface PagedTableProps<R> extends Pick<DataTableProps<R>, 'caption' | 'columns' | 'rowKey'> {
  readonly of: Resource<ListPage<R>>;
  /** Loads a page of the list, which is read as a whole to be sorted, filtered or exported. */
  readonly read: ReadPage<R>;
  /** Text in place of a list without entries. */
  readonly empty: ComponentChildren;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Names the list, for screen readers. */
  readonly label: string;
  /** Parts above the table. */
  readonly children?: ComponentChildren;
}

/** Page of a list as a table, with buttons for the other pages. */
export const PagedTable = <R,>({ of: list, read, empty, children, ...props }: PagedTableProps<R>) => (
  <Loaded of={list} empty={({ total }) => total === 0 && empty}>
    {(value) => (
      <>
        {children}
        <DataTable
          caption={props.caption}
          columns={props.columns}
          rows={value.items}
          rowKey={props.rowKey}
          loadWhole={wholeOf(value, read)}
          below={<Pager label={props.label} page={props.page} pages={value.pages} onPage={props.onPage} />}
        />
      </>
    )}
  </Loaded>
);
