import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { disconnect, visit } from './support/browser.ts';
import { type HostileWorld, hostile, hostileWorld, injected, withParameter } from './support/hostile.ts';
import { newPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld();
});

/** Screens with the marks of the texts that each shows. */
const shownOf = ({ strategyId, deploymentId, backtestId }: HostileWorld) =>
  [
    { path: '/strategies', marks: ['renamed', 'engine'] },
    { path: '/explore', marks: ['renamed', 'user'] },
    { path: `/strategies/${strategyId}`, marks: ['renamed', 'description'] },
    { path: `/strategies/${strategyId}/build`, marks: ['renamed'] },
    { path: '/backtests', marks: ['tested'] },
    { path: `/backtests/${backtestId}`, marks: ['tested', 'renamed'] },
    { path: '/deployments', marks: ['engine'] },
    {
      path: `/deployments/${deploymentId}`,
      marks: ['engine', 'paused'],
    },
    {
      path: `/deployments/${deploymentId}?view=orders`,
      marks: ['rejected'],
    },
    { path: `/deployments/${deploymentId}?view=safety`, marks: ['paused'] },
    { path: '/notifications', marks: ['title', 'body', 'rejected'] },
    { path: '/risk', marks: ['limits', 'thrown', 're-armed'] },
    { path: '/settings', marks: ['user'] },
    { path: '/settings?part=sign-ins', marks: [] },
    { path: '/settings?part=brokers', marks: ['broker'] },
    { path: '/settings?part=programs', marks: ['webhook'] },
  ] as const;

test('hostile texts of a user are shown as texts in every screen', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, world.person);
  const missing: string[] = [];
  for (const { path, marks } of shownOf(world)) {
    await open(page, path);
    for (const mark of marks) {
      const isShown = (await page.getByText(hostile(mark)).count()) > 0;
      if (!isShown) missing.push(`${path}: ${mark}`);
    }
    expect([path, await injected(page)]).toEqual([path, 0]);
    expect([path, watch.faults()]).toEqual([path, []]);
  }
  expect(missing).toEqual([]);
});

test('hostile texts of another user are shown as texts', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/explore');
  await page.getByText(hostile('renamed')).first().waitFor();
  for (const path of [`/strategies/${world.strategyId}`, `/authors/${world.userKey}`]) {
    await open(page, path);
    expect([path, await injected(page)]).toEqual([path, 0]);
    expect([path, watch.faults()]).toEqual([path, []]);
  }
});

test('symbols, e-mails and names of parameters with markup are refused', async () => {
  const { hub, userId: user_id } = world.person;
  const made = { user_id, timeframe: '1d', strategy_name: 'Markup' } as const;
  const refused = expect.objectContaining({ status: 422 });
  await expect(hub.buildNewStrategy({ ...made, symbol: hostile('symbol') })).rejects.toEqual(refused);
  await expect(newPerson('Ada', `${hostile('mail')}@example.com`)).rejects.toEqual(refused);
  const { strategy_id } = await hub.buildNewStrategy({ ...made, symbol: 'AAPL' });
  const body = withParameter(hostile('parameter'));
  await expect(hub.setStrategyRules({ user_id, strategy_id, body })).rejects.toEqual(refused);
});

/** Screens with fields for texts. */
const formsOf = ({ strategyId }: HostileWorld) => [
  `/backtests/new?strategy=${strategyId}`,
  '/explore',
  '/notifications',
  '/deployments?view=ended',
  // The builder asks before it is left, so it is the last.
  '/build',
];

test('hostile texts in every field are shown as texts', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, world.person);
  // The service refuses some of the texts as the user types.
  watch.expect(/^422: /);
  for (const path of formsOf(world)) {
    await open(page, path);
    const fields = page.locator('main').locator('input:not([type="checkbox"], [type="radio"]), textarea');
    expect([path, await fields.count()]).not.toEqual([path, 0]);
    for (const field of await fields.all()) {
      if (!(await field.isVisible()) || (await field.getAttribute('type')) === 'date') continue;
      await field.fill(hostile('typed'));
      await field.blur();
    }
    await settled(page);
    expect([path, await injected(page)]).toEqual([path, 0]);
    expect([path, watch.faults()]).toEqual([path, []]);
  }
});

test.each([
  '/<img src=x onerror=alert(1)>',
  '/strategies/"><svg onload=alert(1)>',
  '/sign-in?to=//evil.example',
  '/sign-in?to=javascript:alert(1)',
])('a hostile address does nothing: %s', async (path) => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  watch.expect(/^404: GET \/get_strategy$/);
  const person = await newPerson();
  await page.goto(`/console#${path}`);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
  await settled(page);
  expect(await injected(page)).toBe(0);
  expect(watch.faults()).toEqual([]);
  expect(new URL(page.url()).pathname).toBe('/console');
});
