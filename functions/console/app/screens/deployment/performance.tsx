import { useState } from 'preact/hooks';
import type { GetDeploymentPerformanceOutput } from '../../../../../infra/client/package/src/index.ts';
import { EquityChart } from '../../charts/equity-chart.tsx';
import { loadResults, type Results, type Traded } from '../../deployments/load-results.ts';
import { useEquity } from '../../deployments/use-equity.ts';
import { format } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { BarTime, Count, Figure, Money, Month, Percent } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useResource } from '../../ui/use-resource.ts';

type Performance = GetDeploymentPerformanceOutput;

const PERIODS = [
  { key: 'by_day', label: 'By day', name: 'Day' },
  { key: 'by_week', label: 'By week', name: 'Week from' },
  { key: 'by_month', label: 'By month', name: 'Month' },
] as const;

/** Marks of open positions make no events. */
const MARKS_MS = 15_000;

const PERIODS_A_PAGE = 15;

const Periods = ({ of: { pnl, currency } }: { of: Performance }) => {
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>(PERIODS[0]);
  const [page, setPage] = useState(1);
  const rows = pnl[period.key].toReversed();
  const pages = Math.ceil(rows.length / PERIODS_A_PAGE);
  return (
    <section class="stack">
      <h2>Closed results by time</h2>
      <Tabs
        label="Length of time"
        items={PERIODS.map(({ key, label }) => ({ key, label }))}
        current={period.key}
        onChoose={(key) => {
          setPeriod(PERIODS.find((one) => one.key === key) ?? PERIODS[0]);
          setPage(1);
        }}
      />
      {rows.length === 0 ? (
        <p class="muted">There is no result yet. It comes with the first closed day or trade.</p>
      ) : (
        <>
          <DataTable
            caption={`Closed results after fees, ${period.label.toLowerCase()}`}
            rows={rows.slice((page - 1) * PERIODS_A_PAGE, page * PERIODS_A_PAGE)}
            rowKey={(row) => row.period}
            columns={[
              {
                head: period.name,
                isHead: true,
                cell: (row) =>
                  period.key === 'by_month' ? (
                    <Month month={row.period} />
                  ) : (
                    <BarTime at={row.period} timeframe="1d" />
                  ),
              },
              {
                head: 'Closed result after fees',
                isNumber: true,
                cell: (row) => <Money value={row.pnl} currency={currency} signed />,
              },
              { head: 'Closed trades', isNumber: true, cell: (row) => <Count value={row.trades} /> },
            ]}
          />
          <Pager page={page} pages={pages} onPage={setPage} label="Pages of results" />
        </>
      )}
    </section>
  );
};

const Content = ({ of: results, timeframe }: { of: Results; timeframe: string }) => {
  const { performance } = results;
  const { metrics, currency } = performance;
  const points = useEquity(results, timeframe);
  return (
    <>
      <EquityChart
        label="Equity and falls from its peak"
        points={points}
        currency={currency}
        timeframe={timeframe}
      />
      <dl class="figures card">
        <Figure
          label="Largest fall"
          value={<Percent value={metrics.max_drawdown_equity_pct} />}
          hint="of equity at the ends of days, from a peak"
        />
        <Figure label="Winning trades" value={<Percent value={metrics.win_rate_pct} />} />
        <Figure
          label="Profit factor"
          value={format.ratio(metrics.profit_factor)}
          hint="profits over losses"
        />
        <Figure
          label="Sharpe ratio"
          value={format.ratio(metrics.sharpe_ratio)}
          hint="return over its ups and downs"
        />
      </dl>
      <Periods of={performance} />
    </>
  );
};

/** Equity, drawdown and results by time of a live or paper deployment. */
export const PerformanceView = ({ of: traded }: { of: Traded }) => {
  const { id, timeframe } = traded;
  const performance = useResource((signal) => loadResults(traded, signal), [id], {
    everyMs: MARKS_MS,
    on: ({ deployment_id, type }) => deployment_id === id && type.startsWith('trade'),
  });
  return <Loaded of={performance}>{(value) => <Content of={value} timeframe={timeframe} />}</Loaded>;
};
