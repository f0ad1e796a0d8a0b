import { useMemo } from 'preact/hooks';
import type { BacktestRun } from '../../../../../infra/client/package/src/index.ts';
import type { ChartTrade } from '../../charts/models/candles.ts';
import { RulesChart } from '../../charts/rules-chart.tsx';
import { format } from '../../format.ts';
import { StatisticValue } from '../../statistic-value.tsx';
import { STATISTICS } from '../../statistics.ts';
import { barsText } from '../../strategies/texts.ts';
import { Figure, Percent } from '../../ui/figures.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { Live } from './use-live.ts';

const FIGURES = [
  'total_return_pct',
  'max_drawdown_equity_pct',
  'sharpe_ratio',
  'trades_count',
  'win_rate_pct',
] as const;

/** Milliseconds without a new result after which its figures are read out. */
const SPOKEN_MS = 1500;

/** Returns the closed and open trades of a symbol. */
const tradesOf = (result: BacktestRun | undefined, symbol: string): ChartTrade[] => [
  ...(result?.trades ?? []).filter((trade) => trade.symbol === symbol),
  ...(result?.open_trades ?? []).filter((trade) => trade.symbol === symbol),
];

const spokenOf = ({ result }: Live): string => {
  const figures = result?.statistics;
  if (!figures) return '';
  const { total_return_pct: gain, max_drawdown_equity_pct: fall, trades_count: trades } = figures;
  return `Return ${format.percent(gain, { signed: true })}, drawdown ${format.percent(fall)}, ${format.count(trades)} trades.`;
};

/** Main figures of the rules, with those of buying and holding. */
const Figures = ({ live }: { readonly live: Live }) => {
  const { result } = live;
  const spoken = useDebounced(spokenOf(live), SPOKEN_MS);
  if (!result) return null;
  const { statistics, currency, benchmark } = result;
  if (!statistics) {
    return <p>There are no prices for this instrument and length of a bar. Choose another.</p>;
  }
  return (
    <>
      <p class="unseen" role="status">
        {spoken}
      </p>
      <dl class="figures live-figures">
        {FIGURES.map((key) => (
          <Figure
            key={key}
            label={STATISTICS[key].label}
            value={<StatisticValue name={key} value={statistics[key]} currency={currency} />}
          />
        ))}
        <Figure label="Buy and hold" value={<Percent value={benchmark?.return_pct ?? null} signed />} />
        <Figure
          label="Its drawdown"
          value={<Percent value={benchmark ? benchmark.max_drawdown_pct : null} />}
        />
      </dl>
      <p class="muted live-span">
        {format.bar(result.first_bar, result.timeframe).text} to{' '}
        {format.bar(result.last_bar, result.timeframe).text}
        {result.trades && result.trades.length < result.trades_count
          ? `; the chart marks the newest ${format.count(result.trades.length)} of ${format.count(result.trades_count)} trades`
          : ''}
      </p>
    </>
  );
};

interface ResultPaneProps {
  readonly live: Live;
  /** Symbol of the chart. */
  readonly symbol: string;
  /** True while the rules have a problem, so that the result is one of before. */
  readonly isStale: boolean;
  readonly onBar: (start: number | undefined) => void;
}

/** Figures and chart of the rules as they are. */
export const ResultPane = ({ live, symbol, isStale, onBar }: ResultPaneProps) => {
  const { chart, result, resultError, chartError, isLoading } = live;
  const trades = useMemo(() => tradesOf(result, chart?.symbol ?? symbol), [result, chart, symbol]);
  return (
    <section
      class={`live ${isLoading || isStale ? 'live-old' : ''}`}
      aria-label="Result"
      aria-busy={isLoading}
    >
      <Figures live={live} />
      {isStale && <Notice kind="warn">This is of before. Fix the rules to see their result.</Notice>}
      <Problem of={resultError} />
      <Problem of={chartError} />
      {chart ? (
        <RulesChart
          label={`${chart.symbol}, ${barsText(chart.timeframe)}`}
          chart={chart}
          trades={trades}
          onBar={onBar}
          isFull
        />
      ) : (
        isLoading && <p class="loading">Loading the candles…</p>
      )}
      {chart && !chart.warmed_up && (
        <p class="muted">
          The lines begin with fewer bars than a backtest reads, so averages may differ a little.
        </p>
      )}
      {(result?.warnings ?? []).length > 0 && (
        <details>
          <summary>Remarks on this result ({format.count(result?.warnings.length ?? 0)})</summary>
          <ul>
            {result?.warnings.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
};
