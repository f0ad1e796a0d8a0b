import { type Amount, NONE } from './format/values.ts';
import { format } from './format.ts';

/** Figure of a backtest, in words for traders. */
interface Statistic {
  readonly label: string;
  readonly hint: string;
  readonly kind:
    | 'percent'
    | 'gain'
    | 'money'
    | 'result'
    | 'ratio'
    | 'fraction'
    | 'count'
    | 'duration'
    | 'time'
    | 'answer';
  /** Direction of better values, if there is one. */
  readonly better?: 'more' | 'less';
}

/** Names and explanations of the figures of a backtest. */
export const STATISTICS = {
  total_return_pct: {
    label: 'Total return',
    hint: 'Gain or loss of the whole period, in percent of the starting capital.',
    kind: 'gain',
    better: 'more',
  },
  cagr_pct: {
    label: 'Return per year',
    hint: 'Steady yearly growth that would give the same total return.',
    kind: 'gain',
    better: 'more',
  },
  buy_and_hold_pct: {
    label: 'Buy and hold',
    hint: 'Return of buying as the first evaluated bar begins, and holding to the end.',
    kind: 'gain',
  },
  final_equity: {
    label: 'Final equity',
    hint: 'Value of the account at the end.',
    kind: 'money',
    better: 'more',
  },
  equity_peak: {
    label: 'Highest equity',
    hint: 'Highest value that the account had.',
    kind: 'money',
    better: 'more',
  },
  max_drawdown_equity_pct: {
    label: 'Deepest drawdown',
    hint: 'Largest fall of the account from a high, at the close of a bar.',
    kind: 'percent',
    better: 'less',
  },
  avg_drawdown_pct: {
    label: 'Average drawdown',
    hint: 'Mean of the deepest points of all falls from a high.',
    kind: 'percent',
    better: 'less',
  },
  max_drawdown_s: {
    label: 'Longest drawdown',
    hint: 'Longest time until an earlier high was reached again.',
    kind: 'duration',
    better: 'less',
  },
  max_drawdown_pct: {
    label: 'Drawdown of closed trades',
    hint: 'Largest fall from a high, counting closed trades only.',
    kind: 'percent',
    better: 'less',
  },
  max_drawdown_abs: {
    label: 'Drawdown of closed trades, amount',
    hint: 'Largest fall from a high in money, counting closed trades only.',
    kind: 'money',
    better: 'less',
  },
  volatility_pct: {
    label: 'Volatility per year',
    hint: 'How much returns vary from one trading day to the next, for a year of 252, 260 or 365 of them.',
    kind: 'percent',
    better: 'less',
  },
  sharpe_ratio: {
    label: 'Sharpe ratio',
    hint: 'Return for each unit of risk, for a year. Above 1 is good; above 3 is rarely real.',
    kind: 'ratio',
    better: 'more',
  },
  sortino_ratio: {
    label: 'Sortino ratio',
    hint: 'As the Sharpe ratio, but only losing days count as risk.',
    kind: 'ratio',
    better: 'more',
  },
  calmar_ratio: {
    label: 'Calmar ratio',
    hint: 'Return per year divided by the deepest drawdown.',
    kind: 'ratio',
    better: 'more',
  },
  recovery_factor: {
    label: 'Recovery factor',
    hint: 'Net profit divided by the drawdown of closed trades.',
    kind: 'ratio',
    better: 'more',
  },
  exposure_pct: {
    label: 'Time in the market',
    hint: 'Share of bars with an open trade.',
    kind: 'percent',
  },
  ambiguous_bars: {
    label: 'Bars decided against you',
    hint: 'Bars that did not tell which price came first.',
    kind: 'count',
  },
  resolved_bars: {
    label: 'Bars decided by smaller bars',
    hint: 'Bars that did not tell which price came first, while their smaller bars did.',
    kind: 'count',
  },
  trades_count: { label: 'Closed trades', hint: 'Fewer than 30 say little about the future.', kind: 'count' },
  win_rate_pct: {
    label: 'Win rate',
    hint: 'Share of closed trades with a profit.',
    kind: 'percent',
    better: 'more',
  },
  wins: { label: 'Winning trades', hint: 'Closed trades with a profit.', kind: 'count' },
  losses: { label: 'Losing trades', hint: 'Closed trades with a loss.', kind: 'count' },
  breakeven: { label: 'Trades at zero', hint: 'Closed trades without profit or loss.', kind: 'count' },
  profit_factor: {
    label: 'Profit factor',
    hint: 'All profits divided by all losses. Above 1 makes money.',
    kind: 'ratio',
    better: 'more',
  },
  payoff_ratio: {
    label: 'Average win to average loss',
    hint: 'Size of the average win divided by that of the average loss.',
    kind: 'ratio',
    better: 'more',
  },
  expectancy: {
    label: 'Average result of a trade',
    hint: 'Mean profit or loss of closed trades, after costs.',
    kind: 'result',
    better: 'more',
  },
  expectancy_pct: {
    label: 'Average return of a trade',
    hint: 'Mean return of closed trades, in percent of their value at the entry.',
    kind: 'gain',
    better: 'more',
  },
  avg_trade_pct: {
    label: 'Average return, compounded',
    hint: 'Geometric mean of the returns of closed trades.',
    kind: 'gain',
    better: 'more',
  },
  expectancy_ratio: {
    label: 'Result per unit at risk',
    hint: 'Average result of a trade for each unit of the average loss.',
    kind: 'ratio',
    better: 'more',
  },
  avg_win: { label: 'Average win', hint: 'Mean profit of winning trades.', kind: 'result', better: 'more' },
  avg_loss: { label: 'Average loss', hint: 'Mean loss of losing trades.', kind: 'result', better: 'more' },
  largest_win: { label: 'Largest win', hint: 'Largest profit of a trade.', kind: 'result', better: 'more' },
  largest_loss: { label: 'Largest loss', hint: 'Largest loss of a trade.', kind: 'result', better: 'more' },
  best_trade_pct: { label: 'Best trade', hint: 'Highest return of a trade.', kind: 'gain', better: 'more' },
  worst_trade_pct: { label: 'Worst trade', hint: 'Lowest return of a trade.', kind: 'gain', better: 'more' },
  max_consecutive_wins: {
    label: 'Wins in a row',
    hint: 'Longest run of winning trades.',
    kind: 'count',
    better: 'more',
  },
  max_consecutive_losses: {
    label: 'Losses in a row',
    hint: 'Longest run of losing trades.',
    kind: 'count',
    better: 'less',
  },
  avg_duration_s: {
    label: 'Average length of a trade',
    hint: 'Mean time from entry to exit.',
    kind: 'duration',
  },
  sqn: {
    label: 'System quality number',
    hint: 'Average result of a trade against its scatter, times the root of the number of trades. Above 2 is good.',
    kind: 'ratio',
    better: 'more',
  },
  kelly: {
    label: 'Kelly fraction',
    hint: 'Part of the capital that would grow it fastest by these trades. Most people use far less.',
    kind: 'fraction',
    better: 'more',
  },
  fees: { label: 'Fees', hint: 'Commissions of all trades.', kind: 'money', better: 'less' },
  sample_sufficient: { label: 'Enough trades', hint: 'At least 30 closed trades.', kind: 'answer' },
  period_start: { label: 'From', hint: 'Start of the period of these figures.', kind: 'time' },
  period_end: { label: 'To', hint: 'End of the period of these figures.', kind: 'time' },
} as const satisfies Readonly<Record<string, Statistic>>;

/** Key of a figure of `/get_backtest`. */
export type StatisticKey = keyof typeof STATISTICS;

/** Figures by subject, most important first. */
export const STATISTIC_GROUPS: readonly { readonly title: string; readonly keys: readonly StatisticKey[] }[] =
  [
    {
      title: 'Return',
      keys: ['total_return_pct', 'cagr_pct', 'buy_and_hold_pct', 'final_equity', 'equity_peak', 'fees'],
    },
    {
      title: 'Risk',
      keys: [
        'max_drawdown_equity_pct',
        'avg_drawdown_pct',
        'max_drawdown_s',
        'max_drawdown_pct',
        'max_drawdown_abs',
        'volatility_pct',
        'sharpe_ratio',
        'sortino_ratio',
        'calmar_ratio',
        'recovery_factor',
      ],
    },
    {
      title: 'Trades',
      keys: [
        'trades_count',
        'win_rate_pct',
        'wins',
        'losses',
        'breakeven',
        'profit_factor',
        'payoff_ratio',
        'expectancy',
        'expectancy_pct',
        'avg_trade_pct',
        'expectancy_ratio',
        'avg_win',
        'avg_loss',
        'largest_win',
        'largest_loss',
        'best_trade_pct',
        'worst_trade_pct',
        'max_consecutive_wins',
        'max_consecutive_losses',
        'avg_duration_s',
        'ambiguous_bars',
        'resolved_bars',
        'sqn',
        'kelly',
      ],
    },
    { title: 'Period', keys: ['period_start', 'period_end', 'exposure_pct', 'sample_sufficient'] },
  ];

const numberText = (kind: Statistic['kind'], value: Amount, currency: string): string => {
  switch (kind) {
    case 'percent':
      return format.percent(value);
    case 'gain':
      return format.percent(value, { signed: true });
    case 'money':
      return format.money(value, currency);
    case 'result':
      return format.money(value, currency, { signed: true });
    case 'count':
      return format.count(value);
    case 'duration':
      return format.duration(value);
    case 'fraction':
      return format.percent(typeof value === 'number' ? value * 100 : value);
    default:
      return format.ratio(value);
  }
};

/**
 * Writes a figure for the user.
 *
 * @param timeframe length of a bar, which decides whether times have an hour.
 */
export const statisticText = (
  key: StatisticKey,
  value: number | string | boolean | null | undefined,
  currency: string,
  timeframe = '1d',
): string => {
  const { kind } = STATISTICS[key];
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return kind === 'time' ? format.bar(value, timeframe).text : NONE;
  return numberText(kind, value, currency);
};

/** Returns the places of the best values of a figure; none if all are equal or there is no better and worse. */
export const bestOf = (
  key: StatisticKey,
  values: readonly (number | null | undefined)[],
): ReadonlySet<number> => {
  const { better }: Statistic = STATISTICS[key];
  const numbers = values.filter(
    (value): value is number => typeof value === 'number' && Number.isFinite(value),
  );
  if (better === undefined || new Set(numbers).size < 2) return new Set();
  const best = better === 'more' ? Math.max(...numbers) : Math.min(...numbers);
  return new Set(values.flatMap((value, index) => (value === best ? [index] : [])));
};
