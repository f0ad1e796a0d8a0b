import { type BarColumns, columnsOf } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../shared/domain/candles/trading-days.ts';
import { type AccountSettings, plainSettings } from '../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../shared/domain/engine/backtest/backtest.ts';
import type { BacktestResult } from '../../shared/domain/engine/backtest/result.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { plainRules } from './rules.ts';

/** Open, high, low, close; a number is a bar without a range. */
export type Prices = number | readonly [number, number, number, number];

const DAY_MS = 86_400_000;
/** A Monday. */
const START = Date.UTC(2024, 0, 1);

/** Returns bars of prices, one a day from a Monday on unless told otherwise. */
export const barsAt = (
  prices: readonly Prices[],
  startOf: (index: number) => number = (index) => START + index * DAY_MS,
): BarColumns =>
  columnsOf(
    prices.map((row, index) => {
      const [open, high, low, close] = typeof row === 'number' ? [row, row, row, row] : row;
      return { start: startOf(index), open, high, low, close, volume: 100 };
    }),
  );

interface Options {
  readonly account?: Partial<AccountSettings>;
  readonly timeframe?: Timeframe;
  readonly calendar?: string;
  readonly curve?: 'thinned' | 'every_bar';
}

/** Runs rules over bars of symbols with equal shares of the capital, with 10,000 and whole units. */
export const symbolsBacktest = (
  rules: object,
  symbols: Readonly<Record<string, BarColumns>>,
  { account, timeframe = '1d', calendar = 'always', curve = 'every_bar' }: Options = {},
): BacktestResult => {
  const { size_step, contract_size, direction, swap, ...terms } = { ...plainSettings(10_000), ...account };
  return runBacktest(
    {
      rules: plainRules({ schema: 'hub.rules/1', ...rules }),
      timeframe,
      account: terms,
      currency: 'USD',
      days: tradingDaysOf([calendar]),
      curve,
      legs: Object.keys(symbols).map((symbol, _, { length }) => ({
        symbol,
        share: 1 / length,
        time: marketTimeOf(calendarById(calendar)),
        size_step,
        contract_size,
        direction,
        ...(swap && { swap }),
      })),
    },
    Object.values(symbols),
  );
};

/** Runs rules over bars of one symbol, with 10,000 and whole units. */
export const smallBacktest = (rules: object, bars: BarColumns, options?: Options): BacktestResult =>
  symbolsBacktest(rules, { X: bars }, options);

/** Condition that holds at a close of a price. */
export const closeIs = (price: number) => ({
  all: [
    { left: { price: 'close' }, op: 'gte', right: price },
    { left: { price: 'close' }, op: 'lte', right: price },
  ],
});
