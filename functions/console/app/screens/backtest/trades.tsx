import { useState } from 'preact/hooks';
import type { BacktestTrade, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { countText } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { type ReadPage, wholeOf } from '../../ui/whole-list.ts';
import { TradeBars } from './trade-bars.tsx';
import { tradeColumns } from './trade-columns.tsx';

const SIZE = 20;

/** Closed trades of a backtest, by page. A trade can be shown on its bars. */
export const Trades = ({ backtest }: { readonly backtest: GetBacktestOutput }) => {
  const { backtest_id, timeframe, currency, trades_count } = backtest;
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<BacktestTrade>();
  const read: ReadPage<BacktestTrade> = (at, signal) =>
    hub.getBacktestTrades({ user_id: ME, backtest_id, ...at }, { signal });
  const trades = useResource((signal) => read({ page, size: SIZE }, signal), [backtest_id, page]);
  if (trades_count === 0) return null;
  return (
    <section class="stack">
      <h2>Trades</h2>
      <p class="muted">
        {countText(trades_count, 'closed trade')}, in the order of closing. Choose one to see it on its bars.
      </p>
      {chosen && <TradeBars trade={chosen} timeframe={timeframe} onClose={() => setChosen(undefined)} />}
      <Loaded of={trades}>
        {(list) => (
          <DataTable
            caption="Closed trades"
            rows={list.items}
            loadWhole={wholeOf(list, read)}
            below={<Pager label="Pages of trades" page={page} pages={list.pages} onPage={setPage} />}
            rowKey={({ number }) => number}
            columns={[
              {
                head: 'Trade',
                isHead: true,
                cell: (trade) => (
                  <Button
                    kind="quiet"
                    aria-label={`Show trade ${trade.number} on its bars`}
                    aria-pressed={trade.number === chosen?.number}
                    onClick={() => setChosen(trade)}
                  >
                    {format.count(trade.number)}
                  </Button>
                ),
              },
              ...tradeColumns(currency, timeframe),
            ]}
          />
        )}
      </Loaded>
    </section>
  );
};
