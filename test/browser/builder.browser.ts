import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
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
  const value = entry(page).getByLabel('Value', { exact: true });
  await value.selectOption('indicator:rsi');
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
