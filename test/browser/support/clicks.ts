import type { Page } from 'playwright-core';

/** Counts the clicks of a page, those that keys make included. */
export interface Clicks {
  /** Returns the number of clicks since the last call. */
  readonly taken: () => Promise<number>;
}

/** Counts clicks on a page from its next load on. */
export const countClicks = async (page: Page): Promise<Clicks> => {
  let count = 0;
  await page.exposeFunction('clickTaken', () => {
    count += 1;
  });
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ isTrusted, target }) => {
        // A label passes its click on to its control, which would count it again.
        const isPassedOn =
          target instanceof Element && target.closest('label') !== null && !target.matches('input');
        const taken: unknown = Reflect.get(globalThis, 'clickTaken');
        if (isTrusted && !isPassedOn && typeof taken === 'function') taken();
      },
      { capture: true },
    );
  });
  return {
    taken: async () => {
      // Calls from the page arrive in order, so this one is behind all clicks.
      await page.evaluate(() => undefined);
      const since = count;
      count = 0;
      return since;
    },
  };
};
