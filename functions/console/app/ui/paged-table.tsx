import type { ComponentChildren } from 'preact';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';
import type { Resource } from './use-resource.ts';

/** Page of a list as the service answers. */
export interface ListPage<R> {
  readonly items: readonly R[];
  readonly total: number;
  readonly pages: number;
}

interface PagedTableProps<R> extends Pick<DataTableProps<R>, 'caption' | 'columns' | 'rowKey'> {
  readonly of: Resource<ListPage<R>>;
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
export const PagedTable = <R,>({ of: list, empty, children, ...props }: PagedTableProps<R>) => (
  <Loaded of={list} empty={({ total }) => total === 0 && empty}>
    {({ items, pages }) => (
      <>
        {children}
        <DataTable caption={props.caption} columns={props.columns} rows={items} rowKey={props.rowKey} />
        <Pager label={props.label} page={props.page} pages={pages} onPage={props.onPage} />
      </>
    )}
  </Loaded>
);
