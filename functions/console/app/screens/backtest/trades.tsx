import { useState } from 'preact/hooks';
import type { BacktestTrade, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { countText } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Money, Percent, Quantity, Shown } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { SideTag } from './side-tag.tsx';
import { TradeBars } from './trade-bars.tsx';

const SIZE = 20;

/** Causes of exits in words. */
const REASONS: Readonly<Record<string, string>> = {
  exit: 'Exit rule',
  reverse: 'Entry of the other side',
  stop_loss: 'Stop loss',
  take_profit: 'Take profit',
  trailing_stop: 'Trailing stop',
  square_off: 'End of the session',
  end_of_data: 'End of the data',
  liquidated: 'Liquidated',
  ruin: 'Account used up',
};

/** Closed trades of a backtest, by page. A trade can be shown on its bars. */
export const Trades = ({ backtest }: { readonly backtest: GetBacktestOutput }) => {
  const { backtest_id, timeframe, currency, trades_count } = backtest;
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<BacktestTrade>();
  const trades = useResource(
    (signal) =>
      hub.getBacktestTrades({ user_id: ME, backtest_id, page, size: SIZE }, { signal }).then((one) => one),
    [backtest_id, page],
  );
  if (trades_count === 0) return null;
  const bar = (at: string) => <Shown text={format.bar(at, timeframe).text} />;
  return (
    <section class="stack">
      <h2>Trades</h2>
      <p class="muted">
        {countText(trades_count, 'closed trade')}, in the order of closing. Choose one to see it on its bars.
      </p>
      {chosen && <TradeBars trade={chosen} timeframe={timeframe} onClose={() => setChosen(undefined)} />}
      <Loaded of={trades}>
        {({ items, pages }) => (
          <>
            <DataTable
              caption="Closed trades"
              rows={items}
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
                { head: 'Instrument', cell: ({ symbol }) => symbol },
                { head: 'Side', cell: ({ side }) => <SideTag side={side} /> },
                { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
                { head: 'Entry', cell: ({ entry_at }) => bar(entry_at) },
                { head: 'Entry price', isNumber: true, cell: ({ entry_price }) => format.price(entry_price) },
                { head: 'Exit', cell: ({ exit_at }) => bar(exit_at) },
                { head: 'Exit price', isNumber: true, cell: ({ exit_price }) => format.price(exit_price) },
                { head: 'Closed by', cell: ({ exit_reason }) => REASONS[exit_reason] ?? exit_reason },
                { head: 'Bars', isNumber: true, cell: ({ bars }) => format.count(bars) },
                {
                  head: 'Fees',
                  isNumber: true,
                  cell: ({ fees }) => <Money value={fees} currency={currency} />,
                },
                {
                  head: 'Result after fees',
                  isNumber: true,
                  cell: ({ pnl }) => <Money value={pnl} currency={currency} signed />,
                },
                {
                  head: 'Return',
                  isNumber: true,
                  cell: ({ return_pct }) => <Percent value={return_pct} signed />,
                },
              ]}
            />
            <Pager label="Pages of trades" page={page} pages={pages} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  );
};
