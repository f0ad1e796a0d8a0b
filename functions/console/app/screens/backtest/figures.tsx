import type { BacktestStatistics, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { costsText } from '../../backtests/costs.ts';
import { format } from '../../format.ts';
import { StatisticFigure, StatisticValue } from '../../statistic-value.tsx';
import { STATISTIC_GROUPS, STATISTICS, type StatisticKey } from '../../statistics.ts';
import { DataTable } from '../../ui/data-table.tsx';

interface FiguresProps {
  /** Account with its costs. */
  readonly account: GetBacktestOutput['account'];
  readonly statistics: BacktestStatistics;
  readonly currency: string;
  readonly timeframe: string;
}

/** Figures that people look at first. */
const FIRST: readonly StatisticKey[] = [
  'total_return_pct',
  'cagr_pct',
  'buy_and_hold_pct',
  'max_drawdown_equity_pct',
  'sharpe_ratio',
  'win_rate_pct',
  'trades_count',
  'final_equity',
];

/** Statistics of a backtest: the important ones, and all of them with explanations. */
export const Figures = ({ account, statistics, currency, timeframe }: FiguresProps) => {
  const shown = (key: StatisticKey) => (
    <StatisticValue name={key} value={statistics[key]} currency={currency} timeframe={timeframe} />
  );
  return (
    <section class="card" aria-label="Statistics">
      <dl class="figures">
        {FIRST.map((key) => (
          <StatisticFigure key={key} name={key} value={statistics[key]} currency={currency} />
        ))}
      </dl>
      <p class="muted">{costsText(account, currency, format)}</p>
      <details>
        <summary>All statistics</summary>
        <div class="stack">
          {STATISTIC_GROUPS.map(({ title, keys }) => (
            <DataTable
              key={title}
              caption={title}
              showCaption
              rows={keys}
              rowKey={(key) => key}
              columns={[
                { head: 'Figure', isHead: true, cell: (key) => STATISTICS[key].label },
                { head: 'Value', isNumber: true, cell: shown },
                { head: 'Meaning', cell: (key) => STATISTICS[key].hint },
              ]}
            />
          ))}
        </div>
      </details>
    </section>
  );
};
