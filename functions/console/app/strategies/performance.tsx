import type { StrategyPerformance } from '../../../../infra/client/package/src/index.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { format } from '../format.ts';
import { Figure, Percent, When } from '../ui/figures.tsx';
import { Mode } from '../ui/mode.tsx';

interface PerformanceProps {
  readonly performance: StrategyPerformance;
  /** Name of the strategy, for screen readers. */
  readonly name: string;
}

/** Says where figures come from, and their time. */
const Source = ({ performance: { mode, period_start, as_of } }: Pick<PerformanceProps, 'performance'>) =>
  mode === null ? null : (
    <p class="source">
      <Mode mode={mode} />{' '}
      <span class="muted">
        {period_start !== null && <>from {format.day(period_start).text} to </>}
        {period_start === null && 'as of '}
        <When at={as_of} />
      </span>
    </p>
  );

/** Main figures of a strategy: of its deployments, with real money before paper. */
export const Performance = ({ performance, name }: PerformanceProps) => {
  const { mode, total_return_pct, max_drawdown_pct, win_rate_pct, trades_count } = performance;
  if (mode === null) {
    return (
      <p class="muted">
        No closed trade on a real market yet. Backtests and trades on the demo market do not count here.
      </p>
    );
  }
  return (
    <div class="performance">
      <Sparkline label={`Return of ${name}`} points={performance.returns_pct} />
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
