import type { BacktestTrade } from '../../../../../infra/client/package/src/index.ts';
import { ExcursionPlot } from '../../charts/excursion-plot.tsx';
import { movedTrades } from '../../charts/models/trade-shape.ts';
import { ReturnHistogram } from '../../charts/return-histogram.tsx';

/** Distribution of the returns of trades, and their largest moves. */
export const TradeShape = ({ trades }: { readonly trades: readonly BacktestTrade[] }) => {
  const moved = movedTrades(trades);
  return (
    <div class="chart-pair">
      <ReturnHistogram returns={trades.map(({ return_pct }) => return_pct)} />
      {moved.length > 0 && <ExcursionPlot trades={moved} />}
    </div>
  );
};
