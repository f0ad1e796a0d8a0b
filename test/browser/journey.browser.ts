import { afterAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { enter, newEmail } from './support/people.ts';
import { storedText } from './support/stored.ts';

afterAll(disconnect);

/** The rule has bought by then: a bar takes two seconds. */
const TRADE_MS = 60_000;
const PASSWORD = 'a-long-password-of-grace';

/** Moves the focus to a control and presses Enter, as a person without a mouse does. */
const press = async (control: Locator): Promise<void> => {
  await control.focus();
  await control.press('Enter');
};

/** Types into the field with a label, in place of its text. */
const fill = async (page: Page, field: Locator, text: string): Promise<void> => {
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
};

/** Chooses the first option that begins with a text, with the arrow keys: typing ends where a key comes late. */
const choose = async (field: Locator, beginning: string): Promise<void> => {
  const chosen = () =>
    field.evaluate((select) =>
      select instanceof HTMLSelectElement ? (select.selectedOptions[0]?.label ?? '') : '',
    );
  await field.press('Home');
  for (
    let now = await chosen(), before = '';
    !now.startsWith(beginning);
    before = now, now = await chosen()
  ) {
    if (now === before) throw new Error(`no option begins with ${beginning}`);
    await field.press('ArrowDown');
  }
};

/** Waits until a navigation has ended. It takes the focus to the title, away from what a key is meant for. */
const arrive = (page: Page, title: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title }).and(page.locator(':focus')).waitFor();

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const tab = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

test('a new user registers, tests a template, runs it on paper, sees a trade and stops all by keyboard', async () => {
  await using visitor = await visit();
  const { page, watch, context } = visitor;
  const email = newEmail();

  await page.goto('/');
  await arrive(page, 'Sign in');
  await press(page.getByRole('link', { name: 'Create an account' }));
  await arrive(page, 'Create an account');
  await fill(page, page.getByLabel('Name'), 'Grace Newcomer');
  await fill(page, page.getByLabel('E-mail'), email);
  await fill(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  await arrive(page, 'Home');

  await press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }));
  await arrive(page, 'Strategies');
  await press(page.getByRole('link', { name: 'New strategy' }));
  await arrive(page, 'New strategy');
  await press(page.getByText('Begin with a template…'));
  await press(page.getByRole('button', { name: /^Moving-average cross/ }));
  await press(button(page, 'Use this template'));
  // An average is at any time at or above itself, so the rule buys at the first bar.
  const parameters = page.getByRole('region', { name: 'Parameters' });
  await fill(page, parameters.getByLabel('Default').nth(0), '3');
  await fill(page, parameters.getByLabel('Default').nth(1), '3');
  const entry = page.getByRole('region', { name: 'Entry', exact: true });
  await choose(entry.getByLabel('Comparison'), 'is at or above');
  const market = page.getByRole('region', { name: 'Name and market' });
  await fill(page, market.getByLabel('Name'), 'First try');
  await choose(market.getByLabel('Length of a bar'), '1 minute');
  await fill(page, market.getByLabel('Instrument', { exact: true }), 'NOVA');
  await market.getByRole('option', { name: 'NOVA.DEMO' }).waitFor();
  await page.keyboard.press('Enter');

  await page.getByRole('region', { name: 'Result' }).getByText('Closed trades').waitFor();
  await press(button(page, 'Save the strategy'));
  await page.waitForURL(/#\/strategies\/\d+\/build/);
  await arrive(page, 'Rules of First try');
  await press(page.getByRole('link', { name: 'Back to the strategy' }));
  await arrive(page, 'First try');

  await press(button(page, 'Deploy').first());
  await press(page.getByRole('dialog').getByRole('button', { name: 'Deploy on paper' }));
  await page.waitForURL(/#\/deployments\/\d+/);
  await arrive(page, 'First try');
  await press(tab(page, 'Orders'));
  const order = page.getByRole('row').filter({ hasText: 'Buy' }).filter({ hasText: 'Filled' });
  await order.first().waitFor({ timeout: TRADE_MS });

  await press(page.getByRole('navigation').getByRole('link', { name: 'Risk' }));
  await arrive(page, 'Risk');
  await press(page.getByRole('button', { name: 'Throw the kill switch' }));
  await fill(page, page.getByRole('dialog').getByLabel('Reason'), 'Trying it out');
  await page.keyboard.press('Enter');
  await page.getByText('Thrown: no order leaves').waitFor();
  await press(page.getByRole('navigation').getByRole('link', { name: 'Deployments' }));
  await page.getByText('Halted').first().waitFor();
  expect(watch.faults()).toEqual([]);

  const { hub, userId } = await enter(email, PASSWORD);
  const { items } = await hub.getStrategiesByUser({ user_id: userId });
  const tokens = (await context.cookies()).map(({ value }) => value);
  const secrets = [userId, PASSWORD, ...items.map(({ keygen }) => keygen), ...tokens];
  const seen = [await storedText(page), ...watch.addresses()].join('\n');
  expect(
    secrets.filter((secret) => seen.includes(secret) || seen.includes(encodeURIComponent(secret))),
  ).toEqual([]);
});
