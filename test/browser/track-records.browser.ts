import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { disconnect, visit } from './support/browser.ts';
import { ALL_VIEWS, look } from './support/look.ts';
import { newPerson, type Person, provenPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

const run = promisify(execFile);

/** Rules that buy each Monday and sell on the next bar. */
const rulesOn = (weekday: 'mon' | 'tue') =>
  ({
    schema: 'hub.rules/1',
    entries: [{ side: 'long', when: { weekday: [weekday] } }],
    exits: [{ side: 'long', when: { bars_in_trade: 1 } }],
  }) as const;

const demoStrategy = async ({ hub, userId: user_id }: Person, name: string) => {
  const found = await hub.searchExploreStrategies({ term: name });
  const [strategy] = found;
  if (!strategy) throw new Error(`the demo data lacks ${name}`);
  return hub.getStrategy({ user_id, strategy_id: strategy.strategy_id });
};

const publishedStrategy = async ({ hub, userId: user_id }: Person, strategy_name: string) => {
  const { strategy_id } = await hub.buildNewStrategy({
    user_id,
    symbol: 'SPY',
    timeframe: '1d',
    strategy_name,
  });
  await hub.setStrategyRules({ user_id, strategy_id, body: rulesOn('mon') });
  return strategy_id;
};

test('a strategy shows its record as evidence, and its download is verified by the command', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const strategy = await demoStrategy(person, 'S&P 500 Pullback');
  await signIn(page, person);
  await open(page, `/strategies/${strategy.strategy_id}`);
  const panel = page.getByRole('region', { name: 'Track record', exact: true });
  const text = await panel.innerText();
  expect(text).toMatch(/Made by the hub from bars after .*2018; nobody can edit it\./);
  expect(text).toMatch(/\d+ days, with bars up to 31 Mar 2021\. Version 1 of the record/);
  expect(text).toMatch(/1 of \d records that this author began/);
  expect(text).toContain('commission 0.05%, slippage 0.02%, overnight charges of the instrument');
  expect(text).toContain('worst month');
  const chart = panel.getByRole('region', { name: 'Equity before and after the publication' });
  expect(await chart.locator('.chart-canvas canvas').count()).toBeGreaterThan(0);
  expect(await chart.locator('.unseen').first().innerText()).toMatch(
    /Track record since .*the day of publication: Equity (rose|fell)/,
  );
  expect(await look(page, 'track-record', ALL_VIEWS)).toEqual([]);
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await chart.getByRole('cell', { name: 'Backtest of before' }).first().waitFor();

  await panel.getByText(/^Page 1 of/).waitFor();
  await panel.getByRole('button', { name: 'Next' }).click();
  await panel.getByText(/^Page 2 of/).waitFor();
  await settled(page);

  const waiting = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download the record' }).click();
  const download = await waiting;
  const folder = await mkdtemp(join(tmpdir(), 'record-'));
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  expect(await panel.getByText(`npm run verify-record -- ${download.suggestedFilename()}`).count()).toBe(1);
  const { stdout } = await run(process.execPath, ['infra/commands/verify-record.ts', file]);
  const hash = /record says: (\w+)/.exec(stdout)?.[1] ?? '';
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await panel.getByText(hash, { exact: true }).count()).toBe(1);
  await rm(folder, { recursive: true });
  expect(watch.faults()).toEqual([]);
}, 120_000);

test('an author reads what publishing and new rules start, and the profile keeps every record', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await provenPerson();
  const { hub, userId: user_id } = person;
  const strategy_id = await publishedStrategy(person, 'Mondays');
  await signIn(page, person);
  await open(page, `/strategies/${strategy_id}`);
  const panel = page.getByRole('region', { name: 'Track record', exact: true });
  await panel.getByText('only you can see it').waitFor();
  await page.getByText('Your profile and Explore', { exact: true }).click();
  await page
    .getByText('From now on the hub keeps a record of these rules; it cannot be paused or edited.')
    .waitFor();
  await page.getByRole('button', { name: 'Change who can see it' }).click();
  await panel.getByText(/Made by the hub from bars after/).waitFor();
  await open(page, `/strategies/${strategy_id}/build`);
  await page.getByText('begins a new one; the old one stays visible').waitFor();

  await hub.setStrategyRules({ user_id, strategy_id, body: rulesOn('tue') });
  await open(page, `/strategies/${strategy_id}`);
  const versions = panel.getByRole('region', { name: 'Records of this strategy' });
  expect(await versions.getByRole('row').count()).toBe(3);
  await versions.getByRole('button', { name: 'Show version 1 of the record' }).click();
  await panel.getByText('This is an earlier record of the strategy.').waitFor();
  await panel
    .getByText(/It ended on .*changed/)
    .first()
    .waitFor();
  await settled(page);
  expect(await look(page, 'track-record-earlier')).toEqual([]);

  await hub.profilePublishStrategy({ user_id, strategy_id, publish_state: 0 });
  await open(page, `/authors/${(await hub.verifyUser({})).user_key}`);
  const list = page.getByRole('region', { name: 'Track records', exact: true });
  await list.getByText('2 records begun').waitFor();
  const rows = list.getByRole('row', { name: /Mondays/ });
  expect(await rows.count()).toBe(2);
  expect(await rows.nth(0).innerText()).toContain('has not been public since');
  expect(await rows.nth(1).innerText()).toContain('It ended on');
  // A withdrawn strategy is not to be found by others.
  expect(await rows.getByRole('link').count()).toBe(0);
  expect(await look(page, 'author-records')).toEqual([]);
  // A withdrawn strategy shows its hidden record to its author.
  await open(page, `/strategies/${strategy_id}`);
  await panel
    .getByText(/has not been public since/)
    .first()
    .waitFor();
  expect(watch.faults()).toEqual([]);
}, 120_000);
