import { countText } from '../../count-text.ts';
import { format } from '../../format.ts';
import { Button } from '../button.tsx';
import { Problem } from '../notice.tsx';
import type { TableArrangement } from './use-arrangement.ts';

type TableToolsProps = Pick<
  TableArrangement,
  'filters' | 'isFiltered' | 'canFilter' | 'cutAt' | 'error' | 'isBusy' | 'toggleFilters' | 'save'
> & {
  readonly caption: string;
  /** Number of rows that are shown. */
  readonly shown: number;
};

/** Buttons of a table, and a sentence about filtered rows. */
export const TableTools = (props: TableToolsProps) => {
  const { filters, isFiltered, canFilter, cutAt, caption, shown, isBusy, toggleFilters, save } = props;
  return (
    <>
      <div class="table-tools">
        <p class="muted" role="status">
          {isBusy && 'Loading the list…'}
          {!isBusy && isFiltered && `${countText(shown, 'row matches', 'rows match')}.`}
          {cutAt !== undefined && ` The list is long: only its first ${format.count(cutAt)} rows are used.`}
        </p>
        {canFilter && (
          <Button
            kind="quiet"
            aria-pressed={filters !== undefined}
            aria-label={`Filter: ${caption}`}
            onClick={toggleFilters}
          >
            Filter
          </Button>
        )}
        <Button kind="quiet" busy={save.isBusy} aria-label={`Export as CSV: ${caption}`} onClick={save.run}>
          CSV
        </Button>
      </div>
      <Problem of={props.error} />
    </>
  );
};
