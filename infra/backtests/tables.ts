import { shownNumbers } from '../../shared/domain/digits.ts';
import type { BacktestReport, ReportTrade } from '../../shared/domain/engine/backtest/report.ts';

type Statistics = NonNullable<BacktestReport['statistics']>;
type Row = readonly [label: string, value: string];

const DAY_S = 86_400;
const UNDEFINED = '–';

const number = (value: number | null, digits = 2): string =>
  value === null
    ? UNDEFINED
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = (value: number | null): string => (value === null ? UNDEFINED : `${number(value)} %`);
const whole = (value: number): string => number(value, 0);
const days = (seconds: number | null): string =>
  seconds === null ? UNDEFINED : `${number(seconds / DAY_S, 1)} days`;

const sections = (statistics: Statistics, benchmarkDrawdown: number): readonly (readonly Row[])[] => {
  const s = statistics;
  return [
    [
      ['Final equity', number(s.final_equity)],
      ['Highest equity', number(s.equity_peak)],
      ['Total return', percent(s.total_return_pct)],
      ['Buy and hold', percent(s.buy_and_hold_pct)],
      ['Return per year', percent(s.cagr_pct)],
      ['Time in the market', percent(s.exposure_pct)],
      ['Fees', number(s.fees)],
    ],
    [
      ['Largest drawdown', percent(s.max_drawdown_equity_pct)],
      ['Largest drawdown of buy and hold', percent(benchmarkDrawdown)],
      ['Mean drawdown', percent(s.avg_drawdown_pct)],
      ['Longest drawdown', days(s.max_drawdown_s)],
      ['Largest drawdown of closed trades', percent(s.max_drawdown_pct)],
      ['Largest fall of closed trades', number(s.max_drawdown_abs)],
      ['Volatility per year', percent(s.volatility_pct)],
      ['Sharpe ratio', number(s.sharpe_ratio)],
      ['Sortino ratio', number(s.sortino_ratio)],
      ['Calmar ratio', number(s.calmar_ratio)],
      ['Recovery factor', number(s.recovery_factor)],
    ],
    [
      ['Closed trades', whole(s.trades_count)],
      ['Wins, losses, without result', [s.wins, s.losses, s.breakeven].map(whole).join(', ')],
      ['Win rate', percent(s.win_rate_pct)],
      ['Profit factor', number(s.profit_factor)],
      ['Payoff ratio', number(s.payoff_ratio)],
      ['Expectancy per trade', number(s.expectancy)],
      ['Expectancy per loss', number(s.expectancy_ratio)],
      ['Mean win', number(s.avg_win)],
      ['Mean loss', number(s.avg_loss)],
      ['Largest win', number(s.largest_win)],
      ['Largest loss', number(s.largest_loss)],
      ['Most wins in a row', whole(s.max_consecutive_wins)],
      ['Most losses in a row', whole(s.max_consecutive_losses)],
      ['Best trade', percent(s.best_trade_pct)],
      ['Worst trade', percent(s.worst_trade_pct)],
      ['Mean trade, geometric', percent(s.avg_trade_pct)],
      ['Mean trade, arithmetic', percent(s.expectancy_pct)],
      ['Mean duration of a trade', days(s.avg_duration_s)],
      ['Bars decided against the trader', whole(s.ambiguous_bars)],
      ['System quality number', number(s.sqn)],
      ['Kelly criterion', number(s.kelly)],
    ],
  ];
};

/** Returns the statistics as a table of two columns, in three sections. */
export const statisticsTable = (statistics: Statistics, benchmarkDrawdown: number): string => {
  const all = sections(statistics, benchmarkDrawdown);
  const labels = Math.max(...all.flat().map(([label]) => label.length));
  const values = Math.max(...all.flat().map(([, value]) => value.length));
  return all
    .map((rows) =>
      rows.map(([label, value]) => `${label.padEnd(labels)}  ${value.padStart(values)}`).join('\n'),
    )
    .join('\n\n');
};

const TRADE_FIELDS = [
  'number',
  'symbol',
  'side',
  'quantity',
  'entry_at',
  'entry_price',
  'exit_at',
  'exit_price',
  'exit_reason',
  'pnl',
  'fees',
  'return_pct',
  'bars',
] as const satisfies readonly (keyof ReportTrade)[];

/** Returns trades as CSV. No value holds a comma or a quote. */
export const tradesCsv = (trades: readonly ReportTrade[]): string =>
  [TRADE_FIELDS, ...trades.map((trade) => TRADE_FIELDS.map((field) => shownNumbers(trade[field])))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
