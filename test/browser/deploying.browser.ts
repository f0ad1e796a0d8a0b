import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { look } from './support/look.ts';
import { newPerson, type Person } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

/** The rule has bought by then: a candle is fed each second. */
const TRADE_MS = 60_000;

/** Buys after a day that rose, and sells two bars later. */
const RULES = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'gt', right: { price: 'close', ago: 1 } },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 2 } }],
} as const;

const momentum = async ({ hub, userId: user_id }: Person): Promise<number> => {
  const { strategy_id } = await hub.buildNewStrategy({
    user_id,
    symbol: 'AAPL',
    timeframe: '1d',
    strategy_name: 'Momentum',
  });
  await hub.setStrategyRules({ user_id, strategy_id, body: RULES });
  return strategy_id;
};

const dialogOf = async (page: Page) => {
  await page.locator('main').getByRole('button', { name: 'Deploy', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await settled(page);
  return dialog;
};

test('the search shows what can be tested and traded in all markets, by keyboard', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const strategyId = await momentum(person);
  await signIn(page, person);
  await open(page, `/backtests/new?strategy=${strategyId}`);
  const search = page.getByRole('combobox', { name: 'Instrument' });
  await search.fill('nov');
  const nova = page.getByRole('option', { name: /^NOVA\.DEMO / });
  await nova.waitFor();
  expect(await nova.innerText()).toMatch(/Demo market[\s\S]*1m .* – /);
  expect(await look(page, 'symbol-search')).toEqual([]);
  await search.fill('spy');
  await page.getByRole('option', { name: /^SPY / }).waitFor();
  expect(await page.getByRole('option', { name: /^SPY / }).innerText()).toMatch(/Ends .*2021/);
  expect(await search.getAttribute('aria-activedescendant')).not.toBeNull();
  await search.press('ArrowDown');
  await search.press('ArrowUp');
  await search.press('Enter');
  await page.getByRole('button', { name: 'Remove SPY' }).waitFor();
  expect(await search.inputValue()).toBe('');
  await search.fill('xau');
  await page.getByRole('option', { name: /^XAUUSD / }).waitFor();
  await search.press('Escape');
  const list = page.getByRole('listbox', { name: 'Found instruments' });
  expect(await list.getByRole('option').count()).toBe(0);
  expect(watch.faults()).toEqual([]);
});

test('AAPL trades on paper in the first minute, as a replay that is named everywhere', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const strategyId = await momentum(person);
  await signIn(page, person);
  await open(page, `/strategies/${strategyId}`);
  const dialog = await dialogOf(page);
  expect(await dialog.getByRole('radio', { name: /Replay of recorded candles/ }).isChecked()).toBe(true);
  expect(await dialog.getByRole('radio', { name: /Those that arrive/ }).isDisabled()).toBe(true);
  expect(await dialog.getByText(/its candles end on .*2021/).count()).toBe(1);
  expect(await look(page, 'dialog-deploy-replay')).toEqual([]);
  await dialog.getByRole('button', { name: 'Replay on paper' }).click();
  await page.waitForURL(/#\/deployments\/\d+/);
  await page.getByText(/Replay of AAPL from/).waitFor();
  const order = page.getByText(/AAPL\.REPLAY-/).first();
  await order.waitFor({ timeout: TRADE_MS });
  const id = Number(/\d+$/.exec(new URL(page.url()).hash)?.[0]);
  const { hub, userId: user_id } = person;
  const deadline = Date.now() + TRADE_MS;
  const trades = async (): Promise<number> =>
    (await hub.getDeployment({ user_id, deployment_id: id })).live?.trades_count ?? 0;
  while ((await trades()) === 0 && Date.now() < deadline) await page.waitForTimeout(500);
  expect(await trades()).toBeGreaterThan(0);
  await settled(page);
  expect(await look(page, 'deployment-replay')).toEqual([]);
  expect(watch.faults()).toEqual([]);
});

test('a deployment without prices is stopped with the ways out, and a copy on the demo market runs', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  const person = await newPerson();
  const strategyId = await momentum(person);
  await signIn(page, person);
  await open(page, `/strategies/${strategyId}`);
  const dialog = await dialogOf(page);
  await dialog.getByRole('radio', { name: /^Notifications/ }).check();
  await dialog.getByText('It would wait for ever. The ways out:').waitFor();
  expect(await dialog.getByRole('button', { name: 'Notify me' }).isDisabled()).toBe(true);
  expect(await look(page, 'dialog-deploy-stopped')).toEqual([]);
  const search = dialog.getByRole('combobox', { name: 'Run a copy on another instrument' });
  await search.fill('nova');
  await dialog.getByRole('option', { name: /^NOVA\.DEMO / }).click();
  await dialog.getByText(/the copy on NOVA\.DEMO/).waitFor();
  await settled(page);
  await dialog.getByRole('button', { name: 'Deploy on paper' }).click();
  await page.waitForURL(/#\/deployments\/\d+/);
  await settled(page);
  expect(watch.faults()).toEqual([]);
});

test('public prices say what they call before they are switched on, and call nothing when off', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/prices');
  const feed = page.getByRole('region', { name: 'Public prices of Binance' });
  for (const text of ['Off', 'BTCUSDT', 'api/v3/klines', 'What leaves this machine', 'How it ends']) {
    expect(await feed.innerText()).toContain(text);
  }
  await feed.getByRole('button', { name: 'Switch on' }).click();
  await feed.getByRole('button', { name: 'Switch off' }).waitFor();
  expect(await look(page, 'prices-on')).toEqual([]);
  await feed.getByRole('button', { name: 'Switch off' }).click();
  await feed.getByRole('button', { name: 'Switch on' }).waitFor();
  expect(watch.faults()).toEqual([]);
});
