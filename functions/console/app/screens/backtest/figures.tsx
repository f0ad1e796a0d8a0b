import type { BacktestStatistics } from '../../../../../infra/client/package/src/index.ts';
import { STATISTIC_GROUPS, STATISTICS, type StatisticKey, statisticText } from '../../statistics.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Figure, Shown } from '../../ui/figures.tsx';

interface FiguresProps {
  readonly statistics: BacktestStatistics;
  readonly currency: string;
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

const toneOf = (key: StatisticKey, value: unknown): 'gain' | 'loss' | undefined => {
  const { kind } = STATISTICS[key];
  if ((kind !== 'gain' && kind !== 'result') || typeof value !== 'number' || value === 0) return undefined;
  return value > 0 ? 'gain' : 'loss';
};

/** Statistics of a backtest: the important ones, and all of them with explanations. */
export const Figures = ({ statistics, currency }: FiguresProps) => {
  const shown = (key: StatisticKey) => (
    <Shown text={statisticText(key, statistics[key], currency)} tone={toneOf(key, statistics[key])} />
  );
  return (
    <section class="card" aria-label="Statistics">
      <dl class="figures">
        {FIRST.map((key) => (
          <Figure key={key} label={STATISTICS[key].label} value={shown(key)} hint={STATISTICS[key].hint} />
        ))}
      </dl>
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
