/**
 * Measures bars per CPU second of backtests with two indicators: compiling the rules, all fills, the equity curve and
 * the statistics included. Compares the first rules with a loop written by hand for them. Run by
 * `npm run bench:backtest`.
 */
import { isDeepStrictEqual } from 'node:util';
import { readOptions } from '../../infra/commands/read-options.ts';
import { type BarColumns, concatBars } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../shared/domain/engine/backtest/backtest.ts';
import type { BacktestResult } from '../../shared/domain/engine/backtest/result.ts';
import type { BacktestInput } from '../../shared/domain/engine/backtest/run.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { randomBars } from '../support/random-bars.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';
import { type HandResult, type HandTrade, smaCrossByHand } from './sma-cross.ts';
import { median, medianRatio, rangeOfRatios, rounded } from './statistics.ts';

/**
 * Sizes of backtests. Small ones are measured in several runs together, as the clock of CPU time is coarse. `most` is
 * the largest ratio of the engine's time to that of the loop by hand.
 */
const SIZES = [
  { timeframe: '1d', bars: 2_148, warmUps: 20, rounds: 101, runs: 20, most: 8 },
  { timeframe: '1m', bars: 1_000_000, warmUps: 20, rounds: 9, runs: 1, most: 4 },
] as const;
type Size = (typeof SIZES)[number];

const CAPITAL = 1e9;
const COMMISSION_RATE = 0.0001;

const sma = (length: number) => ({ indicator: 'sma', length });
const ema = (length: number) => ({ indicator: 'ema', length });
/** A fixed size keeps an account trading over all bars. */
const size = { type: 'units', units: 1 };

/** Rules that {@link smaCrossByHand} has, too. */
const SMA_CROSS = {
  reverse: true,
  entries: [
    { side: 'long', size, when: { left: sma(10), op: 'crosses_above', right: sma(30) } },
    { side: 'short', size, when: { left: sma(10), op: 'crosses_below', right: sma(30) } },
  ],
};

/** Rules with two indicators each. */
const RULES = {
  'sma cross, long and short': SMA_CROSS,
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
    account: { ...plainSettings(CAPITAL), commission_rate: COMMISSION_RATE },
    currency: 'USD',
    days: tradingDaysOf(['always']),
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

const MINUTE_MS = 60_000;
/** Bars after which the prices begin again: those of a long random walk leave all bounds. */
const STRETCH = 2_000;

/** Returns random bars of minutes, in stretches of {@link STRETCH}. */
const minutes = (count: number): BarColumns => {
  let next = Date.UTC(2020, 0, 1);
  const stretches = Array.from({ length: count / STRETCH }, (_, index) => {
    const bars = randomBars(7 + index, STRETCH, '1m');
    const shift = next - (bars.start[0] ?? 0);
    next = (bars.start.at(-1) ?? 0) + shift + MINUTE_MS;
    return { ...bars, start: bars.start.map((start) => start + shift) };
  });
  return concatBars(stretches);
};

/** Returns random bars: of minutes, or of weekdays. */
const barsOf = ({ bars: count, timeframe }: Size): BarColumns => {
  if (timeframe === '1m') return minutes(count);
  const bars = randomBars(7, count, timeframe);
  const start = bars.start.map((_, index) => Date.UTC(2004, 7, 16 + Math.floor(index / 5) * 7 + (index % 5)));
  return { ...bars, start };
};

const byHand = (bars: BarColumns): HandResult => smaCrossByHand(bars, CAPITAL, COMMISSION_RATE);

const cpuSeconds = (runs: number, run: () => void): number => {
  const before = process.cpuUsage();
  for (let count = 0; count < runs; count += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** Runs of the loop by hand for each run of the engine, so that both take long enough to be measured. */
const HAND_RUNS = 8;

/** Measures the engine and the loop by hand in turns. Returns their CPU seconds for one run, by round. */
const measure = (input: BacktestInput, bars: BarColumns, { warmUps, rounds, runs }: Size) => {
  const engine: number[] = [];
  const hand: number[] = [];
  for (let run = 0; run < warmUps; run += 1) {
    runBacktest(input, [bars]);
    byHand(bars);
  }
  for (let round = 0; round < rounds; round += 1) {
    engine.push(cpuSeconds(runs, () => runBacktest(input, [bars])) / runs);
    hand.push(cpuSeconds(HAND_RUNS * runs, () => byHand(bars)) / (HAND_RUNS * runs));
  }
  return { engine, hand };
};

/** Returns the trades of the engine with the fields of the loop by hand. */
const tradesOf = ({ trades }: BacktestResult) =>
  trades.map(
    ({ side, entry_bar, entry_at, entry_price, exit_bar, exit_at, exit_price, fees, pnl }): HandTrade => ({
      side,
      entry_bar,
      entry_at,
      entry_price,
      exit_bar,
      exit_at,
      exit_price,
      fees,
      pnl,
    }),
  );

/** Returns what differs between the results of the engine and of the loop by hand. */
const differences = (result: BacktestResult, hand: HandResult): string[] => [
  ...(isDeepStrictEqual(tradesOf(result), hand.trades) ? [] : ['the trades differ']),
  ...(result.equity.at(-1)?.equity === hand.equity.at(-1) ? [] : ['the final equity differs']),
  ...(result.drawdowns[0]?.depth_pct === 100 * hand.maxDrawdown ? [] : ['the deepest drawdown differs']),
];

readOptions(
  `npm run bench:backtest

Measures bars per CPU second of backtests, and compares one with a loop written by hand.`,
  {},
);

const failures: string[] = [];
const results: object[] = [];
for (const one of SIZES) {
  const bars = barsOf(one);
  for (const [name, json] of Object.entries(RULES)) {
    const about = `${name}, ${one.bars.toLocaleString('en')} bars`;
    progress(about);
    const input = inputOf(json, one.timeframe);
    const { engine, hand } = measure(input, bars, one);
    const result = runBacktest(input, [bars]);
    const figures = {
      rules: name,
      bars: one.bars,
      trades: result.trades_count,
      barsPerSecond: Math.round(one.bars / median(engine)),
    };
    if (json !== SMA_CROSS) {
      results.push(figures);
      continue;
    }
    const ratio = medianRatio(engine, hand);
    results.push({
      ...figures,
      byHandPerSecond: Math.round(one.bars / median(hand)),
      ratio: rounded(ratio, 2),
      range: rangeOfRatios(engine, hand),
      most: one.most,
    });
    failures.push(...differences(result, byHand(bars)).map((difference) => `${about}: ${difference}`));
    if (!(ratio <= one.most)) {
      failures.push(`${about}: ${rounded(ratio, 2)} times the time of the loop by hand, above ${one.most}`);
    }
  }
}
console.table(results);
await writeResult('backtest', { results });
failWith(failures);
