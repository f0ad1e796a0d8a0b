import { afterAll, expect, test } from '@jest/globals';
import type { Request } from 'playwright-core';
import { disconnect, type Visit, visit } from './support/browser.ts';
import { drawn } from './support/drawn.ts';
import { hold } from './support/hold.ts';
import { newPerson, type Person } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

/** Signs a new user in. */
const enterNew = async (): Promise<Visit & { readonly person: Person }> => {
  const visitor = await visit();
  const person = await newPerson();
  await signIn(visitor.page, person);
  return { ...visitor, person };
};

test('a navigation moves the focus to the title, also where the answer is slow, and shows that it loads', async () => {
  await using visitor = await enterNew();
  const { page, watch } = visitor;
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (const name of ['Strategies', 'Backtests', 'Deployments', 'Risk', 'Settings', 'Explore']) {
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    await link.focus();
    await link.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await settled(page);
    expect([name, await focused(), await page.title()]).toEqual([name, name, `${name} · Strategy Hub`]);
  }
  const held = await hold(page, /\/get_backtests/);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Backtests' })
    .press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Backtests' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
  await drawn(page);
  expect(await focused()).toBe('Backtests');
  await held.letGo();
  await page.getByText('There are no backtests here yet.').waitFor();
  await settled(page);
  expect(await page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0);
  expect(watch.faults()).toEqual([]);
});

test('the kill switch is offered as soon as something runs, and its act is sent once, however often its button is pressed while the answer is slow', async () => {
  await using visitor = await enterNew();
  const { page, watch, person } = visitor;
  const { hub, userId: user_id } = person;
  const stop = page.getByRole('link', { name: 'Stop everything' });
  await open(page, '/deployments');
  await stop.waitFor({ state: 'detached' });
  // The page hears of changes from now on.
  await page.getByText('Live updates').waitFor();
  const own = await hub.buildNewStrategy({ user_id, symbol: 'AAPL', timeframe: '1d', strategy_name: 'Once' });
  await hub.deployNotificationStrategy({ keygen: own.keygen, body: { channels: 'push' } });
  // A change event tells the open page of it.
  await stop.click();
  await page.getByRole('heading', { level: 1, name: 'Risk' }).waitFor();
  const writes: string[] = [];
  page.on('request', (request: Request) => {
    if (request.method() !== 'GET') writes.push(new URL(request.url()).pathname);
  });
  const held = await hold(page, /\/kill_switch\b/);
  await page.getByRole('button', { name: 'Throw the kill switch' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Slow');
  const act = dialog.locator('button[type="submit"]');
  await act.focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Enter');
  await dialog.locator('button[aria-busy="true"]').waitFor();
  expect(await act.evaluate((element) => element === document.activeElement)).toBe(true);
  await dialog.getByLabel('Reason').press('Enter');
  await held.letGo();
  await page.getByText('Thrown: no order leaves').waitFor();
  expect(writes).toEqual(['/kill_switch']);
  expect(watch.faults()).toEqual([]);
});
