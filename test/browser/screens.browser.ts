import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../functions/console/app/routes.ts';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { tabThrough } from './support/keyboard.ts';
import { ALL_VIEWS, look, TWO_VIEWS } from './support/look.ts';
import { demoPerson, newPerson } from './support/people.ts';
import { DETAILS, detailPaths, fileNameOf, LISTS, PUBLIC_SCREENS } from './support/screens.ts';
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

test('every screen of the console is in the lists of this test', () => {
  const START = '/';
  const known = [START, ...PUBLIC_SCREENS, ...LISTS, ...DETAILS.map(({ route }) => route)];
  expect(new Set(known)).toEqual(new Set(ROUTES.map(({ path }) => path)));
});

describe('without a session', () => {
  for (const path of PUBLIC_SCREENS) {
    test(path, async () => {
      await using visitor = await visit();
      expect(await inspect(visitor, path, fileNameOf(path))).toEqual([]);
    });
  }
});

describe('of a new user', () => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await visit();
    await signIn(visitor.page, await newPerson());
  });
  afterAll(async () => visitor[Symbol.asyncDispose]());

  for (const path of LISTS) {
    test(path, async () => {
      expect(await inspect(visitor, path, `empty-${fileNameOf(path)}`, TWO_VIEWS)).toEqual([]);
    });
  }
});

describe('of the demo user', () => {
  let visitor: Visit;
  let paths: Awaited<ReturnType<typeof detailPaths>>;
  beforeAll(async () => {
    const demo = await demoPerson();
    paths = await detailPaths(demo);
    visitor = await visit();
    await signIn(visitor.page, demo);
  });
  afterAll(async () => visitor[Symbol.asyncDispose]());

  for (const path of LISTS) {
    test(path, async () => {
      expect(await inspect(visitor, path, fileNameOf(path))).toEqual([]);
    });
  }
  for (const { name } of DETAILS) {
    test(name, async () => {
      expect(await inspect(visitor, paths[name], name)).toEqual([]);
    });
  }
});
