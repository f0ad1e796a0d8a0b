import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { drawn } from './support/drawn.ts';
import { look } from './support/look.ts';
import { demoPerson } from './support/people.ts';
import { detailPaths } from './support/screens.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

let paths: Awaited<ReturnType<typeof detailPaths>>;
let visitor: Visit;
beforeAll(async () => {
  const demo = await demoPerson();
  paths = await detailPaths(demo);
  visitor = await visit();
  await signIn(visitor.page, demo);
});
afterAll(async () => visitor[Symbol.asyncDispose]());

/** Screens and the names of the buttons that open a dialog there. */
const OPENERS = {
  strategy: [/^Deploy$/, /^Copy$/, /^Rename or describe$/, /^Replace the deploy key/, /^Archive/],
  backtest: [/^Deploy$/, /^Name and file$/, /^Export$/],
  deployment: [/^Pause$/, /^Stop$/, /^Kill switch$/],
  sweep: [/^Use these in the strategy/],
  '/explore': [/^Copy /],
  '/strategies': [/^Copy with a share key/],
  '/deployments': [/^Stop /],
  '/backtests': [/^Remove /],
  '/risk': [/^Throw the kill switch/, /^Change the limits/],
  '/settings': [/^Delete my account/],
  '/settings?part=brokers': [/^Connect an account/],
  '/settings?part=programs': [/^Add a webhook/],
} as const;

/** Returns where the focus is. */
const focusPlace = (page: Page): Promise<'dialog' | 'page' | 'nothing'> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    // Behind the last control of a dialog is the browser itself.
    if (!element || element === document.body) return 'nothing';
    return element.closest('dialog[open]') ? 'dialog' : 'page';
  });

const MAX_STOPS = 40;

/** Opens a dialog by keyboard, uses it and closes it with Escape. Returns what is wrong with it. */
const inspectDialog = async (page: Page, opener: RegExp, name: string): Promise<string[]> => {
  const button = page.locator('main').getByRole('button', { name: opener }).first();
  await button.focus();
  await button.press('Enter');
  await page.getByRole('dialog').waitFor();
  await settled(page);
  const places = [await focusPlace(page)];
  const problems = await look(page, `dialog-${name}`);
  for (let stop = 0; stop < MAX_STOPS && (stop === 0 || places.at(-1) === 'dialog'); stop += 1) {
    await page.keyboard.press('Tab');
    places.push(await focusPlace(page));
  }
  if (places[0] !== 'dialog') problems.push(`opened with the focus on: ${places[0]}`);
  if (places.includes('page')) problems.push('the focus leaves the dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  // The dialog gives the focus back once it is drawn as closed.
  await drawn(page);
  const isBack = await button.evaluate((element) => element === document.activeElement);
  return isBack ? problems : [...problems, 'the focus does not come back'];
};

const isDetail = (screen: string): screen is keyof typeof paths => screen in paths;

for (const [screen, openers] of Object.entries(OPENERS)) {
  test(`dialogs of ${screen} keep the focus, give it back and can be read by everyone`, async () => {
    const { page, watch } = visitor;
    await open(page, isDetail(screen) ? paths[screen] : screen);
    const problems: string[] = [];
    for (const opener of openers) {
      const name = `${screen}-${String(opener)}`.replaceAll(/[^A-Za-z]+/g, '-').toLowerCase();
      const found = await inspectDialog(page, opener, name);
      problems.push(...[...found, ...watch.faults()].map((problem) => `${opener}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });
}
