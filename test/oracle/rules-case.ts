import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import { calendarById, UNKNOWN_CALENDAR } from '../../shared/domain/candles/calendar.ts';
import { tradingDaysOf } from '../../shared/domain/candles/trading-days.ts';
import { plainSettings } from '../../shared/domain/engine/account/settings.ts';
import { runBacktest } from '../../shared/domain/engine/backtest/backtest.ts';
import type { BacktestResult } from '../../shared/domain/engine/backtest/result.ts';
import type { BacktestInput } from '../../shared/domain/engine/backtest/run.ts';
import type { BacktestStatistics } from '../../shared/domain/engine/backtest/statistics.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { type RulesCase, timeframeOf } from './cases.ts';
import { Differences } from './compare.ts';

/** Weeks of the cases end with Friday. */
const time = marketTimeOf(calendarById(UNKNOWN_CALENDAR));

/** Returns the backtest that a case describes. */
const inputOf = ({ account, rules, candles }: RulesCase): BacktestInput => {
  const resolved = resolveParams(rules);
  if (!('rules' in resolved)) throw new Error('the rules of the case have parameters without values');
  const [fixed, rate] = typeof account.commission === 'number' ? [0, account.commission] : account.commission;
  return {
    rules: resolved.rules,
    timeframe: timeframeOf(candles.file),
    account: {
      ...plainSettings(account.cash),
      commission_fixed: fixed,
      commission_rate: rate,
      spread_rate: account.spread,
      margin: account.margin,
      fill_at: account.trade_on_close ? 'signal_close' : 'next_open',
      stop_basis: 'signal_close',
      entry_bar: 'next_bar',
      close_at_end: 'last_open',
    },
    currency: 'USD',
    legs: [
      {
        symbol: 'X',
        share: 1,
        time,
        size_step: account.fractional ?? 1,
        contract_size: 1,
        direction: 'both',
      },
    ],
    days: tradingDaysOf([UNKNOWN_CALENDAR]),
    curve: 'every_bar',
  };
};

/** Names of the compared statistics in the case and here. Falls are positive here. */
const STATISTICS: readonly (readonly [string, keyof BacktestStatistics, sign?: -1])[] = [
  ['Equity Final [$]', 'final_equity'],
  ['Equity Peak [$]', 'equity_peak'],
  ['Return [%]', 'total_return_pct'],
  ['Buy & Hold Return [%]', 'buy_and_hold_pct'],
  ['Max. Drawdown [%]', 'max_drawdown_equity_pct', -1],
  ['Exposure Time [%]', 'exposure_pct'],
  ['# Trades', 'trades_count'],
  ['Win Rate [%]', 'win_rate_pct'],
  ['Best Trade [%]', 'best_trade_pct'],
  ['Worst Trade [%]', 'worst_trade_pct'],
  ['Avg. Trade [%]', 'avg_trade_pct'],
  ['Expectancy [%]', 'expectancy_pct'],
  ['SQN', 'sqn'],
  ['Kelly Criterion', 'kelly'],
];

type Row = Record<
  'entry_bar' | 'exit_bar' | 'size' | 'entry_price' | 'exit_price' | 'pnl' | 'commission',
  number
> & {
  side: string;
};

const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (left, right) =>
      left.exit_bar - right.exit_bar || left.entry_bar - right.entry_bar || left.size - right.size,
  );

const compareTrades = (differences: Differences, result: BacktestResult, { expected }: RulesCase): void => {
  const actual = inOrder(
    result.trades.map((trade) => ({ ...trade, size: trade.quantity, commission: trade.fees })),
  );
  differences.same('trades', actual.length, expected.trades.length);
  for (const [index, want] of inOrder(expected.trades).entries()) {
    const have = actual[index];
    if (!have) return;
    const name = `trade ${index}`;
    differences.same(`${name} side`, have.side, want.side);
    differences.same(`${name} entry bar`, have.entry_bar, want.entry_bar);
    differences.same(`${name} exit bar`, have.exit_bar, want.exit_bar);
    for (const field of ['size', 'entry_price', 'exit_price'] as const) {
      differences.close(`${name} ${field}`, have[field], want[field], 1e-9);
    }
    for (const field of ['pnl', 'commission'] as const) {
      differences.close(`${name} ${field}`, have[field], want[field], 1e-6);
    }
  }
};

/** Runs a case of backtesting.py. Returns the differences. */
export const checkRulesCase = (test: RulesCase, bars: BarColumns): string[] => {
  const result = runBacktest(inputOf(test), [bars]);
  const differences = new Differences();
  const { expected } = test;
  differences.same('first evaluated bar', result.first_evaluated_index, expected.first_evaluated_bar);
  compareTrades(differences, result, test);
  differences.same('bars', result.equity.length, expected.equity.length);
  for (const [index, equity] of expected.equity.entries()) {
    differences.close(`equity of bar ${index}`, result.equity[index]?.equity, equity, 1e-6);
  }
  for (const [name, field, sign = 1] of STATISTICS) {
    const want = expected.statistics[name];
    const have = result.statistics?.[field];
    if (typeof want === 'string' || want === undefined || typeof have === 'string') continue;
    const figure = typeof have === 'number' ? have * sign : null;
    differences.close(name, figure, want, 1e-6);
  }
  return differences.list;
};
