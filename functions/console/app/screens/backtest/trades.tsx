import type { BacktestTrade, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { loadTrades } from '../../backtests/load-trades.ts';
import { countText } from '../../count-text.ts';
import { format } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Count } from '../../ui/figures.tsx';
import { LatePart } from '../../ui/late.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { tradeColumns } from './trade-columns.tsx';

/** Loads the drawings of trades after the figures. */
const loadShape = async () => (await import('./shape.tsx')).TradeShape;
const loadChart = async () => (await import('./trades-chart.tsx')).TradesChart;

const TradesTable = ({
  trades,
  of: { currency, timeframe },
}: {
  trades: readonly BacktestTrade[];
  of: GetBacktestOutput;
}) => (
  <details class="card">
    <summary>All trades as a table</summary>
    <DataTable
      caption="Closed trades"
      rows={trades}
      rowKey={({ number }) => number}
      columns={[
        { head: 'Trade', isHead: true, cell: ({ number }) => <Count value={number} /> },
        ...tradeColumns(currency, timeframe),
      ]}
    />
  </details>
);

/** Closed trades of a backtest: on the bars, by their results and as a table. */
export const Trades = ({ backtest }: { readonly backtest: GetBacktestOutput }) => {
  const { backtest_id, trades_count } = backtest;
  const trades = useResource((signal) => loadTrades(backtest_id, { signal }), [backtest_id]);
  if (trades_count === 0) return null;
  return (
    <section class="stack">
      <h2>Trades</h2>
      <Loaded of={trades}>
        {({ rows, isCut }) => (
          <>
            <p class="muted">
              {countText(trades_count, 'closed trade')}, in the order of closing.
              {isCut && ` The first ${format.count(rows.length)} are shown; export them all as CSV.`}
            </p>
            <LatePart load={loadChart} props={{ backtest, trades: rows }} />
            <LatePart load={loadShape} props={{ trades: rows }} />
            <TradesTable trades={rows} of={backtest} />
          </>
        )}
      </Loaded>
    </section>
  );
};
