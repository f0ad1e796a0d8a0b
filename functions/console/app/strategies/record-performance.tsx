import type { RankFigures, StrategyPerformance } from '../../../../infra/client/package/src/index.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { format } from '../format.ts';
import { Figure, Percent, Shown } from '../ui/figures.tsx';
import { Tag } from '../ui/notice.tsx';
import { recordText, stateText } from './record-texts.ts';

interface RecordPerformanceProps {
  readonly performance: StrategyPerformance;
  readonly rank?: RankFigures | null;
  /** Name of the strategy, for screen readers. */
  readonly name: string;
}

/** Figures by which a strategy is ranked. */
const AfterLuck = ({ of: rank }: { readonly of: RankFigures }) => (
  <>
    <Figure
      label="Return a year after luck"
      value={<Percent value={rank.return_after_luck_pct} signed />}
      hint={`of ${format.count(rank.records_begun)} records`}
    />
    <Figure label="Sharpe ratio after luck" value={<Shown text={format.ratio(rank.sharpe_after_luck)} />} />
  </>
);

/** Main figures of the track record that the hub makes of a strategy. */
export const RecordPerformance = ({ performance, rank = null, name }: RecordPerformanceProps) => {
  const { total_return_pct, max_drawdown_pct, win_rate_pct, trades_count } = performance;
  const state = stateText(performance);
  return (
    <div class="performance">
      {performance.returns_pct.length > 0 && (
        <Sparkline label={`Return of ${name}`} points={performance.returns_pct} />
      )}
      {total_return_pct !== null && (
        <dl class="figures">
          <Figure label="Return" value={<Percent value={total_return_pct} signed />} />
          <Figure label="Drawdown" value={<Percent value={max_drawdown_pct} />} />
          <Figure label="Win rate" value={<Percent value={win_rate_pct} />} />
          <Figure label="Trades" value={format.count(trades_count)} />
          {rank && <AfterLuck of={rank} />}
        </dl>
      )}
      <p class="source">
        <Tag kind="good">Made by the hub</Tag> <span class="muted">{recordText(performance)}</span>
      </p>
      {state !== undefined && <p class="muted">{state}</p>}
    </div>
  );
};
