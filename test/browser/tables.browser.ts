import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { disconnect, visit } from './support/browser.ts';
import { putEvents } from './support/bus.ts';
import { injected } from './support/hostile.ts';
import { newPerson } from './support/people.ts';
import { OUTPUT } from './support/screenshots.ts';
import { open, signIn } from './support/session.ts';

afterAll(disconnect);

const POLL_MS = 100;

/** Text that a spreadsheet would run, and a page that takes it for markup too. */
const FORMULA = '=HYPERLINK("http://evil.example","<img src=x onerror=alert(1)>")';

const headOf = (table: Locator, name: string): Locator =>
  table.getByRole('columnheader').filter({ hasText: name });

/** Texts of a column, top down. */
const columnOf = async (table: Locator, index: number): Promise<string[]> =>
  (await table.locator(`tbody tr > :nth-child(${index})`).allInnerTexts()).map((text) => text.trim());

const exported = async (page: Page, caption: string): Promise<{ name: string; rows: string[][] }> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export as CSV: ${caption}` }).click(),
  ]);
  const path = join(OUTPUT, download.suggestedFilename());
  await download.saveAs(path);
  const text = await readFile(path, 'utf8');
  return { name: download.suggestedFilename(), rows: parse(text, { bom: true }) };
};

test('a table is sorted, filtered and exported by its figures, with texts that run nothing', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  const close = { price: 'close' } as const;
  const lengths = [5, 8, 13, 21, 34, 2, 3];
  const { strategy_id } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: FORMULA,
  });
  await hub.setStrategyRules({
    user_id,
    strategy_id,
    expected_rules_version: 0,
    body: {
      schema: 'hub.rules/1',
      params: { length: { default: 10, min: 2, max: 50 } },
      entries: [
        {
          side: 'long',
          when: {
            left: close,
            op: 'crosses_above',
            right: { indicator: 'sma', length: { param: 'length' } },
          },
        },
      ],
      exits: [
        {
          side: 'long',
          when: {
            left: close,
            op: 'crosses_below',
            right: { indicator: 'sma', length: { param: 'length' } },
          },
        },
      ],
    },
  });
  for (const length of lengths) {
    await hub.runBacktest({ user_id, body: { strategy_id, params: { length } } });
  }
  const { items } = await hub.getBacktests({ user_id, size: 100 });
  const returns = items.map(({ summary }) => summary?.total_return_pct ?? 0);

  await signIn(page, person);
  await open(page, '/backtests');
  const caption = 'Stored backtests, newest first';
  const table = page.getByRole('region', { name: caption });
  const rows = table.locator('tbody tr');
  expect(await rows.count()).toBe(lengths.length);

  const head = headOf(table, 'Total return');
  await head.getByRole('button').press('Enter');
  await table.locator('[aria-sort="ascending"]').waitFor();
  await head.getByRole('button').press('Enter');
  await table.locator('[aria-sort="descending"]').waitFor();
  const sorted = returns.toSorted((a, b) => b - a);
  await rows.first().locator(`data[value="${sorted[0]}"]`).waitFor();
  const shown = await table
    .locator('tbody tr > :nth-child(5) data')
    .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('value'))));
  expect(shown).toEqual(sorted);

  const file = await exported(page, caption);
  expect(file.name).toBe('stored-backtests-newest-first.csv');
  const [names = [], ...values] = file.rows;
  expect(names).toContain('Total return (%)');
  expect(values.map((row) => Number(row[names.indexOf('Total return (%)')]))).toEqual(shown);
  expect(new Set(values.map((row) => row[names.indexOf('Strategy')]))).toEqual(new Set([`'${FORMULA}`]));

  await page.getByRole('button', { name: `Filter: ${caption}` }).click();
  await page.getByLabel('Filter: Total return').fill(`>= ${sorted[4]}`);
  await page.getByText('5 rows match.').waitFor();
  expect(await rows.count()).toBe(5);
  expect((await exported(page, caption)).rows).toHaveLength(6);
  await page.getByLabel('Filter: Strategy').fill('no such name');
  await page.getByText('0 rows match.').waitFor();
  await page.getByRole('button', { name: `Filter: ${caption}` }).click();
  await rows.nth(lengths.length - 1).waitFor();
  expect(await injected(page)).toBe(0);
  expect(watch.faults()).toEqual([]);
});

test('the tables of charts and drawdowns are sorted and exported by day, not by its text', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const sma = { indicator: 'sma', length: 20 } as const;
  const { backtest_id } = await person.hub.runBacktest({
    user_id: person.userId,
    body: {
      symbol: 'AAPL',
      timeframe: '1d',
      rules: {
        schema: 'hub.rules/1',
        entries: [{ side: 'long', when: { left: { price: 'close' }, op: 'crosses_above', right: sma } }],
        exits: [{ side: 'long', when: { left: { price: 'close' }, op: 'crosses_below', right: sma } }],
      },
    },
  });
  await signIn(page, person);
  await open(page, `/backtests/${backtest_id}`);
  await page.getByRole('button', { name: 'Show as table' }).first().click();
  for (const [name, head] of [
    [/^Equity/, 'Time'],
    [/^Deepest drawdowns/, 'From the high on'],
  ] as const) {
    const table = page
      .getByRole('region', { name })
      .filter({ has: page.locator('table') })
      .last();
    await headOf(table, head).getByRole('button').press('Enter');
    await table.locator('[aria-sort="ascending"]').waitFor();
    const days = await table
      .locator('tbody tr > :first-child time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
    expect(days.length).toBeGreaterThan(2);
    expect(days).toEqual(days.toSorted());
    expect(days.length).toBe(await table.locator('tbody tr').count());
  }
  const [, ...falls] = (await exported(page, 'Deepest drawdowns')).rows;
  expect(falls.map(([from]) => from)).toEqual(falls.map(([from]) => from).toSorted());
  expect(falls[0]?.[0]).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(watch.faults()).toEqual([]);
});

test('a list is sorted and exported over all its pages', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  const { keygen } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Often held',
  });
  const { deployment_id } = await hub.deployNotificationStrategy({ keygen, body: {} });
  await putEvents([{ type: 'Deployment Started', detail: { deployment_id } }]);
  await until(async () => (await hub.getDeployment({ user_id, deployment_id })).status === 'active', POLL_MS);
  // A page has 20 entries.
  const reasons = Array.from({ length: 24 }, (_, index) => `Reason ${index}.`);
  for (const [index, reason] of reasons.entries()) {
    const command = { user_id, deployment_id, reason };
    await (index % 2 === 0 ? hub.pauseDeployment(command) : hub.resumeDeployment(command));
  }
  await signIn(page, person);
  await open(page, '/risk');
  const table = page.getByRole('region', { name: 'Audit trail' }).filter({ has: page.locator('table') });
  const pages = page.getByRole('navigation', { name: 'Pages of the audit trail' });
  await pages.waitFor();
  await headOf(table, 'Reason').getByRole('button').click();
  await table.locator('tbody tr').nth(23).waitFor();
  expect(await columnOf(table, 4)).toEqual(reasons);
  expect(await pages.count()).toBe(0);
  const [, ...rows] = (await exported(page, 'Audit trail')).rows;
  expect(rows.map((row) => row[3])).toEqual(reasons);
  // Another click turns the order round, and a third one goes back to the pages.
  await headOf(table, 'Reason').getByRole('button').click();
  await table.locator('tbody tr').first().getByText('Reason 23.').waitFor();
  await headOf(table, 'Reason').getByRole('button').click();
  await pages.waitFor();
  expect(await table.locator('tbody tr').count()).toBe(20);
  expect(watch.faults()).toEqual([]);
});

test('buttons of a row stay in view where a table is wider than the screen', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const { hub, userId: user_id } = person;
  const sma = { indicator: 'sma', length: 5 } as const;
  await hub.runBacktest({
    user_id,
    body: {
      symbol: 'AAPL',
      timeframe: '1d',
      rules: {
        schema: 'hub.rules/1',
        entries: [{ side: 'long', when: { left: { price: 'close' }, op: 'crosses_above', right: sma } }],
      },
    },
  });
  await signIn(page, person);
  await page.setViewportSize({ width: 800, height: 700 });
  await open(page, '/backtests');
  const region = page.locator('.table-region');
  expect(await region.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  const right = await region.evaluate((one) => one.getBoundingClientRect().right);
  const box = await page.getByRole('button', { name: /^Remove the backtest/ }).boundingBox();
  expect((box?.x ?? Number.POSITIVE_INFINITY) + (box?.width ?? 0)).toBeLessThanOrEqual(right);
  expect(watch.faults()).toEqual([]);
});
