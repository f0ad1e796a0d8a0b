import { useEffect } from 'preact/hooks';
import { format } from '../format.ts';
import { Button } from './button.tsx';

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  /** Shows a page. With `replace`, the page before does not exist, so Back skips it. */
  readonly onPage: (page: number, how?: { readonly replace: true }) => void;
  /** Names the list, for screen readers. */
  readonly label?: string;
}

/** Buttons for the pages of a list. Nothing for a single page. */
export const Pager = ({ page, pages, onPage, label = 'Pages' }: PagerProps) => {
  const last = Math.max(1, pages);
  const isBehind = page > last;
  useEffect(() => {
    // The entries of the last page are gone, or a link names a page that does not exist.
    if (isBehind) onPage(last, { replace: true });
  }, [isBehind, last]);
  return pages <= 1 ? null : (
    <nav class="pager" aria-label={label}>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span role="status">
        Page {format.count(page)} of {format.count(pages)}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
};
