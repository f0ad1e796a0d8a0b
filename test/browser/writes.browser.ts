import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { newPerson } from './support/people.ts';
import { open, signIn } from './support/session.ts';

afterAll(disconnect);

/** Answers after a moment that the service has failed. */
const failLate = async (page: Page, path: RegExp): Promise<void> => {
  await page.route(path, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.fulfill({ status: 500, json: { detail: 'Internal error', request_id: 'r-1' } });
  });
};

test('a dialog cannot be closed while its action runs, so its error is seen', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/risk');
  await failLate(page, /\/kill_switch/);
  watch.expect(/^500: POST \/kill_switch/);
  await page.getByRole('button', { name: 'Throw the kill switch…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Something is wrong');
  await dialog.getByRole('button', { name: 'Stop all orders' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByRole('alert').innerText()).toContain('r-1');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(watch.faults()).toEqual([]);
});

test('a deployment whose answer is lost is sent again with the same key, so there is one', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  const { strategy_id } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Once',
  });
  await signIn(page, person);
  await open(page, `/strategies/${strategy_id}`);
  const keys: (string | undefined)[] = [];
  await page.route(/\/deploy_live_strategy/, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) {
      await route.continue();
      return;
    }
    // The service deploys, but its answer does not arrive as it was.
    await route.fetch();
    await route.fulfill({ status: 500, json: { detail: 'Internal error' } });
  });
  watch.expect(/^500: POST \/deploy_live_strategy/);
  await page.getByRole('button', { name: 'Deploy', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  const deploy = dialog.getByRole('button', { name: 'Deploy on paper' });
  await deploy.click();
  await dialog.getByRole('alert').waitFor();
  await deploy.click();
  await page.waitForURL(/#\/deployments\/\d+/);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect((await hub.getAllLiveDeploymentsV2({ user_id })).total).toBe(1);
  expect(watch.faults()).toEqual([]);
});
