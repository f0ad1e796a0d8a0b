import { afterAll, expect, test } from '@jest/globals';
import { disconnect, PHONE, visit } from './support/browser.ts';
import { hold } from './support/hold.ts';
import { newPerson, type Person } from './support/people.ts';
import { open, signIn } from './support/session.ts';

afterAll(disconnect);

/** Longer than the pause between two reads of any part of a screen. */
const INTERVAL_MS = 61_000;

const deploy = async ({ hub, userId: user_id }: Person): Promise<void> => {
  const own = await hub.buildNewStrategy({ user_id, symbol: 'AAPL', timeframe: '1d', strategy_name: 'Late' });
  await hub.deployNotificationStrategy({ keygen: own.keygen, body: { channels: 'push' } });
};

const throwSwitch = ({ hub, userId: user_id }: Person) =>
  hub.killSwitch({ user_id, body: { action: 'throw', reason: 'Elsewhere' } });

test('a change between the load of a screen and the first answer about changes is shown', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  const held = await hold(page, /\/events\b/);
  await page.goto('about:blank');
  await page.goto('/console#/risk');
  // The audit trail is read once and after changes, at no interval.
  await page.getByText('Nothing yet.').waitFor();
  await throwSwitch(person);
  await held.letGo();
  await page.getByRole('table', { name: 'Audit trail' }).getByText('Kill switch thrown').waitFor();
  expect(watch.faults()).toEqual([]);
});

test('a kill switch that is thrown elsewhere is shown, also when the page hears of no change', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  await hold(page, /\/events\b/);
  await page.clock.install();
  await page.goto('about:blank');
  await page.goto('/console#/explore');
  await page.getByText('Bitcoin Channel Breakout').first().waitFor();
  await throwSwitch(person);
  await page.clock.fastForward(INTERVAL_MS);
  await page.getByText('Your trading is stopped').waitFor();
  expect(watch.faults()).toEqual([]);
});

test('what begins elsewhere can be stopped, also when the page hears of no change', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  await signIn(page, person);
  await hold(page, /\/events\b/);
  await page.clock.install();
  await page.goto('about:blank');
  await page.goto('/console#/deployments');
  const stop = page.getByRole('link', { name: 'Stop everything' });
  await page.getByRole('heading', { level: 1, name: 'Deployments' }).waitFor();
  await stop.waitFor({ state: 'detached' });
  await deploy(person);
  await page.clock.fastForward(INTERVAL_MS);
  await stop.waitFor({ timeout: 10_000 });
  expect(watch.faults()).toEqual([]);
});

test('the banner of a thrown kill switch stays while its state cannot be read again', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  await throwSwitch(person);
  await signIn(page, person);
  await open(page, '/risk');
  const banner = page.getByText('Your trading is stopped');
  await banner.waitFor();
  watch.expect(/^503: GET \/get_kill_switch/);
  await page.getByRole('button', { name: 'Throw it again…' }).click();
  await page.getByLabel('Reason').fill('Again');
  let failed = 0;
  await page.route(/\/get_kill_switch/, async (route) => {
    failed += 1;
    await route.fulfill({ status: 503, json: { detail: 'Down', code: 'unavailable', request_id: 'r-1' } });
  });
  await page.getByRole('button', { name: 'Stop all orders' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('alert').first().waitFor();
  expect(failed).toBeGreaterThan(0);
  expect(await banner.count()).toBe(1);
  expect(watch.faults()).toEqual([]);
});

test('a long reason in the audit trail begins at the line of its entry', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  await hub.killSwitch({ user_id, body: { action: 'throw', reason: 'Why not. '.repeat(30).trim() } });
  await signIn(page, person);
  await page.setViewportSize(PHONE);
  await open(page, '/risk');
  const row = page.getByRole('table', { name: 'Audit trail' }).locator('tbody tr');
  const [when, reason] = await Promise.all([
    row.locator('time').boundingBox(),
    row.locator('.wide-text').boundingBox(),
  ]);
  expect(reason?.height).toBeGreaterThan(60);
  expect(Math.abs((when?.y ?? 0) - (reason?.y ?? 0))).toBeLessThan(10);
  expect(watch.faults()).toEqual([]);
});
