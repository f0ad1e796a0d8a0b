import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { type HostileWorld, hostile, hostileWorld, injected } from './support/hostile.ts';
import { demoPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld();
});

/** Exports a file of the backtest that is shown. @returns its name and its text */
const exported = async (page: Page, button: string | RegExp) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await textOf(await download.createReadStream()) };
};

/** Opens the backtest of the demo data with the most trades. */
const openBacktest = async (page: Page) => {
  const demo = await demoPerson();
  await signIn(page, demo);
  const { items } = await demo.hub.getBacktests({ user_id: demo.userId });
  const [most] = items.toSorted(
    (left, right) => (right.summary?.trades_count ?? 0) - (left.summary?.trades_count ?? 0),
  );
  if (!most) throw new Error('the demo data has no backtest');
  await open(page, `/backtests/${most.backtest_id}`);
  return { demo, id: most.backtest_id };
};

test('all trades are on one chart, and the list moves to a trade by keyboard', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await openBacktest(page);
  await page.getByRole('heading', { name: /^Trades on / }).waitFor();
  const first = page.getByRole('radio').first();
  await first.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByText(/^Trade 2 of /).waitFor();
  await page.getByRole('button', { name: 'Next trade' }).click();
  await page.getByText(/^Trade 3 of /).waitFor();
  await settled(page);
  // The scale is the reader's choice; the reason of the usual one is said before.
  await page.getByText(/so the scale is logarithmic/).waitFor();
  await page.getByLabel('Scale of the chart').selectOption('percent');
  expect(await page.getByText(/so the scale is logarithmic/).count()).toBe(0);
  expect(watch.faults()).toEqual([]);
});

test('warnings are folded on a phone and open on a desktop', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  const { id } = await openBacktest(page);
  const warning = page.getByRole('region', { name: 'Warnings' }).locator('.notice').first();
  expect(await warning.isVisible()).toBe(true);
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, `/backtests/${id}`);
  expect(await warning.isVisible()).toBe(false);
  await page.getByText(/^\d+ warnings?$/).click();
  expect(await warning.isVisible()).toBe(true);
});

test('a backtest takes a name and is deployed from its page', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const { demo, id } = await openBacktest(page);
  await page.getByRole('button', { name: 'Name and file' }).click();
  await page.getByLabel('Name', { exact: true }).fill('The long one');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'The long one' }).waitFor();
  expect(await demo.hub.getBacktest({ user_id: demo.userId, backtest_id: id })).toMatchObject({
    backtest_name: 'The long one',
  });
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('dialog', { name: /^Deploy “/ }).waitFor();
  expect(watch.faults()).toEqual([]);
});

test('rules without a strategy are saved as tested before they are deployed', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const { hub, userId: user_id } = world.person;
  const source = await hub.getBacktest({ user_id, backtest_id: world.backtestId });
  const { backtest_id } = await hub.runBacktest({
    user_id,
    body: { rules: source.rules, symbol: 'AAPL', timeframe: '1d' },
  });
  await signIn(page, world.person);
  await open(page, `/backtests/${backtest_id}`);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByLabel('Name of the strategy').fill('Saved from its backtest');
  await page.getByRole('button', { name: 'Save and deploy' }).click();
  await page.getByRole('dialog', { name: 'Deploy “Saved from its backtest”' }).waitFor();
  const { strategy_id } = await hub.getBacktest({ user_id, backtest_id });
  if (strategy_id === null) throw new Error('the backtest is not filed');
  expect(await hub.getStrategy({ user_id, strategy_id })).toMatchObject({
    strategy_name: 'Saved from its backtest',
    rules: source.rules,
  });
  expect(watch.faults()).toEqual([]);
});

test('trades and equity are files, and the report is a page of two sheets', async () => {
  await using visitor = await visit();
  const { page, context, watch } = visitor;
  const { demo, id } = await openBacktest(page);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const trades = await exported(page, /trades \(CSV\)$/);
  const equity = await exported(page, 'Equity (CSV)');
  const report = await exported(page, 'Report (HTML)');
  const { trades_count, equity: points } = await demo.hub.getBacktest({
    user_id: demo.userId,
    backtest_id: id,
  });
  expect(trades.text.trim().split('\r\n')).toHaveLength(trades_count + 1);
  expect(equity.text.trim().split('\r\n')).toHaveLength(points.length + 1);
  expect([trades.name, equity.name, report.name]).toEqual([
    expect.stringMatching(/^[\w-]+-trades\.csv$/),
    expect.stringMatching(/^[\w-]+-equity\.csv$/),
    expect.stringMatching(/^[\w-]+-report\.html$/),
  ]);
  const printed = await context.newPage();
  await printed.setContent(report.text);
  const pdf = (await printed.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  expect(report.text).not.toMatch(/<script|javascript:|https?:\/\//i);
  expect(watch.faults()).toEqual([]);
});

test('hostile texts are texts in the report, which loads and runs nothing', async () => {
  await using visitor = await visit();
  const { page, context, watch } = visitor;
  await signIn(page, world.person);
  await open(page, `/backtests/${world.backtestId}`);
  await page.getByRole('heading', { level: 1, name: hostile('tested') }).waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const { name, text } = await exported(page, 'Report (HTML)');
  expect(name).toMatch(/^[\w-]+\.html$/);
  const opened = await context.newPage();
  const asked: string[] = [];
  opened.on('request', (request) => asked.push(request.url()));
  opened.on('dialog', () => asked.push('dialog'));
  await opened.setContent(text);
  expect(await opened.getByRole('heading', { level: 1 }).textContent()).toBe(hostile('tested'));
  expect(await opened.title()).toBe(hostile('tested'));
  expect(await opened.getByText(hostile('renamed')).count()).toBeGreaterThan(0);
  expect([await injected(opened), asked]).toEqual([0, []]);
  expect(await opened.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')).toMatch(
    /^default-src 'none'/,
  );
  expect(watch.faults()).toEqual([]);
});
