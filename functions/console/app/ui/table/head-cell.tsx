import type { Column } from './table-props.ts';
import type { TableArrangement } from './use-arrangement.ts';

interface HeadCellProps<R> {
  readonly of: Column<R>;
  readonly column: number;
  readonly class: string | undefined;
  readonly arrangement: TableArrangement;
}

const SIGNS = { none: '↕', ascending: '↑', descending: '↓' } as const;

/** Head of a column: a button that sorts by it, and its filter. */
export const HeadCell = <R,>({
  of: { head, isCommands, isNumber },
  column,
  arrangement,
  ...more
}: HeadCellProps<R>) => {
  const { order, filters, canSort, sortBy, filterBy } = arrangement;
  if (isCommands) {
    return (
      <th scope="col" {...more}>
        <span class="unseen">{head}</span>
      </th>
    );
  }
  const direction = order?.isDown ? 'descending' : 'ascending';
  const sorting = order?.column === column ? direction : 'none';
  return (
    <th scope="col" aria-sort={canSort ? sorting : undefined} {...more}>
      {canSort ? (
        <button type="button" class="sort" onClick={() => sortBy(column)}>
          {head}
          <span class="sort-sign" aria-hidden="true">
            {SIGNS[sorting]}
          </span>
        </button>
      ) : (
        head
      )}
      {filters && (
        <input
          type="search"
          class="filter"
          aria-label={typeof head === 'string' ? `Filter: ${head}` : `Filter: column ${column + 1}`}
          placeholder={isNumber ? '> 0' : ''}
          value={filters[column] ?? ''}
          onInput={({ currentTarget }) => filterBy(column, currentTarget.value)}
        />
      )}
    </th>
  );
};
