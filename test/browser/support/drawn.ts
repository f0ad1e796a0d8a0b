import type { Page } from 'playwright-core';

/** Waits until the page was drawn as it is now, and what it does after drawing has run. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );
