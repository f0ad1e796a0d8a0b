import fc from 'fast-check';
import {
  type BarColumns,
  barCount,
  concatBars,
  firstBarFrom,
  sliceBars,
} from '../../../../shared/domain/candles/bars.ts';
import { advanceBacktest } from '../../../../shared/domain/engine/backtest/advance.ts';
import { runBacktest } from '../../../../shared/domain/engine/backtest/backtest.ts';
import { finishBacktest } from '../../../../shared/domain/engine/backtest/result.ts';
import {
  type BacktestTrade,
  startBacktest,
  takeTrades,
} from '../../../../shared/domain/engine/backtest/run.ts';
import { restoreBacktest, saveBacktest } from '../../../../shared/domain/engine/backtest/saved-run.ts';
import { randomBacktests, tradingBacktest } from '../../../support/random-backtests.ts';
import { randomBars } from '../../../support/random-bars.ts';
import { soakable } from '../../../support/soak.ts';

const numRuns = soakable(25, 500);

/** Returns other bars after those given. */
const othersAfter = (bars: BarColumns, seed: number): BarColumns => {
  const others = randomBars(seed, 60);
  const end = bars.start.at(-1) ?? 0;
  const shift = end + 3_600_000 - (others.start[0] ?? 0);
  return { ...others, start: others.start.map((start) => start + shift) };
};

test('later bars never change an earlier result', () => {
  fc.assert(
    fc.property(
      randomBacktests(1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(),
      (test, part, seed) => {
        const [bars] = test.bars;
        if (!bars) throw new Error('there is no leg');
        const cut = Math.max(1, Math.floor(part * barCount(bars)));
        const early = sliceBars(bars, 0, cut);
        const one = runBacktest(test.input, [concatBars([early, othersAfter(early, seed)])]);
        const other = runBacktest(test.input, [concatBars([early, othersAfter(early, seed + 1)])]);
        const last = bars.start[cut - 1] ?? 0;
        const before = ({ equity, trades }: typeof one) => ({
          equity: equity.filter(({ at }) => at <= last),
          trades: trades.filter(({ exit_at }) => exit_at < last),
        });
        expect(before(one)).toEqual(before(other));
      },
    ),
    { numRuns },
  );
});

/** Cuts the bars of all legs at the same times. */
const cutAt = (bars: readonly BarColumns[], times: readonly number[]): BarColumns[][] => {
  const bounds = [
    Number.NEGATIVE_INFINITY,
    ...times.toSorted((left, right) => left - right),
    Number.POSITIVE_INFINITY,
  ];
  return bounds
    .slice(1)
    .map((end, index) =>
      bars.map((leg) => sliceBars(leg, firstBarFrom(leg, bounds[index] ?? 0), firstBarFrom(leg, end))),
    );
};

test.each([1, 3])(
  'a backtest of %d symbols is the same in slices, saved and restored between them',
  (legs) => {
    fc.assert(
      fc.property(
        randomBacktests(legs, 200),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
        ({ input, bars }, parts) => {
          const whole = runBacktest(input, bars);
          const times = bars.flatMap(({ start }) =>
            parts.map((part) => start[Math.floor(part * start.length)] ?? 0),
          );
          const trades: BacktestTrade[] = [];
          let run = startBacktest(input);
          for (const slices of cutAt(bars, times)) {
            advanceBacktest(run, slices);
            trades.push(...takeTrades(run));
            run = restoreBacktest(input, saveBacktest(run));
          }
          const result = finishBacktest(run);
          const sliced = { ...result, trades: [...trades, ...result.trades] };
          expect(JSON.stringify(sliced)).toBe(JSON.stringify(whole));
        },
      ),
      { numRuns },
    );
  },
);

test('trades beyond a limit are counted and not kept', () => {
  fc.assert(
    fc.property(randomBacktests(2, 150), fc.nat({ max: 5 }), ({ input, bars }, most) => {
      const { trades, ...figures } = runBacktest(input, bars);
      const { trades: kept, ...limited } = runBacktest({ ...input, most_trades: most }, bars);
      expect(kept).toEqual(trades.slice(0, most));
      expect(limited).toEqual(figures);
    }),
    { numRuns },
  );
});

test('each of several symbols trades as it would alone with its share of the capital', () => {
  fc.assert(
    fc.property(randomBacktests(3, 150), ({ input, bars }) => {
      const together = runBacktest(input, bars);
      for (const [index, leg] of input.legs.entries()) {
        const own = bars[index];
        if (!own) throw new Error('the leg has no bars');
        const account = { ...input.account, starting_capital: input.account.starting_capital * leg.share };
        const alone = runBacktest({ ...input, account, legs: [{ ...leg, share: 1 }] }, [own]);
        const ofLeg = together.trades.filter(({ symbol }) => symbol === leg.symbol);
        const unnumbered = (trades: readonly BacktestTrade[]) =>
          trades.map(({ number: _, ...trade }) => trade);
        expect(unnumbered(ofLeg)).toEqual(unnumbered(alone.trades));
      }
    }),
    { numRuns: soakable(10, 200) },
  );
});

test('cash, fees and results of random backtests add up', () => {
  let trades = 0;
  fc.assert(
    fc.property(randomBacktests(1), ({ input, bars }) => {
      const result = runBacktest(input, bars);
      trades += result.trades.length;
      if (result.ruined || result.statistics === null) return;
      const closed = result.trades.reduce((sum, { pnl }) => sum + pnl, 0);
      const open = result.open_trades.reduce((sum, { pnl }) => sum + pnl, 0);
      const { starting_capital: start } = input.account;
      const equity = result.statistics.final_equity;
      expect(Math.abs(start + closed + open - equity)).toBeLessThan(1e-7 * Math.max(start, equity));
    }),
    { numRuns, examples: [[tradingBacktest()]] },
  );
  expect(trades).toBeGreaterThan(0);
});

test('excursions of trades are those of the bars that they were held through', () => {
  let checked = 0;
  fc.assert(
    fc.property(randomBacktests(1), ({ input, bars: [bars] }) => {
      if (!bars) throw new Error('there is no leg');
      const result = runBacktest(input, [bars]);
      const first = bars.start.indexOf(result.first_bar ?? Number.NaN);
      for (const trade of result.trades) {
        const { side, entry_price: entry, exit_price: exit } = trade;
        const worst = side === 'long' ? bars.low : bars.high;
        const best = side === 'long' ? bars.high : bars.low;
        const moved = (price: number): number =>
          ((price - entry) / Math.abs(entry)) * (side === 'long' ? 100 : -100);
        // The bars of the entry and of the exit may be held in part.
        const [from, to] = [first + trade.entry_bar, first + trade.exit_bar];
        const held = (columns: BarColumns['low'], begin: number, end: number): number[] =>
          Array.from(columns.slice(Math.max(0, begin), end)).map(moved);
        const ends = [0, moved(exit)];
        const inner = { worst: held(worst, from + 1, to), best: held(best, from + 1, to) };
        // The end of the data closes a trade after the last bar was seen, at a price before it.
        const last = trade.exit_reason === 'end_of_data' ? barCount(bars) : to + 1;
        const outer = { worst: held(worst, from, last), best: held(best, from, last) };
        const near = (value: number): number => value * (1 + 1e-9) + 1e-9;
        expect(trade.mae_pct).toBeLessThanOrEqual(near(-Math.min(...ends, ...outer.worst)));
        expect(near(trade.mae_pct)).toBeGreaterThanOrEqual(-Math.min(...ends, ...inner.worst));
        expect(trade.mfe_pct).toBeLessThanOrEqual(near(Math.max(...ends, ...outer.best)));
        expect(near(trade.mfe_pct)).toBeGreaterThanOrEqual(Math.max(...ends, ...inner.best));
        checked += 1;
      }
    }),
    { numRuns },
  );
  expect(checked).toBeGreaterThan(0);
});
