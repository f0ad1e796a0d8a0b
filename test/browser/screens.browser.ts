import { afterAll, describe, expect, test } from '@jest/globals';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { tabThrough } from './support/keyboard.ts';
import { look } from './support/look.ts';
import { PUBLIC_SCREENS } from './support/screens.ts';
import { open } from './support/session.ts';

afterAll(disconnect);

/** Opens a screen and uses it with the Tab key. Returns what is wrong with it. */
const inspect = async ({ page, watch }: Visit, path: string, name: string): Promise<string[]> => {
  await open(page, path);
  return [...(await look(page, name)), ...(await tabThrough(page)), ...watch.faults()];
};

describe('without a session', () => {
  for (const path of PUBLIC_SCREENS) {
    test(path, async () => {
      await using visitor = await visit();
      expect(await inspect(visitor, path, path.slice(1))).toEqual([]);
    });
  }
});
