import { afterAll, expect, test } from '@jest/globals';
import { accessibilityFindings } from './support/accessibility.ts';
import { disconnect, visit } from './support/browser.ts';
import { look } from './support/look.ts';
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
