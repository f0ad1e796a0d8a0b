import { describe, expect, test } from '@jest/globals';
import { type FileChoices, readCandleFile } from '../../functions/console/app/candles/read-file.ts';
import { sendCandles } from '../../functions/console/app/candles/send-candles.ts';
import { HubClient, type OwnCandlesIn } from '../../infra/client/package/src/index.ts';

const AAPL = { symbol: 'AAPL', exchange: 'NASDAQ', asset_class: 'equity' } as const;
const NO_CHOICES: FileChoices = {
  instrument: AAPL,
  timeframe: '1d',
  zone: '',
  dates: '',
  decimal: '',
  columns: '',
  anchor: '',
  storedOpening: undefined,
};

const read = (content: BlobPart, choices: Partial<FileChoices> = {}) =>
  readCandleFile(new Blob([content]), { ...NO_CHOICES, ...choices }, new AbortController().signal);

const YAHOO = `Date,Open,High,Low,Close,Adj Close,Volume
2024-01-02,187.15,188.44,183.89,185.64,184.94,82488700
2024-01-03,184.22,185.88,183.43,184.25,183.55,58414500
2024-01-05,181.99,182.76,180.17,181.18,180.50,62303300
2024-01-05,181.99,182.76,180.17,181.18,180.50,62303300
2024-01-08,182.09,180.60,181.50,185.56,184.86,59144500
`;

const METATRADER = `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>
2024.01.02\t17:00:00\t187.15\t188.44\t183.89\t185.64\t100\t0\t1
2024.01.02\t18:00:00\t185.64\t186.00\t185.00\t185.50\t120\t0\t1
`;

/** Writes a text in UTF-16 with a mark, as MetaTrader does. */
const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

describe('a file in the browser', () => {
  test('of Yahoo is shown with its span, and all that is doubtful', async () => {
    const { review } = await read(YAHOO);
    expect(review).toMatchObject({
      dialect: 'dialect: Yahoo',
      program: 'Yahoo',
      timeZone: 'America/New_York',
      refused: 2,
      missing: 1,
      firstRefused: [
        { line: 5, fault: 'the time is the same as that of line 4' },
        { line: 6, fault: 'the high is not the highest price' },
      ],
      findings:
        'Lines to look at: 1 after a gap (first: line 4), 1 with the time of an earlier line (first: line 5).',
    });
    expect(review?.rows).toEqual([
      [Date.UTC(2024, 0, 2, 5), 187.15, 188.44, 183.89, 185.64, 82_488_700],
      [Date.UTC(2024, 0, 3, 5), 184.22, 185.88, 183.43, 184.25, 58_414_500],
      [Date.UTC(2024, 0, 5, 5), 181.99, 182.76, 180.17, 181.18, 62_303_300],
    ]);
  });

  test('of MetaTrader in UTF-16 needs the time zone of the broker', async () => {
    const choices = { timeframe: '1h' } as const;
    const { problem } = await read(utf16(METATRADER), choices);
    expect(problem).toEqual({
      text: 'dialect: MetaTrader 5, times in broker time.',
      choice: 'time_zone',
    });
    const { review } = await read(utf16(METATRADER), { ...choices, zone: 'Europe/Athens' });
    expect(review?.dialect).toContain('UTF-16');
    expect(review?.rows.map(([start]) => start)).toEqual([
      Date.UTC(2024, 0, 2, 15),
      Date.UTC(2024, 0, 2, 16),
    ]);
  });

  test('that is ambiguous names the choice that decides', async () => {
    const dates = YAHOO.replaceAll(/2024-01-(\d\d)/g, '$1/01/2024').replaceAll(/0[58]\/01/g, '04/01');
    expect((await read(dates)).problem).toMatchObject({ choice: 'dates' });
    expect((await read(dates, { dates: 'dmy' })).review?.rows).toHaveLength(3);
    const decimals = 'time;open;high;low;close\n2024-01-02;187,154;188,441;183,893;185,642\n';
    expect((await read(decimals)).problem).toMatchObject({ choice: 'decimal' });
    expect((await read(decimals, { decimal: 'comma' })).review?.rows[0]?.[1]).toBe(187.154);
    expect((await read('a,b\n1,2\n')).problem).toMatchObject({ choice: 'columns' });
  });

  test('that fits both anchors has that of the stored candles, or the named one', async () => {
    const halfHours = ['09:30', '10:00', '10:30'].map((clock) => `2024-01-02 ${clock},100,101,99,100,1`);
    const content = ['time,open,high,low,close,volume', ...halfHours].join('\n');
    const choices = { timeframe: '30m' } as const;
    expect((await read(content, choices)).review?.sessionOpen).toBeUndefined();
    expect((await read(content, { ...choices, storedOpening: '09:30' })).review?.sessionOpen).toBe('09:30');
    const { review } = await read(content, { ...choices, anchor: 'session' });
    expect(review).toMatchObject({ sessionOpen: '09:30', refused: 0 });
    const hours = content.replace('10:00', '11:30');
    const { problem } = await read(hours, { timeframe: '1h', anchor: 'clock' });
    expect(problem).toMatchObject({ choice: 'anchor', text: expect.stringContaining('anchor clock') });
  });

  test('that is none, or is too large, is refused', async () => {
    expect((await read(new Uint8Array([0x50, 0x4b, 3, 4]))).problem?.text).toContain('ZIP archive');
    expect((await read('<!doctype html><p>Sign in</p>')).problem?.text).toContain('web page');
    expect((await read('{"bars": 1}')).problem?.text).toContain('no candles at a known place');
  });
});

test('an import in parts ends at once when the budget of the day is used up', async () => {
  const answer = { detail: 'The imports of today have used up the budget.', code: 'work_exhausted' };
  let requests = 0;
  const client = new HubClient({
    baseUrl: 'https://hub.example',
    maxRetries: 0,
    fetch: async () => {
      requests += 1;
      return Response.json(answer, { status: 429, headers: { 'retry-after': '40000' } });
    },
  });
  const series = { symbol: 'AAPL', timeframe: '1d', source: 'Yahoo' } as const;
  const send = (body: OwnCandlesIn) => client.importOwnCandles({ user_id: 'me', body });
  const sent = sendCandles(send, series, [[0, 1, 1, 1, 1, 1]], () => undefined);
  await expect(sent).rejects.toMatchObject(answer);
  expect(requests).toBe(1);
});
