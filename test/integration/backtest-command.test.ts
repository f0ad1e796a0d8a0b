import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { readText, rulesCaseSchema } from '../oracle/cases.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATA = join(ROOT, 'test/unit/domain/engine/data');

/** Returns a published backtest of another program, with its candles. */
const published = (() => {
  const cases: unknown = JSON.parse(readText(join(DATA, 'backtests.json.gz')));
  const json = z.array(z.looseObject({ id: z.string() })).parse(cases);
  return rulesCaseSchema.parse(json.find(({ id }) => id === 'bt24-tsla-roc-or'));
})();
const candleLines = readText(join(DATA, published.candles.file)).trimEnd().split('\n');

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hub-backtest-'));
});
afterAll(() => rm(dir, { recursive: true }));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command as a person does. */
const run = (...args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const options = { cwd: dir, env: { ...CHILD_ENVIRONMENT } };
    const command = join(ROOT, 'infra/commands/backtest.ts');
    execFile(process.execPath, [command, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
  });

const fileOf = async (name: string, content: unknown): Promise<string> => {
  await writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};
const candlesFile = (lines: readonly string[] = candleLines): Promise<string> =>
  fileOf(`candles-${lines.length}.csv`, `${lines.join('\n')}\n`);

const plainRules = {
  schema: 'hub.rules/1',
  params: { length: { default: 10, min: 2, max: 50 } },
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'gt', right: { indicator: 'sma', length: { param: 'length' } } },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 5 } }],
};

const valueIn = (out: string, label: string): string =>
  new RegExp(`^${label} +(\\S.*)$`, 'm').exec(out)?.[1] ?? '';

describe('npm run backtest', () => {
  test('gives the trades and figures of another program', async () => {
    const { account, rules, expected } = published;
    const args = [
      ...['--rules', await fileOf('published.json', rules)],
      ...['--candles', await candlesFile()],
      ...[
        '--account',
        await fileOf('account.json', {
          starting_capital: account.cash,
          commission_rate: account.commission,
          spread_rate: account.spread,
          stop_basis: 'signal_close',
          close_at_end: 'last_open',
        }),
      ],
    ];
    const { code, out, err } = await run(...args, '--trades', 'trades.csv');
    expect([code, err]).toEqual([0, '']);
    const digits = (number: unknown) =>
      Number(number).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    expect(valueIn(out, 'Final equity')).toBe(digits(expected.statistics['Equity Final [$]']));
    expect(valueIn(out, 'Total return')).toBe(`${digits(expected.statistics['Return [%]'])} %`);
    expect(valueIn(out, 'Win rate')).toBe(`${digits(expected.statistics['Win Rate [%]'])} %`);
    expect(valueIn(out, 'Closed trades')).toBe(String(expected.trades.length));
    expect(out).toMatch(/^Buys with 100% of equity when ROC/);
    expect(out).toContain('Warning: Figures of fewer than 30 trades say little. (20)');

    const rows: Record<string, string>[] = parse(await readFile(join(dir, 'trades.csv')), { columns: true });
    expect(Object.keys(rows[0] ?? {}).join()).toBe(
      'number,symbol,side,quantity,entry_at,entry_price,exit_at,exit_price,exit_reason,pnl,fees,return_pct,bars',
    );
    const dayOf = (bar: number) => candleLines[bar + 1]?.split(',')[0];
    expect(
      rows.map((row) => ({
        side: row.side,
        size: Number(row.quantity),
        entry: [row.entry_at?.slice(0, 10), Number(row.entry_price)],
        exit: [row.exit_at?.slice(0, 10), Number(row.exit_price)],
        bars: Number(row.bars),
      })),
    ).toEqual(
      expected.trades.map((trade) => ({
        side: trade.side,
        size: trade.size,
        entry: [dayOf(trade.entry_bar), expect.closeTo(trade.entry_price, 9)],
        exit: [dayOf(trade.exit_bar), expect.closeTo(trade.exit_price, 9)],
        bars: trade.exit_bar - trade.entry_bar,
      })),
    );
  });

  test('takes parameters, a range with a warm-up and an instrument of the catalogue', async () => {
    const args = ['--rules', await fileOf('rules.json', plainRules), '--candles', await candlesFile()];
    const { code, out } = await run(
      ...args,
      '--symbol',
      'tsla',
      '--params',
      'length=20',
      '--from',
      '2016-01-01',
    );
    expect(code).toBe(0);
    expect(out).toContain('close is above SMA(20)');
    expect(out).toContain('TSLA (Tesla');
    // The candles of 2015 warm the average up.
    expect(out).toContain('from 2016-01-04T05:00:00.000Z');
    expect(out).toContain('first evaluated: 2016-01-04T05:00:00.000Z');
  });

  test('names the line of a faulty candle, and leaves it out on request', async () => {
    const lines = [
      ...candleLines.slice(0, 40),
      `${candleLines[40]?.split(',')[0]},1,2,3,4,5`,
      ...candleLines.slice(41),
    ];
    const args = [
      '--rules',
      await fileOf('rules.json', plainRules),
      '--candles',
      await fileOf('faulty.csv', lines.join('\n')),
    ];
    expect(await run(...args)).toEqual({
      code: 1,
      out: '',
      err: 'faulty.csv: line 41: the high is not the highest price. Correct it, set --timeframe, or leave such lines out with --skip-faults.\n',
    });
    const { code, out } = await run(...args, '--skip-faults');
    expect(code).toBe(0);
    expect(out).toContain('Warning: 1 lines with faults were left out.');
  });

  const badRules = { ...plainRules, entries: [{ side: 'long', when: { left: 1, op: 'above', right: 2 } }] };

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['rules with a wrong word', { rules: badRules }, 'rules.json: entries[0].when.op: value is not a valid'],
    ['rules that are no JSON', { rules: '{\n  "schema": hub\n}' }, 'rules.json, line 2: not valid JSON: '],
    ['a missing file', { candles: undefined }, 'candles.csv is not a list: it cannot be read.'],
    [
      'a repeated column',
      { candles: 'time,open,high,low,close,CLOSE\n' },
      'candles.csv: The file has several columns close.',
    ],
    ['a day that does not exist', { from: '2021-02-30' }, '--from 2021-02-30: expected a date such as'],
    ['a missing column', { candles: 'time,open,high,low\n' }, 'candles.csv: The columns close are missing.'],
    ['an unknown field', { account: { cash: 5 } }, 'account.json: cash: extra fields not permitted'],
    ['a parameter out of its bounds', { params: 'length=99' }, '--params length: ensure this value is less'],
    ['a range without candles', { from: '2030-01-01' }, 'candles.csv has no candles in this range.'],
  ])('refuses %s in one sentence', async (_, change, message) => {
    const files = { rules: plainRules, candles: candleLines.join('\n'), account: {}, ...change };
    await rm(join(dir, 'candles.csv'), { force: true });
    const args = ['--rules', await fileOf('rules.json', files.rules), '--candles', 'candles.csv'];
    if (files.candles !== undefined) await fileOf('candles.csv', files.candles);
    args.push('--account', await fileOf('account.json', files.account));
    for (const flag of ['params', 'from']) {
      const value = Object.entries(change).find(([name]) => name === flag)?.[1];
      if (typeof value === 'string') args.push(`--${flag}`, value);
    }
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('candles of other programs are read, and a flag decides where their notation is uncertain', async () => {
  const days = ['05', '04', '03', '02', '01'];
  const lines = days.map((day) => `${day}/02/2024;1,5;1,75;1,25;1,5;`);
  const candles = await fileOf('other.csv', ['Date;Open;High;Low;Close;Volume', ...lines].join('\n'));
  const rules = await fileOf('other.json', {
    ...plainRules,
    params: { length: { default: 2, min: 2, max: 50 } },
  });
  const args = ['--rules', rules, '--candles', candles];
  const uncertain = await run(...args);
  expect([uncertain.code, uncertain.err]).toEqual([
    1,
    'other.csv: The order of day and month is not certain in 05/02/2024, nor in the other dates at the beginning. Name it with --dates dmy or --dates mdy.\n',
  ]);
  const { code, out } = await run(...args, '--dates', 'dmy');
  expect(code).toBe(0);
  expect(out).toContain('dialect: plain, semicolons, dates as day/month, decimal commas, newest first\n');
  expect(out).toContain('from 2024-02-01T00:00:00.000Z to 2024-02-05T00:00:00.000Z');
  expect(out).toContain(
    'Warning: Lines to look at: 5 without a volume, read as 0 (first: line 2), 2 outside of the sessions (first: line 3).',
  );
  expect((await run(...args, '--dates', 'ymd')).err).toBe('--dates must be one of dmy, mdy\n');
});

test('hours that start with the session make larger candles that do so, too', async () => {
  const rows = ['2024-01-02', '2024-01-03'].flatMap((day, index) =>
    [14, 15, 16, 17, 18, 19, 20].map((hour, place) => {
      const price = 100 + 10 * index + place;
      return `${day}T${hour}:30:00Z,${price},${price + 1},${price - 1},${price + 1},1000`;
    }),
  );
  const candles = await fileOf('session.csv', ['time,open,high,low,close,volume', ...rows].join('\n'));
  const rules = await fileOf('session.json', {
    schema: 'hub.rules/1',
    entries: [
      {
        side: 'long',
        when: { left: { indicator: 'sma', length: 1, timeframe: '4h' }, op: 'gt', right: 103 },
      },
    ],
    exits: [{ side: 'long', when: { bars_in_trade: 1 } }],
  });
  const args = [
    '--rules',
    rules,
    '--candles',
    candles,
    '--timeframe',
    '1h',
    '--trades',
    'session-trades.csv',
  ];
  const { code, out, err } = await run(...args, '--symbol', 'SPY');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('dialect: TradingView, anchor session (09:30)\n');
  const [first] = z
    .array(z.object({ entry_at: z.string(), entry_price: z.coerce.number() }))
    .parse(parse(await readFile(join(dir, 'session-trades.csv'), 'utf8'), { columns: true }));
  // The candle of 9:30 closes at 13:30 in New York, and that of 13:30 is the first to be evaluated.
  expect(first).toEqual({ entry_at: '2024-01-02T19:30:00.000Z', entry_price: 105 });
  const refused = await run(...args, '--symbol', 'SPY', '--anchor', 'clock');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('Candles of 1h of the file do not fit the anchor clock in America/New_York'),
  ]);
});

test('smaller candles decide about fills within a candle', async () => {
  const days = [
    'time,open,high,low,close,volume',
    ...['01', '02'].map((day) => `2024-01-${day},100,100,100,100,1`),
  ];
  // A stop entry at 101 with a stop at 99.99: the day reaches both, the hours say in which order.
  const candles = await fileOf('open-case.csv', [...days, '2024-01-03,100,103,98,102,0'].join('\n'));
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const start = `2024-01-03T${String(hour).padStart(2, '0')}:00:00Z`;
    if (hour === 0) return `${start},100,100,98,100,0`;
    return hour === 1 ? `${start},100,103,100,102,0` : `${start},102,102,102,102,0`;
  });
  const smaller = await fileOf('hours.csv', [days[0], ...hours].join('\n'));
  const rules = await fileOf('open-case.json', {
    schema: 'hub.rules/1',
    entries: [
      {
        side: 'long',
        when: { left: { price: 'volume' }, op: 'gte', right: 1 },
        stop: { percent: 1 },
        valid_bars: 1,
        stop_loss: { type: 'percent', percent: 1 },
      },
    ],
  });
  const options = ['--rules', rules, '--candles', candles, '--asset-class', 'crypto'];
  const worst = await run(...options);
  expect(worst.out).toMatch(/Closed trades +1\n/);
  const decided = await run(...options, '--smaller', smaller, '--smaller-timeframe', '1h');
  expect(decided.err).toBe('');
  expect(decided.out).toMatch(/Closed trades +0\n/);
  expect(decided.out).toContain('Open: long');
  expect(decided.out).toContain('\ndialect: plain\n1h dialect: TradingView\n');
  const refused = await run(...options, '--smaller', smaller, '--smaller-timeframe', '1w');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--smaller-timeframe')]);
});
