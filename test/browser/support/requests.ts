import type { Page, Request } from 'playwright-core';

/** Requests of a page. */
interface Requests {
  /** Requests without a complete answer. */
  readonly open: ReadonlySet<Request>;
  /** Number of requests since the page was made. */
  readonly begun: () => number;
}

const followed = new WeakMap<Page, Requests>();

/** Tells whether a request waits for changes of the user's things, so that its answer may take seconds. */
const waitsForChanges = (request: Request): boolean => {
  const { pathname, searchParams } = new URL(request.url());
  return pathname === '/events' && searchParams.get('wait') !== '0';
};

/** Counts the requests of a new page, except those that wait for changes. */
export const followRequests = (page: Page): void => {
  const open = new Set<Request>();
  let begun = 0;
  page.on('request', (request) => {
    if (waitsForChanges(request)) return;
    begun += 1;
    open.add(request);
  });
  page.on('requestfinished', (request) => void open.delete(request));
  page.on('requestfailed', (request) => void open.delete(request));
  followed.set(page, { open, begun: () => begun });
};

/** Returns the requests of a page. */
export const requestsOf = (page: Page): Requests => {
  const requests = followed.get(page);
  if (!requests) throw new Error('the requests of this page are not followed');
  return requests;
};
