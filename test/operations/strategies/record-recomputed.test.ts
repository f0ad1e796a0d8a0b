import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type BarColumns, barCount, columnsOf, listBars } from '../../../shared/domain/candles/bars.ts';
import { CHILD_ENVIRONMENT } from '../../support/child-environment.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { plainMinutes, rowsOf } from '../../support/plain-minutes.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { exportedTexts, passSessions, publishedTrader } from '../../support/track-records.ts';

const COMMAND = fileURLToPath(new URL('../../../infra/commands/verify-record.ts', import.meta.url));
const DAY_MS = 86_400_000;
const LENGTH = 3;
const EXIT_AFTER = 2;
const UNITS = 400;

/** Rules that the plain engine knows as well. */
const RULES = {
  schema: 'hub.rules/1',
  entries: (
    [
      ['long', 'crosses_above'],
      ['short', 'crosses_below'],
    ] as const
  ).map(([side, op]) => ({
    side,
    when: { left: { price: 'close' }, op, right: { indicator: 'sma', length: LENGTH } },
    size: { type: 'units', units: UNITS },
  })),
  exits: ['long', 'short'].map((side) => ({ side, when: { bars_in_trade: EXIT_AFTER } })),
};

/** Gives bars prices that rise and fall within days. */
const waves = (bars: BarColumns): BarColumns =>
  columnsOf(
    listBars(bars).map((bar, index) => {
      const at = (moment: number) =>
        Math.round(100 * (100 + 6 * Math.sin(moment / 2) + 3 * Math.sin(moment / 7))) / 100;
      const [open, close] = [at(index), at(index + 0.7)];
      return { ...bar, open, close, high: Math.max(open, close) + 1, low: Math.min(open, close) - 1 };
    }),
  );

let hub: TestHub;
let dir: string;
let texts: string[];
let record_hash: string;

beforeAll(async () => {
  hub = await startHub();
  dir = await mkdtemp(join(tmpdir(), 'hub-record-'));
  await furnishWithInstruments(hub, ['SPY']);
  const own = await publishedTrader(hub, { rules: RULES, shape: waves });
  await passSessions(hub, own, 45);
  await passSessions(hub, own, 45);
  texts = await exportedTexts(hub, own);
  const query = { user_id: own.user_id, strategy_id: String(own.strategy_id) };
  record_hash = (await hub.call('GET /get_track_record', { query })).body.record_hash;
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await hub.close();
});

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Canonical JSON of objects, lists, texts, whole numbers and such with 12 digits. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
};

const rounded = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(12)) : value;

const hashOfObjects = (list: readonly object[]): string =>
  sha256(
    canonical(
      list.map((one) =>
        Object.fromEntries(Object.entries(one).map(([name, value]) => [name, rounded(value)])),
      ),
    ),
  );

const row = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);
type Row = z.output<typeof row>;

const hashOfRows = (rows: readonly Row[]): string => {
  const bytes = Buffer.alloc(rows.length * 48);
  for (const [index, values] of rows.entries()) {
    for (const [place, value] of values.entries()) bytes.writeDoubleLE(value, index * 48 + place * 8);
  }
  return sha256(bytes);
};

/** Chains the hashes of the months of bars. */
const digestOf = (rows: readonly Row[]): string => {
  const months = Map.groupBy(rows, ([at]) => new Date(at).toISOString().slice(0, 7));
  return [...months].reduce((before, [month, own]) => sha256(`${before}\n${month}\n${hashOfRows(own)}`), '');
};

const legs = z.array(z.object({ symbol: z.string(), bars: z.array(row) }));
const inputsOf = z.looseObject({
  started_at: z.number(),
  account: z.looseObject({ starting_capital: z.number(), margin: z.number(), maintenance: z.number() }),
  legs: z.array(
    z.looseObject({
      symbol: z.string(),
      size_step: z.number(),
      swap: z.looseObject({
        swap_long: z.number(),
        swap_short: z.number(),
        swap_calculation: z.literal('percentage'),
        triple_swap_weekday: z.literal('friday'),
      }),
      costs: z.looseObject({ commission_rate: z.number(), slippage_rate: z.number() }),
    }),
  ),
});
const line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('inputs'),
    inputs: inputsOf,
    disclosed: z.object({ rules: z.string(), params: z.record(z.string(), z.number()), salt: z.string() }),
  }),
  z.object({ type: z.literal('warm_up'), legs }),
  z.object({ type: z.literal('day'), legs }),
]);

const parsed = () => texts.map((text) => line.parse(JSON.parse(text)));

/** Counts the nights from the start of a daily bar to that of another, as a swap counts them. */
const nightsBetween = (from: number, to: number): number => {
  let nights = 0;
  for (let at = Math.floor(from / DAY_MS); at < Math.floor(to / DAY_MS); at += 1) {
    const weekday = new Date(at * DAY_MS).getUTCDay();
    if (weekday !== 0 && weekday !== 6) nights += weekday === 5 ? 3 : 1;
  }
  return nights;
};

/** Computes the hash of a record of one symbol from the text of its export alone. */
const recomputed = () => {
  const lines = parsed();
  const first = lines.find((one) => one.type === 'inputs');
  if (!first) throw new Error('there are no inputs');
  const { inputs, disclosed } = first;
  const [leg] = inputs.legs;
  if (!leg) throw new Error('there is no symbol');
  const before = lines.flatMap((one) => (one.type === 'warm_up' ? (one.legs[0]?.bars ?? []) : []));
  const days = lines.flatMap((one) => (one.type === 'day' ? [one.legs[0]?.bars ?? []] : []));
  const bars = columnsOf(
    [...before, ...days.flat()].map(([start, open, high, low, close, volume]) => ({
      start,
      open,
      high,
      low,
      close,
      volume,
    })),
  );
  const { commission_rate: fee, slippage_rate: slippage } = leg.costs;
  const entry = { kind: 'market' as const, length: LENGTH, offset: 0, valid_bars: Number.POSITIVE_INFINITY };
  const size = { type: 'units' as const, amount: UNITS };
  const plain = plainMinutes(
    {
      entries: [
        { ...entry, side: 1, size },
        { ...entry, side: -1, size },
      ],
      exit_after: EXIT_AFTER,
      reverse: false,
      pyramid: false,
      max_trades: 1,
      cooldown: 0,
    },
    {
      capital: inputs.account.starting_capital,
      margin: inputs.account.margin,
      maintenance: inputs.account.maintenance,
      step: leg.size_step,
      fee,
      slippage,
      spread: 0,
      fill_at: 'next_open',
      evaluated_from: before.length,
    },
    bars,
    (index) => rowsOf(bars, index, index + 1),
  );
  const indexOf = new Map(Array.from({ length: barCount(bars) }, (_, index) => [bars.start[index], index]));
  const swaps = Array.from({ length: barCount(bars) }, () => 0);
  const trades = plain.closed.map((trade, number) => {
    const { side, quantity, entry_price, exit_price } = trade;
    const [begin, end] = [indexOf.get(trade.entry_at) ?? 0, indexOf.get(trade.exit_at) ?? 0];
    const rate = side === 'long' ? leg.swap.swap_long : leg.swap.swap_short;
    let swap = 0;
    for (let bar = begin + 1; bar <= end; bar += 1) {
      const nights = nightsBetween(bars.start[bar - 1] ?? 0, bars.start[bar] ?? 0);
      const charged = (quantity * (bars.close[bar - 1] ?? 0) * rate * nights) / 100 / 360;
      swaps[bar] = (swaps[bar] ?? 0) + charged;
      swap += charged;
    }
    // Entries and exits fill at opens, so a trade is held through whole bars.
    const held = { low: bars.low.slice(begin, end), high: bars.high.slice(begin, end) };
    const below = Math.max(0, entry_price - Math.min(exit_price, ...held.low));
    const above = Math.max(0, Math.max(exit_price, ...held.high) - entry_price);
    const value = quantity * entry_price;
    const fees = fee * value + fee * quantity * exit_price;
    const pnl = (side === 'long' ? 1 : -1) * quantity * (exit_price - entry_price) - fees + swap;
    return {
      number: number + 1,
      symbol: leg.symbol,
      ...trade,
      entry_at: new Date(trade.entry_at).toISOString(),
      exit_at: new Date(trade.exit_at).toISOString(),
      pnl,
      fees,
      return_pct: (pnl / value) * 100,
      bars: end - begin,
      mae_pct: ((side === 'long' ? below : above) / entry_price) * 100,
      mfe_pct: ((side === 'long' ? above : below) / entry_price) * 100,
      stop_loss: null,
      take_profit: null,
    };
  });
  const own = { ...inputs, rules_seal: sha256(canonical(disclosed)), warm_up: [digestOf(before)] };
  const parts = Object.entries(own).map(([name, part]) => [name, sha256(canonical(part))]);
  let hash = sha256(canonical(Object.fromEntries(parts)));
  let index = before.length;

  for (const rows of days) {
    const times = rows.map(([at]) => new Date(at).toISOString());
    index += rows.length;
    const ended = trades.filter(({ exit_at }) => times.includes(exit_at));
    const until = times.at(-1) ?? '';
    hash = sha256(
      canonical({
        before: hash,
        day: until.slice(0, 10),
        bars_hash: sha256(`${leg.symbol} ${hashOfRows(rows)}`),
        equity: rounded(
          (plain.equity[index - 1] ?? 0) + swaps.slice(0, index).reduce((sum, one) => sum + one, 0),
        ),
        trades_count: trades.filter(({ exit_at }) => exit_at <= until).length,
        trades_hash: hashOfObjects(ended),
        splits_hash: hashOfObjects([]),
      }),
    );
  }
  return { hash, trades: trades.length, days: days.length, open: plain.open };
};

test('another program with an engine of its own computes the hash of a record from the export alone', () => {
  const { hash, trades, days, open } = recomputed();
  expect(open).toBe(0);
  expect(trades).toBeGreaterThan(8);
  expect(days).toBeGreaterThan(55);
  expect(hash).toBe(record_hash);
});

/** Runs the command as a person does. */
const verify = (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: dir, env: CHILD_ENVIRONMENT }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err }),
    );
  });

test('the command verifies a file of an export, and names the day of a change', async () => {
  await writeFile(join(dir, 'record.ndjson'), texts.join('\n'));
  expect(await verify('record.ndjson')).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`^\\d+ days are as the record says: ${record_hash}\n$`)),
    err: '',
  });
  const altered = texts.with(-3, texts.at(-3)?.replace(/"equity":\d/, '"equity":9') ?? '');
  await writeFile(join(dir, 'altered.ndjson'), altered.join('\n'));
  const { day } = JSON.parse(texts.at(-3) ?? '').entry;
  expect(await verify('altered.ndjson')).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${day}: equity`),
  });
});

test("the command verifies a record by candles of the caller's own, and finds one that differs", async () => {
  const rows = parsed().flatMap((one) => (one.type === 'inputs' ? [] : (one.legs[0]?.bars ?? [])));
  const earlier = rows[0]?.map((value, index) => (index === 0 ? value - 7 * DAY_MS : value)) ?? [];
  const csv = (all: readonly (readonly number[])[]) =>
    [
      'time,open,high,low,close,volume',
      ...all.map(([at, ...prices]) => [new Date(at ?? 0).toISOString(), ...prices].join(',')),
    ].join('\n');
  // Candles before those that the record read are left out.
  await writeFile(join(dir, 'own.csv'), csv([earlier, ...rows]));
  const hidden = texts.map((text) =>
    JSON.stringify({ ...JSON.parse(text), ...('legs' in JSON.parse(text) && { legs: null }) }),
  );
  await writeFile(join(dir, 'hidden.ndjson'), hidden.join('\n'));
  expect(await verify('hidden.ndjson', '--candles', 'own.csv')).toMatchObject({
    code: 0,
    out: expect.stringContaining(record_hash),
  });
  expect(await verify('hidden.ndjson')).toMatchObject({ code: 1, err: expect.stringContaining('--candles') });
  const last = rows.at(-1)?.map((value, index) => (index === 2 ? value + 0.5 : value)) ?? [];
  await writeFile(join(dir, 'wrong.csv'), csv([...rows.slice(0, -1), last]));
  expect(await verify('hidden.ndjson', '--candles', 'wrong.csv')).toMatchObject({
    code: 1,
    out: expect.stringContaining('bar'),
  });
});
