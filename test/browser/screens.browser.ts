import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../functions/console/app/routes.ts';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { tabThrough } from './support/keyboard.ts';
import { ALL_VIEWS, look } from './support/look.ts';
import { demoPerson, newPerson } from './support/people.ts';
import { DETAILS, detailPaths, fileNameOf, LISTS, PUBLIC_SCREENS } from './support/screens.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

/** Opens a screen and uses it with the Tab key. Returns what is wrong with it. */
const inspect = async (
  { page, watch }: Visit,
  path: string,
  name: string,
  views?: typeof ALL_VIEWS,
): Promise<string[]> => {
  await open(page, path);
  return [...(await look(page, name, views)), ...(await tabThrough(page)), ...watch.faults()];
};

/** Goes through the views of a screen by its tabs. Returns what is wrong with them. */
const inspectTabs = async ({ page, watch }: Visit, path: string, name: string): Promise<string[]> => {
  await open(page, path);
  const problems: string[] = [];
  const tabs = page.locator('.tabs').first().locator('a, button');
  const labels = await tabs.allInnerTexts();
  // The first view is that of the screen.
  for (const [index, label] of labels.entries()) {
    if (index === 0) continue;
    const tab = tabs.nth(index);
    await tab.focus();
    await tab.press('Enter');
    await page
      .locator('.tabs')
      .first()
      .locator('[aria-current], [aria-pressed="true"]', { hasText: label })
      .waitFor();
    await settled(page);
    const slug = label.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const found = [...(await look(page, `${name}-${slug}`)), ...(await tabThrough(page)), ...watch.faults()];
    problems.push(...found.map((problem) => `${label}: ${problem}`));
  }
  return labels.length > 1 ? problems : ['no tabs'];
};

test('every screen of the console is in the lists of this test', () => {
  const known = [...PUBLIC_SCREENS, ...LISTS, ...DETAILS.map(({ route }) => route)];
  expect(new Set(known)).toEqual(new Set(ROUTES.map(({ path }) => path)));
});

describe('without a session', () => {
  for (const path of PUBLIC_SCREENS) {
    test(path, async () => {
      await using visitor = await visit();
      expect(await inspect(visitor, path, fileNameOf(path), ALL_VIEWS)).toEqual([]);
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
      expect(await inspect(visitor, path, `empty-${fileNameOf(path)}`)).toEqual([]);
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
      expect(await inspect(visitor, path, fileNameOf(path), ALL_VIEWS)).toEqual([]);
    });
  }
  for (const { name } of DETAILS) {
    test(name, async () => {
      expect(await inspect(visitor, paths[name], name, ALL_VIEWS)).toEqual([]);
    });
  }
  for (const path of ['/settings', '/deployments', '/backtests'] as const) {
    test(`views of ${path}`, async () => {
      expect(await inspectTabs(visitor, path, fileNameOf(path))).toEqual([]);
    });
  }
  for (const name of ['deployment', 'deployment-notification', 'deployment-scanner', 'edit-rules'] as const) {
    test(`views of ${name}`, async () => {
      expect(await inspectTabs(visitor, paths[name], name)).toEqual([]);
    });
  }
});
