import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { GetParityOutput } from '../../infra/client/package/src/index.ts';
import { disconnect, visit } from './support/browser.ts';
import { demoPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

/** Opens a deployment of the demo market that the hub runs. @returns its id */
const openDeployment = async (page: Page): Promise<number> => {
  const demo = await demoPerson();
  await signIn(page, demo);
  const { items } = await demo.hub.getAllLiveDeploymentsV2({ user_id: demo.userId });
  const running = items.find(({ engine, status }) => engine === 'hub' && status === 'active');
  if (!running) throw new Error('the demo data has no deployment that the hub runs');
  await open(page, `/deployments/${running.deployment_id}`);
  return running.deployment_id;
};

test('each bar has its conditions, decision, fills and differences, by keyboard too', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await page.route(/\/get_parity\?/, async (route) => {
    const response = await route.fetch();
    const body: GetParityOutput = await response.json();
    await route.fulfill({
      response,
      json: {
        ...body,
        is_equal: false,
        differences_count: 1,
        differences: [
          {
            kind: 'order',
            symbol: body.compared.symbols[0],
            at: body.compared.to,
            expected: '10 at 99',
            found: '10 at 100',
          },
        ],
      },
    });
  });
  await openDeployment(page);
  const bars = page.getByRole('region', { name: 'Bar by bar' });
  const slider = bars.getByRole('slider', { name: 'Bar' });
  await slider.waitFor();
  const time = () => slider.getAttribute('aria-valuetext');
  const newest = await time();
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await time()).not.toBe(newest);
  for (const title of ['To enter', 'To leave', 'Decision', 'Fill']) {
    expect(await bars.getByRole('heading', { name: title }).count()).toBe(1);
  }
  expect(await bars.getByText(/^(does not hold|holds): /).count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Compare with the backtest' }).click();
  await page.getByText(/^1 differences? from its backtest/).waitFor();
  await bars.getByRole('heading', { name: 'Difference from the backtest' }).waitFor();
  await page.getByRole('heading', { name: 'Equity at each bar' }).waitFor();
  await settled(page);
  expect(watch.faults()).toEqual([]);
});

test('pause, stop and the kill switch stay in view at every width, and ask for no reason', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const id = await openDeployment(page);
  for (const width of [390, 768, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, `/deployments/${id}`);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    for (const name of ['Pause', 'Stop', 'Kill switch']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect([width, name, box !== null && box.y >= 0 && box.y + box.height <= 400]).toEqual([
        width,
        name,
        true,
      ]);
    }
  }
  for (const [name, action] of [
    ['Pause', 'Pause'],
    ['Stop', 'Stop'],
    ['Kill switch', 'Stop all orders'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect([name, await dialog.getByRole('button', { name: action }).isEnabled()]).toEqual([name, true]);
    expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
  expect(watch.faults()).toEqual([]);
});
