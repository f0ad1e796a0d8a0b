import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openCandleFile } from '../../infra/candles/open-candle-file.ts';
import { DIALECTS } from '../../shared/domain/candle-files/dialects.ts';
import type { CandleChoices } from '../../shared/domain/candle-files/open-candles.ts';
import type { BarLine } from '../../shared/domain/candle-files/read-bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { TimeZone } from '../../shared/domain/candles/time-zone.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-dialects-'));
});
afterAll(() => rm(dir, { recursive: true }));

const US = { calendar: calendarById('us'), timeframe: '1d', assetClass: 'equity' } as const;
const US_5M = { ...US, timeframe: '5m' } as const;
const COINS = { calendar: calendarById('always'), timeframe: '1d', assetClass: 'crypto' } as const;
const PAIRS = { calendar: calendarById('forex'), timeframe: '1h', assetClass: 'forex' } as const;
const INDIA = { ...US, calendar: calendarById('weekdays:UTC') } as const;

let files = 0;

/** Reads a file whole. */
const read = async (content: string | Buffer, choices: CandleChoices) => {
  const file = join(dir, `${++files}`);
  await writeFile(file, content);
  const { dialect, warning, findings, kind, lines } = await openCandleFile(file, choices);
  const found: BarLine[] = [];
  for await (const one of lines) found.push(one);
  return { dialect, warning, kind, summary: findings.summary(), found };
};

/** Writes bars as text: the start, the prices and the volume. Faults as they are. */
const textsOf = (found: readonly BarLine[]): string[] =>
  found.map((one) => {
    if ('fault' in one) return `${one.line}: ${one.fault}`;
    const { start, open, high, low, close, volume } = one.bar;
    return [new Date(start).toISOString().slice(0, 16), open, high, low, close, volume].join(' ');
  });

/** Two days of the shares in New York that most files below hold. */
const TWO_DAYS = ['2024-03-04T05:00 101 104 99 102.5 1500', '2024-03-05T05:00 102 105.25 100 103 2500'];
const TWO_UTC_DAYS = ['2024-03-04T00:00 101 104 99 102.5 1500', '2024-03-05T00:00 102 105.25 100 103 2500'];

const FILES: readonly [dialect: string, lines: readonly string[], choices: CandleChoices, bars: string[]][] =
  [
    [
      'MetaTrader 5, tabs, volume from tickvol',
      [
        '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
        '2024.03.04\t101\t104\t99\t102.5\t1500\t0\t3',
        '2024.03.05\t102\t105.25\t100\t103\t2500\t0\t3',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'MetaTrader 5, tabs, volume from tickvol, times in broker time',
      [
        '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
        '2024.03.04\t10:00:00\t1.08\t1.09\t1.07\t1.085\t321\t0\t3',
      ],
      { kind: PAIRS, zone: TimeZone.of('Europe/Athens') },
      ['2024-03-04T08:00 1.08 1.09 1.07 1.085 321'],
    ],
    [
      'MetaTrader 4 or 5 (no headers), times in broker time',
      ['2024.03.04,10:00,1.08,1.09,1.07,1.085,321', '2024.03.04,11:00,1.085,1.09,1.08,1.081,99'],
      { kind: PAIRS, zone: TimeZone.of('Europe/Athens') },
      ['2024-03-04T08:00 1.08 1.09 1.07 1.085 321', '2024-03-04T09:00 1.085 1.09 1.08 1.081 99'],
    ],
    [
      'Stooq (ASCII), volume from vol',
      [
        '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
        'X.US,D,20240304,000000,101,104,99,102.5,1500,0',
        'X.US,D,20240305,000000,102,105.25,100,103,2500,0',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Stooq (Polish), volume from wolumen',
      [
        'Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen',
        '2024-03-04,101,104,99,102.5,1500',
        '2024-03-05,102,105.25,100,103,2500',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Binance',
      [
        'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
        '1709510400000,101,104,99,102.5,1500,1709596799999,9,9,9,9,0',
        '1709596800000,102,105.25,100,103,2500,1709683199999,9,9,9,9,0',
      ],
      { kind: COINS },
      TWO_UTC_DAYS,
    ],
    [
      'Binance (no headers)',
      [
        '1709510400000000,101.0,104.0,99.0,102.5,1500.0,1709596799999999,9.0,9,9.0,9.0,0',
        '1709596800000000,102.0,105.25,100.0,103.0,2500.0,1709683199999999,9.0,9,9.0,9.0,0',
      ],
      { kind: COINS },
      TWO_UTC_DAYS,
    ],
    [
      'Coinbase (CryptoDataDownload), volume from volume_btc, newest first',
      [
        'https://www.CryptoDataDownload.com',
        'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
        '1709596800.0,2024-03-05 00:00:00,BTC/USD,102,105.25,100,103,2500,9',
        '1709510400.0,2024-03-04 00:00:00,BTC/USD,101,104,99,102.5,1500,9',
      ],
      { kind: COINS },
      TWO_UTC_DAYS,
    ],
    [
      'Coinbase, JSON, whose lines count candles, newest first',
      [
        '{"candles":[{"start":"1709596800","low":"100","high":"105.25","open":"102","close":"103","volume":"2500"},',
        '{"start":"1709510400","low":"99","high":"104","open":"101","close":"102.5","volume":"1500"}]}',
      ],
      { kind: COINS },
      TWO_UTC_DAYS,
    ],
    [
      'Nasdaq, dates as month/day, newest first',
      [
        'Date,Close/Last,Volume,Open,High,Low',
        '03/05/2024,$103.00,"2,500",$102.00,$105.25,$100.00',
        '03/04/2024,$102.50,"1,500",$101.00,$104.00,$99.00',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Investing, dates as month/day, volume from vol, newest first',
      [
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        '"03/14/2024","1,103.00","1,102.00","1,105.25","1,100.00","2.50M","0.49%"',
        '"03/04/2024","1,102.50","1,101.00","1,104.00","1,099.00","1.5K","0.10%"',
      ],
      { kind: US },
      ['2024-03-04T05:00 1101 1104 1099 1102.5 1500', '2024-03-14T04:00 1102 1105.25 1100 1103 2500000'],
    ],
    [
      'Investing, volume from vol, newest first',
      [
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        '"Mar 05, 2024","103.00","102.00","105.25","100.00","2.5K","0.49%"',
        '"Mar 04, 2024","102.50","101.00","104.00","99.00","1.5K","0.10%"',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Investing (German), decimal commas, volume from vol, newest first',
      [
        '"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"',
        '"05.03.2024","1.103,00","1.102,00","1.105,25","1.100,00","2,50K","0,49%"',
        '"04.03.2024","1.102,50","1.101,00","1.104,00","1.099,00","-","0,10%"',
      ],
      { kind: US },
      ['2024-03-04T05:00 1101 1104 1099 1102.5 0', '2024-03-05T05:00 1102 1105.25 1100 1103 2500'],
    ],
    [
      'Alpaca',
      [
        'symbol,timestamp,open,high,low,close,volume,trade_count,vwap',
        'X,2024-03-04 05:00:00+00:00,101.0,104.0,99.0,102.5,1500.0,9.0,101.5',
        'X,2024-03-05 05:00:00+00:00,102.0,105.25,100.0,103.0,2500.0,9.0,101.5',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Alpaca (API), JSON, whose lines count candles, volume from v',
      [
        '{"bars":{"X":[{"c":102.5,"h":104,"l":99,"n":9,"o":101,"t":"2024-03-04T05:00:00Z","v":1500,"vw":101.5},',
        '{"c":103,"h":105.25,"l":100,"n":9,"o":102,"t":"2024-03-05T05:00:00Z","v":2500,"vw":101.5}]},"next_page_token":null}',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Alpha Vantage, newest first',
      [
        'timestamp,open,high,low,close,volume',
        '2024-03-05,102,105.25,100,103,2500',
        '2024-03-04,101,104,99,102.5,1500',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Alpha Vantage, JSON, whose lines count candles, newest first',
      [
        '{"Meta Data":{"2. Symbol":"X"},"Time Series (Daily)":{',
        '"2024-03-05":{"1. open":"102","2. high":"105.25","3. low":"100","4. close":"103","5. volume":"2500"},',
        '"2024-03-04":{"1. open":"101","2. high":"104","3. low":"99","4. close":"102.5","5. volume":"1500"}}}',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Yahoo',
      [
        'Date,Open,High,Low,Close,Adj Close,Volume',
        '2024-03-04,101.000000,104.000000,99.000000,102.500000,51.1,1500',
        '2024-03-05,102.000000,105.250000,100.000000,103.000000,51.4,2500',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Yahoo (yfinance)',
      [
        'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits',
        '2024-03-04 00:00:00-05:00,101,104,99,102.5,1500,0.0,0.0',
        '2024-03-05 00:00:00-05:00,102,105.25,100,103,2500,0.0,0.0',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Yahoo (yfinance download)',
      [
        'Price,Close,High,Low,Open,Volume',
        'Ticker,X,X,X,X,X',
        'Date,,,,,',
        '2024-03-04,102.5,104,99,101,1500',
        '2024-03-05,103,105.25,100,102,2500',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Kite',
      [
        'date,open,high,low,close,volume',
        '2024-03-04T00:00:00+0530,101,104,99,102.5,1500',
        '2024-03-05T00:00:00+0530,102,105.25,100,103,2500',
      ],
      { kind: INDIA },
      TWO_UTC_DAYS,
    ],
    [
      'Kite (API), JSON, whose lines count candles',
      [
        '{"status":"success","data":{"candles":[["2024-03-04T00:00:00+0530",101,104,99,102.5,1500],',
        '["2024-03-05T00:00:00+0530",102,105.25,100,103,2500]]}}',
      ],
      { kind: INDIA },
      TWO_UTC_DAYS,
    ],
    [
      'TradingView',
      [
        'time,open,high,low,close,Volume,Plot,Plot',
        '1709562600,101,104,99,102.5,1500,1,2',
        '1709649000,102,105.25,100,103,2500,1,2',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'no headers, with volume',
      ['2024-03-04,101,104,99,102.5,1500', '2024-03-05,102,105.25,100,103,2500'],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'plain, semicolons, decimal commas',
      [
        'Date;Open;High;Low;Close;Volume',
        '04.03.2024;101;104;99;102,5;1500',
        '05.03.2024;102;105,25;100;103;2500',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'date and time, dates as day/month',
      ['Date,Time,Open,High,Low,Close,Volume', '04/03/2024,3:30 PM,101,104,99,102.5,1500'],
      { kind: US_5M, dates: 'dmy' },
      ['2024-03-04T20:30 101 104 99 102.5 1500'],
    ],
    [
      'HistData, semicolons',
      ['20240304 170000;1.08;1.09;1.07;1.085;0'],
      { kind: PAIRS },
      ['2024-03-04T22:00 1.08 1.09 1.07 1.085 0'],
    ],
    [
      'Dukascopy',
      ['Gmt time,Open,High,Low,Close,Volume', '04.03.2024 08:00:00.000,1.08,1.09,1.07,1.085,321.5'],
      { kind: PAIRS },
      ['2024-03-04T08:00 1.08 1.09 1.07 1.085 321.5'],
    ],
    [
      'CryptoDataDownload, volume from volume_btc, newest first',
      [
        'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
        '2024-03-05,BTCUSD,102,105.25,100,103,2500,9',
        '2024-03-04,BTCUSD,101,104,99,102.5,1500,9',
      ],
      { kind: COINS },
      TWO_UTC_DAYS,
    ],
    [
      'German, semicolons, decimal commas, volume from stücke',
      [
        'Datum;Eröffnung;Hoch;Tief;Schlusskurs;Stücke;Volumen',
        '04.03.2024;101;104;99;102,5;1500;9',
        '05.03.2024;102;105,25;100;103;2500;9',
      ],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'plain, volume from v',
      [',o,h,l,c,v', '2024-03-04,101,104,99,102.5,1500', '2024-03-05,102,105.25,100,103,2500'],
      { kind: US },
      TWO_DAYS,
    ],
    [
      'Alpha Vantage, newest first',
      [
        'timestamp,open,high,low,close,volume',
        '2024-03-04 09:35:00,102,105.25,100,103,2500',
        '2024-03-04 09:30:00,101,104,99,102.5,1500',
      ],
      { kind: US_5M },
      ['2024-03-04T14:30 101 104 99 102.5 1500', '2024-03-04T14:35 102 105.25 100 103 2500'],
    ],
    [
      'Kite',
      [
        'date,open,high,low,close,volume',
        '2024-03-04 09:15:00+05:30,101,104,99,102.5,1500',
        '2024-03-04 09:20:00+05:30,102,105.25,100,103,2500',
      ],
      { kind: { ...INDIA, timeframe: '5m' } },
      ['2024-03-04T03:45 101 104 99 102.5 1500', '2024-03-04T03:50 102 105.25 100 103 2500'],
    ],
    [
      'columns as named, semicolons',
      ['2024.03.04;15:30;101;104;99;102.5;9;1500'],
      { kind: US_5M, columns: 'date,time,open,high,low,close,-,volume' },
      ['2024-03-04T20:30 101 104 99 102.5 1500'],
    ],
    [
      'columns as named',
      ['1709510400,99,104,101,102.5,1500', '1709596800,100,105.25,102,103,2500'],
      { kind: COINS, columns: 'time,low,high,open,close,volume' },
      TWO_UTC_DAYS,
    ],
    [
      'columns as named',
      ['Day,Price,O,H,L,Shares', '2024-03-04,102.5,101,104,99,1500', '2024-03-05,103,102,105.25,100,2500'],
      { kind: US, columns: 'time,close,open,high,low,volume' },
      TWO_DAYS,
    ],
  ];

describe('a file of candles', () => {
  test.each(FILES)('%s', async (dialect, lines, choices, bars) => {
    const result = await read(`${lines.join('\n')}\n`, choices);
    expect(textsOf(result.found)).toEqual(bars);
    expect(result.dialect).toBe(`dialect: ${dialect}`);
    expect(result.warning).toBeUndefined();
  });

  test.each([
    ['with a mark', '\ufeff'],
    ['without a mark', ''],
  ])('in UTF-16 %s is read', async (_, mark) => {
    const lines = [
      '2024.03.04 00:00\t101\t104\t99\t102.5\t1500\t3',
      '2024.03.05 00:00\t102\t105.25\t100\t103\t2500\t3',
    ];
    const { dialect, found } = await read(Buffer.from(`${mark}${lines.join('\r\n')}\r\n`, 'utf16le'), {
      kind: US,
    });
    expect(textsOf(found)).toEqual(TWO_DAYS);
    expect(dialect).toBe('dialect: MetaTrader 5 (no headers), UTF-16, tabs');
  });

  test.each<[string, string | Buffer, CandleChoices, string]>([
    [
      'of broker time without a zone',
      '2024.03.04,10:00,1.08,1.09,1.07,1.085,321',
      { kind: PAIRS },
      'dialect: MetaTrader 4 or 5 (no headers), times in broker time. Give --time-zone',
    ],
    [
      'with an uncertain order of dates',
      'Date,Open,High,Low,Close\n01/02/2024,1,1,1,1\n02/02/2024,1,1,1,1',
      { kind: US },
      'The order of day and month is not certain in 01/02/2024',
    ],
    [
      'with an uncertain comma',
      'Date;Open;High;Low;Close\n2024-03-04;144,123;144,125;144,120;144,124',
      { kind: US },
      'The comma of 144,123 may mark decimals or thousands. Name the mark of decimals with --decimal',
    ],
    [
      'without known headers',
      '1709510400,99,104,101,102.5,1500',
      { kind: COINS },
      'The first line does not name columns, and no known program writes it so. Name the columns',
    ],
    [
      'with times of an unknown form',
      'Date,Open,High,Low,Close\n03/04/24,1,1,1,1',
      { kind: US },
      'The times of the file have no known form, such as 03/04/24. Write them as 2024-01-31',
    ],
    [
      'in another encoding',
      Buffer.from('Datum;Eröffnung;Hoch;Tief;Schluss\n04.03.2024;1;1;1;1', 'latin1'),
      { kind: US },
      'The first line is not UTF-8: save the file as UTF-8.',
    ],
    ['that is an archive', 'PK\u0003\u0004etc', { kind: US }, 'It is a ZIP archive or an Excel workbook'],
    ['that is a web page', '<!DOCTYPE html>\n<html>', { kind: US }, 'It is a web page or XML'],
    ['that is broken JSON', '{"bars": [', { kind: US }, 'It begins as JSON and is not valid JSON'],
    [
      'of JSON without candles',
      '{"error": "limit"}',
      { kind: US },
      'The JSON has no candles at a known place',
    ],
    ['of several symbols', '{"bars":{"X":[],"Y":[]}}', { kind: US }, 'The file has several symbols: X, Y.'],
    ['that is empty', '', { kind: US }, 'The columns time, open, high, low, close are missing.'],
  ])('%s is refused with its cause and cure', async (_, content, choices, message) => {
    await expect(read(content, choices)).rejects.toThrow(message);
  });

  test('of a second symbol is refused line by line', async () => {
    const { found } = await read(
      'symbol,time,open,high,low,close,volume\nX,2024-03-04,1,1,1,1,1\nY,2024-03-05,1,1,1,1,1',
      { kind: US },
    );
    expect(textsOf(found)[1]).toBe('3: the symbol is Y, and that of the file is X: divide the file');
  });

  test('without a known volume says so, with the columns that are not read', async () => {
    const { warning, found } = await read('Date,Open,High,Low,Close,Lots\n2024-03-04,1,1,1,1,5', {
      kind: US,
    });
    expect(textsOf(found)).toEqual(['2024-03-04T05:00 1 1 1 1 0']);
    expect(warning).toContain(
      'No column of volume was recognised, and volumes are 0. Columns that are not read: lots.',
    );
  });

  test('counts empty volumes, duplicates and unsorted lines, each with its first line', async () => {
    const rows = [
      '2024-03-04,1,1,1,1,',
      '2024-03-05,1,1,1,1,5',
      '2024-03-05,1,1,1,1,5',
      '2024-03-04,1,1,1,1,5',
    ];
    const last = '2024-03-06,1,1,1,1,n/a';
    const { summary } = await read(['time,open,high,low,close,volume', ...rows, last].join('\n'), {
      kind: US,
    });
    expect(summary).toBe(
      'Lines to look at: 2 without a volume, read as 0 (first: line 2), 1 with the time of an earlier line (first: line 4), 1 out of order (first: line 5).',
    );
  });
});

test('candles outside of the sessions are kept and counted', async () => {
  const days = ['2024-07-03', '2024-07-04', '2024-07-05', '2024-07-06'];
  const daily = ['time,open,high,low,close,volume', ...days.map((day) => `${day},1,1,1,1,1`)].join('\n');
  const shares = await read(daily, { kind: US });
  expect(shares.found).toHaveLength(4);
  expect(shares.summary).toBe('Lines to look at: 2 outside of the sessions (first: line 3).');
  expect((await read(daily, { kind: COINS })).summary).toBeUndefined();
  expect((await read(daily, { kind: { ...US, timeframe: '1w' } })).summary).not.toContain('sessions');
  const times = ['08:00', '09:00', '10:00', '12:00', '13:00'].map((time) => `2024-07-03T${time},1,1,1,1,1`);
  const hours = ['time,open,high,low,close,volume', ...times].join('\n');
  const { summary } = await read(hours, { kind: { ...US, timeframe: '1h' } });
  expect(summary).toBe('Lines to look at: 2 outside of the sessions (first: line 2).');
});

test('the README lists the dialects', async () => {
  const page = await readFile(
    fileURLToPath(new URL('../../infra/candles/README.md', import.meta.url)),
    'utf8',
  );
  const rows = DIALECTS.map(({ name, headers, cells, about, localTimes }) => {
    const shape = headers?.length
      ? `\`${headers.join(',')}\``
      : cells
        ? 'no headers'
        : 'a time and four prices';
    return `| ${name} | ${shape} | ${about}${localTimes === undefined ? '' : `; ${localTimes}: --time-zone within a day`} |`;
  });
  expect(page).toContain(rows.join('\n'));
});

/** Writes candles at local times of days, with the offset of each day. */
const candlesAt = (
  days: readonly (readonly [day: string, offset: string])[],
  times: readonly string[],
): string => {
  const rows = days.flatMap(([day, offset]) => times.map((time) => `${day}T${time}:00${offset},1,1,1,1`));
  return ['time,open,high,low,close', ...rows].join('\n');
};

const HOURS = ['09:30', '10:30', '11:30', '12:30', '13:30', '14:30', '15:30'];
/** Before and after the change of the clocks in New York. */
const SPRING = [
  ['2024-03-08', '-05:00'],
  ['2024-03-11', '-04:00'],
] as const;
const KOLKATA = [
  ['2024-01-02', '+05:30'],
  ['2024-01-03', '+05:30'],
] as const;
const of = (id: string, timeframe: Timeframe) => ({ ...US, calendar: calendarById(id), timeframe });
const NSE = 'weekdays:Asia/Kolkata';
/** London in the time of New York, where clocks change three weeks earlier. */
const LONDON_IN_NEW_YORK = ['2024-03-07 03:45', '2024-03-07 07:45', '2024-03-12 04:45', '2024-03-12 08:45'];

describe('the anchor of candles', () => {
  test.each<[string, string, CandleChoices, string]>([
    ['US hours', candlesAt(SPRING, HOURS), { kind: of('us', '1h') }, 'us@09:30'],
    ['US hours of the clock', candlesAt(SPRING, ['09:00', '10:00', '11:00']), { kind: of('us', '1h') }, 'us'],
    ['TradingView 4h', candlesAt(SPRING, ['09:30', '13:30']), { kind: of('us', '4h') }, 'us@09:30'],
    ['US half hours', candlesAt(SPRING, ['09:30', '10:00', '10:30']), { kind: of('us', '30m') }, 'us'],
    [
      'US half hours that are named',
      candlesAt(SPRING, ['09:30', '10:00']),
      { kind: of('us', '30m'), anchor: 'session' },
      'us@09:30',
    ],
    [
      'US half hours that continue a series',
      candlesAt(SPRING, ['09:30', '10:00']),
      { kind: of('us@09:30', '30m') },
      'us@09:30',
    ],
    ['one US hour', candlesAt([['2024-03-08', '-05:00']], ['14:30']), { kind: of('us', '1h') }, 'us@09:30'],
    [
      'Kite 1h',
      candlesAt(KOLKATA, ['09:15', '10:15', '11:15', '12:15', '13:15', '14:15', '15:15']),
      { kind: of(NSE, '1h') },
      `${NSE}@09:15`,
    ],
    ['NSE 30m', candlesAt(KOLKATA, ['09:15', '09:45', '10:15']), { kind: of(NSE, '30m') }, `${NSE}@09:15`],
    ['NSE 15m', candlesAt(KOLKATA, ['09:15', '09:30', '09:45']), { kind: of(NSE, '15m') }, NSE],
    ['NSE 4h', candlesAt(KOLKATA, ['09:15', '13:15']), { kind: of(NSE, '4h') }, `${NSE}@09:15`],
    [
      'NSE hours, of which the first day lacks some',
      `time,open,high,low,close\n2024-01-01T13:15:00+05:30,1,1,1,1\n${candlesAt(KOLKATA, ['09:15', '10:15']).split('\n').slice(1).join('\n')}`,
      { kind: of(NSE, '1h') },
      `${NSE}@09:15`,
    ],
    [
      'hours that continue a series without its first ones',
      candlesAt(KOLKATA, ['13:15', '14:15']),
      { kind: of(`${NSE}@09:15`, '1h') },
      `${NSE}@09:15`,
    ],
    [
      'hours of another opening than the series has',
      candlesAt(KOLKATA, ['09:30', '10:30']),
      { kind: of(`${NSE}@09:15`, '1h') },
      `${NSE}@09:30`,
    ],
    [
      'London in the time of New York',
      ['time,open,high,low,close', ...LONDON_IN_NEW_YORK.map((time) => `${time},1,1,1,1`)].join('\n'),
      { kind: of('weekdays:Europe/London', '4h'), zone: TimeZone.of('America/New_York') },
      'weekdays:Europe/London@08:45',
    ],
    ['days', 'time,open,high,low,close\n2024-03-04,1,1,1,1', { kind: US }, 'us'],
    ['none', 'time,open,high,low,close', { kind: of('us', '1h') }, 'us'],
    ['coins', candlesAt(SPRING, ['09:00', '10:00']), { kind: { ...COINS, timeframe: '1h' } }, 'always'],
  ])('is found: %s', async (_, content, choices, calendar) => {
    const { dialect, kind, found } = await read(content, choices);
    expect(kind.calendar.id).toBe(calendar);
    expect(found.filter((one) => 'fault' in one)).toEqual([]);
    const opening = calendar.split('@')[1];
    expect(dialect.includes('anchor')).toBe(opening !== undefined);
    if (opening !== undefined) expect(dialect).toContain(`, anchor session (${opening})`);
  });

  test('is that of most candles, and the others are refused one by one', async () => {
    const { kind, found } = await read(candlesAt(SPRING, [...HOURS, '16:00']), { kind: of('us', '1h') });
    expect(kind.calendar.id).toBe('us@09:30');
    expect(textsOf(found).filter((text) => /^\d+: /.test(text))).toEqual(
      [9, 17].map(
        (line) =>
          `${line}: bars of 1h start at multiples of 1h before and after the session's opening at 09:30 in America/New_York; this one starts at 16:00`,
      ),
    );
  });

  test.each<[string, string, CandleChoices, string]>([
    [
      'a break at noon',
      candlesAt([['2024-01-04', '+09:00']], ['09:00', '10:00', '11:00', '12:30', '13:30', '14:30']),
      { kind: of('weekdays:Asia/Tokyo', '1h') },
      'Candles of 1h of the file fit neither the anchor clock nor session (09:00) in Asia/Tokyo: one starts at 12:30. Check the timeframe and the time zone, or export candles of 30m, which the hub puts together.',
    ],
    [
      'the wrong zone',
      candlesAt([['2024-01-04', '+00:00']], ['09:15', '10:15']),
      { kind: of('us', '1h') },
      'Candles of 1h of the file fit neither the anchor clock nor session (09:30) in America/New_York: one starts at 04:15. Check the timeframe and the time zone, or export candles of 15m, which the hub puts together.',
    ],
    [
      'the clock by name',
      candlesAt(SPRING, HOURS),
      { kind: of('us', '1h'), anchor: 'clock' },
      'Candles of 1h of the file do not fit the anchor clock in America/New_York: one starts at 09:30. Check the timeframe and the time zone, or export candles of 30m, which the hub puts together. Name --anchor clock or --anchor session, or leave it out.',
    ],
    [
      'a market without sessions',
      candlesAt(SPRING, ['09:00']),
      { kind: { ...COINS, timeframe: '1h' }, anchor: 'session' },
      'The anchor cannot be the session: the market has no daily session, so that its bars start with the clock.',
    ],
    [
      'days',
      'time,open,high,low,close\n2024-03-04,1,1,1,1',
      { kind: US, anchor: 'session' },
      'The anchor cannot be the session: bars of 1d start at midnight, and have no other anchor.',
    ],
  ])('is refused with cause and cure: %s', async (_, content, choices, message) => {
    await expect(read(content, choices)).rejects.toThrow(message);
  });
});
