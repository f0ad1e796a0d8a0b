import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { type Action, useAction } from '../use-action.ts';
import type { Order } from './cells.ts';
import type { DataTableProps, WholeRows } from './table-props.ts';

type Tools = typeof import('./arrange.ts');

/** Choice of the rows of a table and their order, as its user makes it. */
export interface TableArrangement {
  readonly order: Order | undefined;
  /** Filters by column; undefined while their fields are hidden. */
  readonly filters: readonly string[] | undefined;
  readonly canSort: boolean;
  readonly canFilter: boolean;
  readonly isFiltered: boolean;
  /** Number of rows that were loaded of a list that has more. */
  readonly cutAt: number | undefined;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly sortBy: (column: number) => void;
  readonly filterBy: (column: number, filter: string) => void;
  readonly toggleFilters: () => void;
  readonly save: Action<[], void>;
}

/** Rows from which on a table has filters. */
const LEAST_FILTERED = 6;

interface Whole<R> extends WholeRows<R> {
  /** Rows of the page for which the list was loaded. */
  readonly of: readonly R[];
}

const nextOrder = (order: Order | undefined, column: number): Order | undefined => {
  if (order?.column !== column) return { column, isDown: false };
  return order.isDown ? undefined : { column, isDown: true };
};

const loadTools = () => import('./arrange.ts');

/** Arranges the rows of a table. The code for it, and the rest of a list, are loaded with the first wish. */
export const useArrangement = <R>({ rows: page, columns, caption, loadWhole }: DataTableProps<R>) => {
  const [order, setOrder] = useState<Order>();
  const [filters, setFilters] = useState<readonly string[]>();
  const [tools, setTools] = useState<Tools>();
  const [whole, setWhole] = useState<Whole<R>>();
  const [chosen, setChosen] = useState<{ readonly of: readonly R[]; readonly rows: readonly R[] }>();
  const isFiltered = filters?.some((filter) => filter.trim() !== '') ?? false;
  const isArranged = order !== undefined || isFiltered;

  const load = async (): Promise<{ readonly code: Tools; readonly all: Whole<R> }> => {
    const [code, all] = await Promise.all([loadTools(), loadWhole?.() ?? { rows: page, isCut: false }]);
    return { code, all: { ...all, of: page } };
  };
  const prepare = useAction(async () => {
    const { code, all } = await load();
    setTools(code);
    setWhole(all);
  });
  // A page that was loaded again may be of another list. A load that failed is repeated with the next wish.
  const isWanted = isArranged && whole?.of !== page && prepare.error === undefined && !prepare.isBusy;
  useEffect(() => {
    if (isWanted) void prepare.run();
  }, [isWanted]);
  useLayoutEffect(() => {
    if (!isArranged || !tools || !whole) return;
    const { rows } = whole;
    setChosen({ of: rows, rows: tools.arranged(rows, columns, { order, filters: filters ?? [] }) });
  }, [tools, whole, order, filters, isArranged]);

  const shown = isArranged && chosen !== undefined && chosen.of === whole?.rows ? chosen.rows : undefined;
  const save = useAction(async () => {
    const { code, all } = await load();
    setWhole(all);
    const rows = isArranged ? code.arranged(all.rows, columns, { order, filters: filters ?? [] }) : all.rows;
    code.saveTable(caption, rows, columns);
  });
  const wish = (change: () => void): void => {
    prepare.clear();
    change();
  };
  const arrangement: TableArrangement = {
    order,
    filters,
    canSort: loadWhole !== undefined || page.length > 1,
    canFilter: loadWhole !== undefined || page.length >= LEAST_FILTERED || filters !== undefined,
    isFiltered,
    cutAt: whole?.isCut ? whole.rows.length : undefined,
    error: prepare.error ?? save.error,
    isBusy: prepare.isBusy,
    sortBy: (column) => wish(() => setOrder(nextOrder(order, column))),
    filterBy: (column, filter) =>
      wish(() =>
        setFilters(columns.map((_, index) => (index === column ? filter : (filters?.[index] ?? '')))),
      ),
    toggleFilters: () => setFilters(filters ? undefined : []),
    save,
  };
  return { ...arrangement, rows: shown ?? page, isArranged: shown !== undefined };
};
