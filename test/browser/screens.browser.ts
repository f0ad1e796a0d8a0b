import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { tabThrough } from './support/keyboard.ts';
import { ALL_VIEWS, look, TWO_VIEWS } from './support/look.ts';
import { demoPerson, newPerson } from './support/people.ts';
import { DETAILS, detailPaths, LISTS, PUBLIC_SCREENS } from './support/screens.ts';
import { open, signIn } from './support/session.ts';

afterAll(disconnect);

/** Opens a screen and uses it with the Tab key. Returns what is wrong with it. */
const inspect = async (
  { page, watch }: Visit,
  path: string,
  name: string,
  views = ALL_VIEWS,
): Promise<string[]> => {
  await open(page, path);
  return [...(await look(page, name, views)), ...(await tabThrough(page)), ...watch.faults()];
};

describe('without a session', () => {
  for (const path of PUBLIC_SCREENS) {
    test(path, async () => {
      await using visitor = await visit();
      expect(await inspect(visitor, path, path.slice(1))).toEqual([]);
    });
  }
});

if (LISTS.length > 0)
  describe('of a new user', () => {
    let visitor: Visit;
    beforeAll(async () => {
      visitor = await visit();
      await signIn(visitor.page, await newPerson());
    });
    afterAll(async () => visitor[Symbol.asyncDispose]());

    for (const path of LISTS) {
      test(path, async () => {
        expect(await inspect(visitor, path, `empty-${path.slice(1)}`, TWO_VIEWS)).toEqual([]);
      });
    }
  });

describe('of the demo user', () => {
  let visitor: Visit;
  let paths: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const demo = await demoPerson();
    paths = await detailPaths(demo);
    visitor = await visit();
    await signIn(visitor.page, demo);
  });
  afterAll(async () => visitor[Symbol.asyncDispose]());

  for (const path of LISTS) {
    test(path, async () => {
      expect(await inspect(visitor, path, path.slice(1))).toEqual([]);
    });
  }
  for (const { name } of DETAILS) {
    test(name, async () => {
      expect(await inspect(visitor, paths[name] ?? '', name)).toEqual([]);
    });
  }
});
