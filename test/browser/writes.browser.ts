import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { hold } from './support/hold.ts';
import { look } from './support/look.ts';
import { newPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

test('a dialog cannot be closed while its action runs, so its error is seen', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/risk');
  const failed = await hold(page, /\/kill_switch/, (route) =>
    route.fulfill({ status: 500, json: { detail: 'Internal error', request_id: 'r-1' } }),
  );
  watch.expect(/^500: POST \/kill_switch/);
  await page.getByRole('button', { name: 'Throw the kill switch…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Something is wrong');
  await dialog.getByRole('button', { name: 'Stop all orders' }).click();
  await dialog.locator('button[aria-busy="true"]').waitFor();
  await page.keyboard.press('Escape');
  await failed.letGo();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByRole('alert').innerText()).toContain('r-1');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(watch.faults()).toEqual([]);
});

/** Loses the answer to the first request of a path, which the service has answered. Returns the keys of its requests. */
const loseFirst = async (page: Page, path: RegExp): Promise<(string | undefined)[]> => {
  const keys: (string | undefined)[] = [];
  await page.route(path, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) {
      await route.continue();
      return;
    }
    await route.fetch();
    await route.fulfill({ status: 500, json: { detail: 'Internal error' } });
  });
  return keys;
};

test('what a lost answer made is asked for again with the same key, so there is one; ended runs are listed', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  const { strategy_id, keygen } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Once',
  });
  const ended = await hub.deployLiveStrategy({
    keygen,
    body: { mode: 'virtual', starting_capital: '10000', currency: 'USD', prediction_market: true },
  });
  await hub.undeployLiveStrategy({ user_id, deployment_id: ended.deployment_id });
  await signIn(page, person);
  const dialog = page.getByRole('dialog');
  const twice = async (opener: string, maker: string, path: RegExp): Promise<void> => {
    const keys = await loseFirst(page, path);
    watch.expect(new RegExp(`^500: POST ${path.source}`));
    await page.getByRole('button', { name: opener, exact: true }).first().click();
    const make = dialog.getByRole('button', { name: maker });
    await make.click();
    await dialog.getByRole('alert').waitFor();
    await make.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(keys).toEqual([keys[0], keys[0]]);
  };

  await open(page, `/strategies/${strategy_id}`);
  const runs = page.getByRole('region', { name: 'Deployments of this strategy' });
  await runs.locator(`a[href="#/deployments/${ended.deployment_id}"]`).waitFor();
  await twice('Copy', 'Copy', /\/copy_strategy/);
  await page.waitForURL(
    (url) => /#\/strategies\/\d+$/.test(url.hash) && !url.hash.endsWith(`/${strategy_id}`),
  );
  expect((await hub.getStrategiesByUser({ user_id })).counts).toMatchObject({ own: 1, copied: 1 });

  await open(page, `/strategies/${strategy_id}`);
  await page.getByRole('button', { name: 'Deploy', exact: true }).first().click();
  await dialog.getByLabel('Capital on paper').fill('10,000');
  await dialog.getByLabel('Push message').uncheck();
  await dialog.getByRole('button', { name: 'Deploy on paper' }).click();
  await dialog.locator('[aria-invalid="true"]:focus').waitFor();
  await dialog.getByRole('alert').filter({ hasText: 'Choose at least one way.' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await twice('Deploy', 'Deploy on paper', /\/deploy_live_strategy/);
  await page.waitForURL(/#\/deployments\/\d+/);
  expect((await hub.getAllLiveDeploymentsV2({ user_id })).total).toBe(1);
  expect(watch.faults()).toEqual([]);
});

test('the kill switch asks for no reason first', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const { hub, userId: user_id, ...person } = await newPerson();
  await signIn(page, { ...person, hub, userId: user_id });
  await open(page, '/risk');
  await page.getByRole('button', { name: 'Throw the kill switch…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop all orders' }).click();
  await page.getByText('Thrown: no order leaves').waitFor();
  expect((await hub.getKillSwitch({ user_id })).switches[0]?.reason).toBe('By hand, in the console');
  expect(watch.faults()).toEqual([]);
});

test('a backtest of saved rules is one of their strategy, and prices that end in the past are named', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  const { strategy_id } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Filed here',
  });
  const [template] = await hub.getStrategyTemplates({});
  if (!template) throw new Error('there is no template');
  await hub.setStrategyRules({ user_id, strategy_id, body: template.rules });
  await signIn(page, person);
  await open(page, `/strategies/${strategy_id}/build`);
  await page.getByRole('button', { name: 'Backtest these rules' }).click();
  await page.waitForURL(/#\/backtests\/\d+/);
  await open(page, '/backtests');
  await page.getByRole('row').filter({ hasText: 'Filed here' }).waitFor();
  expect(await look(page, 'backtest-filed')).toEqual([]);

  const { deployment_id } = await hub.deployLiveStrategy({
    keygen: `strategy:${strategy_id}`,
    body: { mode: 'virtual', starting_capital: '10000', currency: 'USD', prediction_market: true },
  });
  await open(page, `/deployments/${deployment_id}`);
  await page.getByText(/^The newest bar of AAPL is of /).waitFor();
  await settled(page);
  expect(await look(page, 'deployed-old-prices')).toEqual([]);
  expect(watch.faults()).toEqual([]);
});
