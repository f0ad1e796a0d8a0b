import { afterAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { tabThrough } from './support/keyboard.ts';
import { look } from './support/look.ts';
import { newPerson } from './support/people.ts';
import { open, settled, signIn } from './support/session.ts';

afterAll(disconnect);

/** Daily bars of more than twenty years. */
const SYMBOL = 'SPY';

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const entry = (page: Page) => page.getByRole('region', { name: 'Entry', exact: true });

const legend = (page: Page) => result(page).locator('.candle-legend');

/** Begins a strategy and waits for its first result. */
const begin = async (page: Page, name: string): Promise<void> => {
  await open(page, '/build');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByLabel('Instrument', { exact: true }).fill(SYMBOL);
  await page
    .getByRole('option', { name: new RegExp(`^${SYMBOL}`) })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await result(page).getByText('Buy and hold').waitFor();
  await result(page).locator('canvas').first().waitFor();
};

/** Finds a chip whose list is searched. */
const chip = (within: Locator, name: string) => within.getByRole('combobox', { name, exact: true });

/** Finds the choice that Enter takes. */
const active = (within: Locator) => within.getByRole('listbox').getByRole('option', { selected: true });

/** Chooses from the list of a chip by keyboard: the first choice that fits the typed text best. */
const choose = async (within: Locator, name: string, typed: string): Promise<void> => {
  await chip(within, name).focus();
  await within.page().keyboard.type(typed);
  await active(within).waitFor();
  await within.page().keyboard.press('Enter');
};

const more = (within: Locator) => within.getByRole('button', { name: 'More of this value' }).first();

/** Presses a key in the focused control, and returns the milliseconds until the result of the edit is shown. */
const timeOfEdit = (page: Page, key: string): Promise<number> =>
  page.evaluate(
    (pressed) =>
      new Promise<number>((resolve) => {
        const section = document.querySelector('.live');
        const start = performance.now();
        let wasBusy = false;
        const tick = (): void => {
          const isBusy = section?.getAttribute('aria-busy') === 'true';
          wasBusy ||= isBusy;
          if (wasBusy && !isBusy) resolve(performance.now() - start);
          else requestAnimationFrame(tick);
        };
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }),
        );
        tick();
      }),
    key,
  );

test('rules are edited as sentences by keyboard, and each edit shows its result on the chart', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await begin(page, 'Dips above the trend');

  // The usual level of an oscillator comes with it.
  await choose(entry(page), 'Value', 'rsi');
  const level = entry(page).getByRole('textbox', { name: 'With, number' });
  await level.waitFor();
  expect(await level.inputValue()).toBe('30');
  await entry(page).getByLabel('Comparison').selectOption('lt');
  await legend(page).getByText('RSI(14)').waitFor();

  await level.focus();
  await page.keyboard.press('ArrowUp');
  expect(await level.inputValue()).toBe('31');
  await page.keyboard.press('Shift+ArrowUp');
  expect(await level.inputValue()).toBe('41');
  await page.keyboard.press('Escape');
  expect(await level.inputValue()).toBe('30');

  await entry(page).getByRole('button', { name: 'and a condition' }).focus();
  await page.keyboard.press('Enter');
  const second = entry(page).getByRole('group', { name: 'Condition 2' });
  await second.getByRole('textbox', { name: 'Bars of SMA' }).fill('200');
  await legend(page).getByText('SMA(200)').waitFor();
  await entry(page).getByLabel('Kind of stop loss').selectOption('percent');
  await entry(page).getByRole('textbox', { name: 'Stop loss', exact: true }).fill('5');

  const trades = result(page).locator('.figure', { hasText: 'Closed trades' }).locator('dd');
  const before = await trades.innerText();
  const bars = entry(page).getByRole('textbox', { name: 'Bars of RSI' });
  await bars.focus();
  const times: number[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
    times.push(Math.round(await timeOfEdit(page, key)));
  }
  console.info(`milliseconds from an edit to its result, with the pause of typing: ${times.join(', ')}`);
  expect(await bars.inputValue()).toBe('8');
  expect(await trades.innerText()).not.toBe(before);

  await second.focus();
  await second.getByLabel('Comparison').focus();
  await page.keyboard.press('Alt+ArrowUp');
  const first = entry(page).getByRole('group', { name: 'Condition 1' });
  await first.getByRole('textbox', { name: 'Bars of SMA' }).waitFor();
  await page.keyboard.press('ControlOrMeta+Z');
  await second.getByRole('textbox', { name: 'Bars of SMA' }).waitFor();

  await page.mouse.click(5, 5);
  await settled(page);
  expect(await look(page, 'builder')).toEqual([]);
  expect(await tabThrough(page)).toEqual([]);
  expect(watch.faults()).toEqual([]);
});

test('each kind of condition and value is made and edited by keyboard', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await begin(page, 'All kinds');
  const condition = (number: number) => entry(page).getByRole('group', { name: `Condition ${number}` });
  const add = (typed: string) => choose(entry(page), 'Add a condition of another kind', typed);

  await entry(page).getByLabel('Comparison').selectOption('crosses');
  await chip(entry(page), 'Value').focus();
  await more(entry(page)).press('Enter');
  await entry(page).getByLabel('Candles').first().selectOption('heikin_ashi');
  await entry(page).getByLabel('Timeframe').first().selectOption('1w');

  await add('hammer');
  expect(await condition(2).getByLabel('Pattern').inputValue()).toBe('pattern:hammer');
  await condition(2).getByLabel('Pattern').selectOption('pattern:morning_star');
  await condition(2).getByLabel('Pattern').focus();
  await more(condition(2)).press('Enter');
  await condition(2).getByRole('textbox', { name: 'Star, % of the first body' }).fill('25');

  await add('between');
  await condition(3).getByRole('textbox', { name: 'Upper bound, number' }).fill('65');
  await add('rises');
  await choose(condition(4), 'Value', 'ema');
  await condition(4).getByLabel('Rises or falls').selectOption('falling');
  await condition(4).getByRole('textbox', { name: 'Bars in a row' }).fill('2');
  await chip(condition(4), 'Value').focus();
  await page.keyboard.type('profit');
  await condition(4).getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  expect(await chip(condition(4), 'Value').inputValue()).toBe('EMA');

  const exit = page.getByRole('region', { name: 'Exit', exact: true });
  await choose(exit, 'Value', 'profit');
  expect(await exit.getByLabel('Comparison').inputValue()).toBe('lt');
  await exit.getByRole('textbox', { name: 'With, number' }).fill('-3');
  // Figures of before are pale until those of the newest edit come.
  await legend(page).getByText('EMA(20)').waitFor();
  await settled(page);
  await page.locator('.live-old').waitFor({ state: 'detached' });

  await chip(condition(4), 'Value').press('ArrowDown');
  await active(condition(4)).waitFor();
  expect(await look(page, 'builder-list')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await settled(page);
  expect(await look(page, 'builder-kinds')).toEqual([]);
  expect(await tabThrough(page)).toEqual([]);

  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const rules = JSON.parse(await page.getByLabel('Rules as text').inputValue());
  const star = { long_body: 50, star: 25, penetration: 50, trend: 0, ago: 0 };
  expect(rules.entries[0].when.all).toEqual([
    {
      left: { price: 'close', candles: 'heikin_ashi', timeframe: '1w', ago: 0 },
      op: 'crosses',
      right: { indicator: 'sma', length: 20, source: 'close', ago: 0 },
    },
    { pattern: 'morning_star', ...star },
    { value: { indicator: 'rsi', length: 14, source: 'close', ago: 0 }, between: [40, 65] },
    { falling: { indicator: 'ema', length: 20, source: 'close', ago: 0 }, bars: 2 },
  ]);
  expect(rules.exits[0].when).toEqual({ left: { trade: 'percent_from_entry' }, op: 'lt', right: -3 });
  expect(watch.faults()).toEqual([]);
});

test('templates are read before one is used', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await begin(page, 'From a template');
  await page.getByText('Begin with a template…').click();
  const group = page.getByRole('region', { name: 'Follow a trend' });
  await group.getByRole('button', { name: /^Golden cross/ }).press('Enter');
  await group.getByText('SMA(fast=50) crosses above SMA(slow=200)').waitFor();
  expect(await look(page, 'builder-templates')).toEqual([]);
  await group.getByRole('button', { name: 'Use this template' }).press('Enter');
  await legend(page).getByText('SMA(200)').waitFor();
  expect(await entry(page).locator(':focus').getAttribute('aria-label')).toBe('Side');
  expect(watch.faults()).toEqual([]);
});

test('the first save goes to the address of the strategy, and keeps the history', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await begin(page, 'Saved once');
  await entry(page).getByRole('textbox', { name: 'Bars of SMA' }).fill('50');
  await page.getByRole('button', { name: 'Save the strategy' }).click();
  await page.waitForURL(/#\/strategies\/\d+\/build/);
  await page.getByText('Saved.').waitFor();
  expect(await entry(page).getByRole('textbox', { name: 'Bars of SMA' }).inputValue()).toBe('50');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await entry(page).getByRole('textbox', { name: 'Bars of SMA' }).inputValue()).toBe('20');
  await page.getByText('Not saved yet.').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await open(page, '/build');
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('');
  expect(watch.faults()).toEqual([]);
});

test('what sentences cannot say is shown as it is, and is edited in the text', async () => {
  await using visitor = await visit();
  const { page } = visitor;
  await signIn(page, await newPerson());
  await begin(page, 'As text');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const text = page.getByLabel('Rules as text');
  const rules = JSON.parse(await text.inputValue());
  rules.entries[0].when = { all: [rules.entries[0].when, { weekday: 5 }] };
  await text.fill(JSON.stringify(rules));
  await page.getByRole('button', { name: 'Sentences' }).click();
  await entry(page).getByText('{"weekday":5}').waitFor();
  await entry(page).getByText('Only the text can change this part.').waitFor();
  await page.getByText('This is of before. Fix the rules to see their result.').waitFor();
});
