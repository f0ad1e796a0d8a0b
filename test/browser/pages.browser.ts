import { afterAll, expect, test } from '@jest/globals';
import { accessibilityFindings } from './support/accessibility.ts';
import { disconnect, visit } from './support/browser.ts';
import { ALL_VIEWS, look } from './support/look.ts';
import { newPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

test('the reference opens without faults', async () => {
  await using visitor = await visit();
  await visitor.page.goto('/docs');
  await visitor.page.getByText('/verify_session').first().waitFor();
  expect(visitor.watch.faults()).toEqual([]);
});

test.each(['light', 'dark'] as const)('everyone can read the messages (%s)', async (colorScheme) => {
  await using visitor = await visit({ colorScheme });
  await visitor.page.goto('/__local/messages');
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  expect(visitor.watch.faults()).toEqual([]);
  expect(await accessibilityFindings(visitor.page)).toEqual([]);
});

test('the page of all components has no faults in any size and scheme', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await page.goto('/__local/components');
  await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
  await page.locator('canvas').first().waitFor();
  expect(await look(page, 'components', ALL_VIEWS)).toEqual([]);
  for (const name of ['Dialog', 'Question', 'Question whose act runs', 'Question whose act failed']) {
    const opener = page.getByRole('button', { name, exact: true });
    await opener.click();
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    // The act that runs keeps its dialog, so a navigation ends it.
    if (name === 'Question whose act runs') {
      await page.reload();
      await opener.waitFor();
    } else await page.keyboard.press('Escape');
  }
  expect(watch.faults()).toEqual([]);
  const console = await page.request.get('/console/components.js');
  expect(console.status()).toBe(404);
});

test('the navigation shows Explore for a strategy of somebody else, and Strategies for an own one', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { strategy_id } = await person.hub.buildNewStrategy({
    user_id: person.userId,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Mine',
  });
  await signIn(page, person);
  const present = page.getByRole('navigation').locator('[aria-current]');
  await open(page, '/explore');
  await page.getByRole('link', { name: 'Bitcoin Channel Breakout' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bitcoin Channel Breakout' }).waitFor();
  // A screen names its entry once it is drawn.
  await settled(page);
  expect(await present.allInnerTexts()).toEqual(['Explore']);
  await open(page, `/strategies/${strategy_id}`);
  await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
  expect(await present.allInnerTexts()).toEqual(['Strategies']);
  expect(watch.faults()).toEqual([]);
});

test('long names without blanks make no page wider than a phone', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson('N'.repeat(60));
  const { hub, userId: user_id } = person;
  const { keygen, strategy_id } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'W'.repeat(100),
  });
  const body = { mode: 'virtual', starting_capital: '10000' } as const;
  const { deployment_id } = await hub.deployLiveStrategy({ keygen, body });
  await signIn(page, person);
  const found: string[] = [];
  for (const path of [
    '/strategies',
    `/strategies/${strategy_id}`,
    `/strategies/${strategy_id}/build`,
    '/deployments',
    `/deployments/${deployment_id}`,
    `/risk?deployment=${deployment_id}`,
  ]) {
    await open(page, path);
    for (const problem of await look(page, 'long-names')) found.push(`${path}: ${problem}`);
  }
  expect(found).toEqual([]);
  expect(watch.faults()).toEqual([]);
});

test('the order and filters of Explore are chosen with the keyboard, and are in the address', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/explore');
  const order = page.getByLabel('Order');
  const proven = page.getByLabel('Record of at least 90 days');
  const low = page.getByLabel('Drawdown below 20 %');
  const hash = () => new URL(page.url()).hash;
  await order.focus();
  await order.press('S');
  await page.waitForURL(/sort=sharpe/);
  await settled(page);
  // A ranking has records of at least 90 days alone.
  expect([await proven.isChecked(), await proven.isDisabled()]).toEqual([true, true]);
  await low.focus();
  await low.press('Space');
  await page.waitForURL(/drawdown=20/);
  await page
    .getByText(/track record of 90 days|with a record of at least 90 days/)
    .first()
    .waitFor();
  await settled(page);
  expect(await look(page, 'explore-ranked')).toEqual([]);
  await page.reload();
  expect(await order.inputValue()).toBe('sharpe');
  expect(await low.isChecked()).toBe(true);
  await order.selectOption('newest');
  await low.uncheck();
  await page.waitForURL((url) => url.hash === '#/explore');
  await proven.check();
  await page.waitForURL(/days=90/);
  // A search has an order of its own.
  await page.getByLabel('Search').fill('bit');
  await page.waitForURL(/search=bit/);
  await order.waitFor({ state: 'hidden' });
  expect(hash()).toContain('days=90');
  expect(watch.faults()).toEqual([]);
});
