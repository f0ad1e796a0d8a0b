import type { Page } from 'playwright-core';

/** Returns what scripts can read of all that a page keeps in the browser, as one text. */
export const storedText = (page: Page): Promise<string> =>
  page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      await indexedDB.databases(),
      await caches.keys(),
      document.cookie,
    ]),
  );
