import type { Page, Route } from 'playwright-core';

/** Requests that wait for their answers. */
export interface Held {
  /** Lets the requests be answered, and all later ones. */
  readonly letGo: () => Promise<void>;
}

const pass = (route: Route): Promise<void> => route.continue();

/** Lets requests wait until they are let go. The service answers them then, unless `answer` does. */
export const hold = async (page: Page, paths: RegExp, answer = pass): Promise<Held> => {
  const waiting: Route[] = [];
  let isHeld = true;
  await page.route(paths, (route) => (isHeld ? void waiting.push(route) : answer(route)));
  return {
    letGo: async () => {
      isHeld = false;
      await Promise.all(waiting.map(answer));
    },
  };
};
