/**
 * Measures bars per CPU second of backtests with two indicators: compiling the rules, all fills, the equity curve and
 * the statistics included. Run by `npm run bench:backtest`.
 */
import { readOptions } from '../../infra/commands/read-options.ts';
import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { plainSettings } from '../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../shared/domain/engine/backtest/backtest.ts';
import type { BacktestInput } from '../../shared/domain/engine/backtest/run.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { randomBars } from '../support/random-bars.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';

const LEAST = 5_000_000;
const SIZES = [
  { timeframe: '1d', bars: 2_148, warmUps: 20, rounds: 101 },
  { timeframe: '1m', bars: 1_000_000, warmUps: 20, rounds: 9 },
] as const;

const sma = (length: number) => ({ indicator: 'sma', length });
const ema = (length: number) => ({ indicator: 'ema', length });
/** A fixed size keeps an account trading over all bars. */
const size = { type: 'units', units: 1 };

/** Rules with two indicators each. */
const RULES = {
  'sma cross, long and short': {
    reverse: true,
    entries: [
      { side: 'long', size, when: { left: sma(10), op: 'crosses_above', right: sma(30) } },
      { side: 'short', size, when: { left: sma(10), op: 'crosses_below', right: sma(30) } },
    ],
  },
  'ema cross with stop and target': {
    entries: [
      {
        side: 'long',
        size,
        when: { left: ema(12), op: 'crosses_above', right: ema(26) },
        stop_loss: { type: 'percent', percent: 5 },
        take_profit: { type: 'percent', percent: 10 },
      },
    ],
    exits: [{ side: 'long', when: { left: ema(12), op: 'crosses_below', right: ema(26) } }],
  },
  'rsi with a trend filter': {
    entries: [
      {
        side: 'long',
        size,
        when: {
          all: [
            { left: { price: 'close' }, op: 'gt', right: sma(200) },
            { left: { indicator: 'rsi', length: 14 }, op: 'crosses_below', right: 30 },
          ],
        },
      },
    ],
    exits: [{ side: 'long', when: { left: { indicator: 'rsi', length: 14 }, op: 'gt', right: 55 } }],
  },
} as const;

const inputOf = (json: object, timeframe: Timeframe): BacktestInput => {
  const resolved = resolveParams(rulesSchema.parse({ schema: 'hub.rules/1', ...json }));
  if (!('rules' in resolved)) throw new Error('the rules have parameters');
  return {
    rules: resolved.rules,
    timeframe,
    account: { ...plainSettings(1e9), commission_rate: 0.0001 },
    currency: 'USD',
    trading_days: 252,
    legs: [
      {
        symbol: 'BENCH',
        share: 1,
        time: marketTimeOf(calendarById('always')),
        size_step: 0.001,
        contract_size: 1,
        direction: 'both',
      },
    ],
  };
};

/** Returns random bars: of minutes, or of weekdays. */
const barsOf = ({ bars: count, timeframe }: (typeof SIZES)[number]): BarColumns => {
  const bars = randomBars(7, count, timeframe);
  if (timeframe === '1m') return bars;
  const start = bars.start.map((_, index) => Date.UTC(2004, 7, 16 + Math.floor(index / 5) * 7 + (index % 5)));
  return { ...bars, start };
};

const cpuSeconds = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const medianOf = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Rounds of small runs are measured together: the clock of CPU time is coarse. */
const RUNS_OF_SMALL = 20;

const measure = (
  input: BacktestInput,
  bars: BarColumns,
  { warmUps, rounds }: (typeof SIZES)[number],
): number => {
  const count = bars.start.length;
  for (let run = 0; run < warmUps; run += 1) runBacktest(input, [bars]);
  const runs = count > 100_000 ? 1 : RUNS_OF_SMALL;
  const seconds = Array.from({ length: rounds }, () =>
    cpuSeconds(() => {
      for (let run = 0; run < runs; run += 1) runBacktest(input, [bars]);
    }),
  );
  return (count * runs) / medianOf(seconds);
};

readOptions(
  `npm run bench:backtest

Measures bars per CPU second of backtests.`,
  {},
);

const failures: string[] = [];
const results: { rules: string; bars: number; trades: number; barsPerSecond: number }[] = [];
for (const one of SIZES) {
  const bars = barsOf(one);
  for (const [name, json] of Object.entries(RULES)) {
    progress(`${name}, ${one.bars.toLocaleString('en')} bars`);
    const input = inputOf(json, one.timeframe);
    const speed = measure(input, bars, one);
    const { trades_count: trades } = runBacktest(input, [bars]);
    results.push({ rules: name, bars: one.bars, trades, barsPerSecond: Math.round(speed) });
    if (!(speed >= LEAST)) {
      failures.push(`${name}, ${one.bars} bars: ${Math.round(speed)} bars per CPU second, below ${LEAST}`);
    }
  }
}
console.table(results);
await writeResult('backtest', { results, least: LEAST });
failWith(failures);
