import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Bar, type BarColumns, columnsOf, sliceBars } from '../../shared/domain/candles/bars.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { TIMEFRAMES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';

const candles = z.object({
  file: z.string(),
  slice: z.tuple([z.int(), z.int()]).nullish(),
});
const figure = z.number().nullable();

/** Complete backtest of backtesting.py. */
export const rulesCaseSchema = z.object({
  id: z.string(),
  candles,
  account: z.object({
    cash: z.number(),
    commission: z.union([z.number(), z.tuple([z.number(), z.number()])]),
    spread: z.number(),
    margin: z.number(),
    trade_on_close: z.boolean(),
    fractional: z.number().nullish(),
  }),
  rules: rulesSchema,
  expected: z.object({
    first_evaluated_bar: z.int(),
    statistics: z.record(z.string(), z.union([z.string(), figure])),
    trades: z.array(
      z.object({
        side: z.enum(['long', 'short']),
        size: z.number(),
        entry_bar: z.int(),
        exit_bar: z.int(),
        entry_price: z.number(),
        exit_price: z.number(),
        pnl: z.number(),
        commission: z.number(),
        return_pct: z.number(),
      }),
    ),
    equity: z.array(z.number()),
  }),
});

export type RulesCase = z.output<typeof rulesCaseSchema>;

/** Bar and side: 1 for long, -1 for short. */
const signals = z.array(z.tuple([z.int(), z.union([z.literal(1), z.literal(-1)])]));

/** Backtest of backtrader with signals by bar. */
export const signalsCaseSchema = z.object({
  id: z.string(),
  candles,
  account: z.object({ cash: z.number(), commission: z.number() }),
  settings: z.strictObject({
    units: z.number(),
    /** Parts of the signal's close: stop loss and take profit. */
    bracket: z.tuple([z.number(), z.number()]).optional(),
    stop_trail: z.number().optional(),
  }),
  signals: z.object({ entry: signals, exit: signals }),
  expected: z.object({
    final_value: z.number(),
    final_cash: z.number(),
    open_position: z.number(),
    max_drawdown_pct: z.number(),
    trades: z.array(
      z.object({
        side: z.enum(['long', 'short']),
        entry_bar: z.int(),
        exit_bar: z.int(),
        entry_price: z.number(),
        pnl_net: z.number(),
      }),
    ),
    orders: z.array(
      z.object({
        kind: z.string(),
        side: z.enum(['buy', 'sell']),
        status: z.string(),
        placed_bar: z.int(),
        bar: z.int().nullable(),
        size: z.number(),
        price: z.number().nullable(),
        commission: z.number(),
      }),
    ),
  }),
});

export type SignalsCase = z.output<typeof signalsCaseSchema>;

const barOf = (line: string): Bar => {
  const [time = '', open, high, low, close, volume] = line.split(',');
  return {
    start: Date.parse(time.includes('T') ? `${time}Z` : `${time}T00:00:00Z`),
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Number(volume),
  };
};

/** Reads a text file, which may be compressed. */
export const readText = (path: string): string => {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

/** Reads a file of candles; its local times count as UTC. */
const readCandles = (path: string): BarColumns =>
  columnsOf(readText(path).trimEnd().split('\n').slice(1).map(barOf));

/** Reads the candles of a case. */
export const candlesOf = (data: string, { file, slice }: z.output<typeof candles>): BarColumns => {
  const bars = readCandles(join(data, file));
  return slice ? sliceBars(bars, slice[0], slice[1]) : bars;
};

/** Returns the timeframe that the name of a file of candles tells; months, which there are none of, count as weeks. */
export const timeframeOf = (file: string): Timeframe =>
  TIMEFRAMES.find((timeframe) => new RegExp(`-${timeframe}[-.]`).test(file)) ?? '1w';
