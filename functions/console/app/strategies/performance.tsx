import type { RankFigures, StrategyPerformance } from '../../../../infra/client/package/src/index.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { format } from '../format.ts';
import { Figure, Percent, When } from '../ui/figures.tsx';
import { Mode } from '../ui/mode.tsx';
import { Tag } from '../ui/notice.tsx';
import { RecordPerformance } from './record-performance.tsx';

interface PerformanceProps {
  readonly performance: StrategyPerformance;
  /** Figures by which the strategy is ranked. */
  readonly rank?: RankFigures | null;
  /** Name of the strategy, for screen readers. */
  readonly name: string;
}

/** Says where figures of deployments come from, and their time. */
const Source = ({ performance }: Pick<PerformanceProps, 'performance'>) => {
  const { source, mode, period_start, as_of } = performance;
  return (
    <p class="source">
      {source === 'reported' && <Tag kind="warn">Reported by the author, not verified</Tag>}
      {mode !== null && <Mode mode={mode} />}{' '}
      <span class="muted">
        {period_start !== null && <>from {format.day(period_start).text} to </>}
        {period_start === null && 'as of '}
        <When at={as_of} />
      </span>
    </p>
  );
};

/** Main figures of a strategy: of its track record, or of its deployments, with real money before paper. */
export const Performance = ({ performance, rank = null, name }: PerformanceProps) => {
  const { source, mode, as_of, total_return_pct, max_drawdown_pct, win_rate_pct, trades_count } = performance;
  if (source === 'record') return <RecordPerformance performance={performance} rank={rank} name={name} />;
  if (mode === null && (source === null || as_of === null)) {
    return (
      <p class="muted">
        No closed trade on a real market yet. Backtests and trades on the demo market do not count here.
      </p>
    );
  }
  return (
    <div class="performance">
      {source !== 'reported' && <Sparkline label={`Return of ${name}`} points={performance.returns_pct} />}
      <dl class="figures">
        <Figure label="Return" value={<Percent value={total_return_pct} signed />} />
        <Figure label="Drawdown" value={<Percent value={max_drawdown_pct} />} hint="of closed trades" />
        <Figure label="Win rate" value={<Percent value={win_rate_pct} />} />
        <Figure label="Trades" value={format.count(trades_count)} />
      </dl>
      <Source performance={performance} />
    </div>
  );
};
