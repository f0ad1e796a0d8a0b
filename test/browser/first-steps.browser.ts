import { afterAll, expect, test } from '@jest/globals';
import { disconnect, visit } from './support/browser.ts';
import { countClicks } from './support/clicks.ts';
import { injected } from './support/hostile.ts';
import { look } from './support/look.ts';
import { newEmail } from './support/people.ts';
import { settled } from './support/session.ts';

afterAll(disconnect);

/** Limit for a slow machine. The goal of 60 seconds is printed, as no test depends on the speed of the machine. */
const LIMIT_MS = 180_000;

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

test('a new user has a backtest within five clicks, and a paper trade within three more', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  page.setDefaultTimeout(LIMIT_MS);
  const clicks = await countClicks(page);
  await page.goto('/console#/register');
  await page.getByLabel('Name').fill('Nina New');
  await page.getByLabel('E-mail').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill('a-long-password');
  const registeredAt = Date.now();
  await page.getByRole('button', { name: 'Create the account' }).click();

  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Show me all three' }).click();
  await page.getByRole('link', { name: 'See its backtest' }).click();
  await page.getByText('Total return').first().waitFor();
  const toBacktest = await clicks.taken();
  process.stdout.write(`First backtest: ${toBacktest} clicks, ${seconds(registeredAt)}\n`);
  expect(toBacktest).toBeLessThanOrEqual(5);

  const testedAt = Date.now();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await page
    .getByText(/Entry filled: \w+\.DEMO/)
    .first()
    .waitFor();
  const toTrade = await clicks.taken();
  process.stdout.write(`First paper trade: ${toTrade} more clicks, ${seconds(testedAt)}\n`);
  expect(toTrade).toBeLessThanOrEqual(3);

  await settled(page);
  expect(await look(page, 'home-first-trade')).toEqual([]);
  expect(await injected(page)).toBe(0);
  expect(watch.faults()).toEqual([]);
});

test('a new user has a backtest in the builder within five clicks, and a paper trade within three more', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  page.setDefaultTimeout(LIMIT_MS);
  const clicks = await countClicks(page);
  await page.goto('/console#/register');
  await page.getByLabel('Name').fill('Ben Builder');
  await page.getByLabel('E-mail').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill('a-long-password');
  const registeredAt = Date.now();
  await page.getByRole('button', { name: 'Create the account' }).click();

  await page.getByRole('link', { name: 'Build a strategy' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.click();
  await name.pressSequentially('First rules');
  const instrument = page.getByLabel('Instrument', { exact: true });
  await instrument.click();
  await instrument.pressSequentially('apple');
  await page
    .getByRole('option', { name: /^AAPL / })
    .first()
    .click();
  await page.getByRole('region', { name: 'Result' }).getByText('Closed trades').waitFor();
  const toBacktest = await clicks.taken();
  process.stdout.write(`First backtest in the builder: ${toBacktest} clicks, ${seconds(registeredAt)}\n`);
  expect(toBacktest).toBeLessThanOrEqual(5);

  const testedAt = Date.now();
  await page.getByRole('button', { name: 'Save the strategy' }).click();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay on paper' }).click();
  await page.waitForURL(/#\/deployments\/\d+/);
  await page
    .locator('.figure', { hasText: 'Last signal' })
    .getByText(/filled/)
    .waitFor();
  const toTrade = await clicks.taken();
  process.stdout.write(`First paper trade from the builder: ${toTrade} more clicks, ${seconds(testedAt)}\n`);
  expect(toTrade).toBeLessThanOrEqual(3);
  expect(watch.faults()).toEqual([]);
});
