import { afterAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { disconnect, visit } from './support/browser.ts';
import { look } from './support/look.ts';
import { newPerson } from './support/people.ts';
import { open, signIn } from './support/session.ts';

afterAll(disconnect);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A year of days as Yahoo writes them, with a day twice and a high that is too low. */
const yahoo = (): string => {
  const lines = ['Date,Open,High,Low,Close,Adj Close,Volume'];
  for (let at = Date.UTC(2023, 0, 3); lines.length < 240; at += DAY_MS) {
    const date = new Date(at);
    if ([0, 6].includes(date.getUTCDay())) continue;
    const close = 100 + 8 * Math.sin(lines.length / 6);
    const day = date.toISOString().slice(0, 10);
    lines.push([day, close - 1, close + 2, close - 3, close, close, 1000].map(String).join(','));
  }
  const wrong = '2023-12-29,100,90,80,100,100,1000';
  return [...lines.slice(0, -3), lines.at(-4), ...lines.slice(-3), wrong].join('\n');
};

/** Hours as MetaTrader exports them, in the time of a broker. */
const metaTrader = (): string => {
  const lines = ['<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>'];
  for (let hour = 0; hour < 400; hour++) {
    const at = new Date(Date.UTC(2024, 0, 8) + hour * HOUR_MS).toISOString();
    const price = 40_000 + 900 * Math.sin(hour / 9);
    const cells = [price, price + 60, price - 60, price + 20].map((one) => one.toFixed(2));
    lines.push([at.slice(0, 10).replaceAll('-', '.'), at.slice(11, 19), ...cells, '10', '0', '1'].join('\t'));
  }
  return lines.join('\r\n');
};

/** Drops a file on a place, as from the desktop. */
const drop = async (place: Locator, name: string, text: string): Promise<void> => {
  await place.evaluate(
    (element, file) => {
      const data = new DataTransfer();
      data.items.add(new File([file.text], file.name, { type: 'text/csv' }));
      for (const type of ['dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    { name, text },
  );
};

const chooseInstrument = async (page: Page, symbol: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Instrument' }).fill(symbol);
  await page.getByRole('option', { name: new RegExp(`^${symbol} `) }).click();
};

test('a dropped file of Yahoo shows what is doubtful, is imported, tested on and removed', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/candles');
  await drop(page.getByRole('region', { name: 'File of candles' }), 'yahoo.csv', yahoo());
  await page.getByText('Chosen: yahoo.csv').waitFor({ state: 'attached' });
  expect(await page.getByLabel('File', { exact: true }).inputValue()).toContain('yahoo.csv');
  await chooseInstrument(page, 'IBM');
  const read = page.getByRole('status', { name: 'What was read' });
  await read.waitFor();
  const shown = await read.innerText();
  expect(shown).toContain('Dialect: Yahoo');
  expect(shown).toContain('239 candles');
  expect(shown).toContain('1 with the time of an earlier line');
  expect(shown).toContain('the high is not the highest price');
  expect(await look(page, 'candles-read')).toEqual([]);
  await page.getByRole('button', { name: 'Import 239 candles' }).click();
  await page.getByText('now has 239 candles').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'IBM, 1d' });
  await row.waitFor();
  expect(await row.innerText()).toContain('Yahoo');

  await open(page, '/backtests/new?template=golden_cross');
  await chooseInstrument(page, 'IBM');
  await page.getByLabel('Use my candles').check();
  await page.getByRole('button', { name: 'Run the backtest' }).click();
  await page.waitForURL(/#\/backtests\/\d+/);
  await page.getByText('This ran on your candles').waitFor();
  await page.getByRole('link', { name: 'Change and run again' }).click();
  expect(await page.getByLabel('Use my candles').isChecked()).toBe(true);

  await open(page, '/candles');
  await page.getByRole('button', { name: 'Remove IBM, 1d' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove them' }).click();
  await row.waitFor({ state: 'detached' });
  expect(watch.faults()).toEqual([]);
});

test('a file of MetaTrader asks for the time zone of its broker', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/candles');
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'BTCUSD_H1.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\ufeff${metaTrader()}`, 'utf16le'),
  });
  await chooseInstrument(page, 'BTCUSD');
  await page.getByLabel('Length of a candle').selectOption('1h');
  await page.getByRole('alert').filter({ hasText: 'times in broker time' }).waitFor();
  expect(await page.getByRole('button', { name: 'Import 0 candles' }).isDisabled()).toBe(true);
  await page.getByLabel('Time zone of the file').selectOption('Etc/GMT-2');
  await page.getByRole('button', { name: 'Import 400 candles' }).click();
  await page.getByText('now has 400 candles').waitFor();
  expect(watch.faults()).toEqual([]);
});

test('hours of shares start as the file shows or as chosen, and the list says how', async () => {
  await using visitor = await visit();
  const { page, watch } = visitor;
  await signIn(page, await newPerson());
  await open(page, '/candles');
  const lines = ['09:30', '10:00', '10:30'].map((time) => `2024-01-02 ${time},100,101,99,100,10`);
  const file = (rows: readonly string[]) => ({
    name: 'IBM.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['time,open,high,low,close,volume', ...rows].join('\n')),
  });
  await page.getByLabel('File', { exact: true }).setInputFiles(file(lines));
  await chooseInstrument(page, 'IBM');
  await page.getByLabel('Length of a candle').selectOption('30m');
  await page.getByLabel('Candles start').selectOption('session');
  await page.getByText('anchor session (09:30)').waitFor();
  expect(await look(page, 'candles-anchor')).toEqual([]);
  await page.getByRole('button', { name: 'Import 3 candles' }).click();
  const row = page.getByRole('row').filter({ hasText: 'IBM, 30m' });
  await row.waitFor();
  expect(await row.innerText()).toContain('With the session (09:30)');

  // A file that fits both continues the stored candles.
  await page.getByLabel('File', { exact: true }).setInputFiles(file(['2024-01-03 10:00,100,101,99,100,10']));
  await page.getByText('anchor session (09:30)').waitFor();
  await page.getByRole('button', { name: 'Import 1 candles' }).click();
  await page.getByText('now has 4 candles').waitFor();
  expect(watch.faults()).toEqual([]);
});
