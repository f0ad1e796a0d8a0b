import type { BacktestOpenTrade } from '../../../../../infra/client/package/src/index.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { BarTime, Money, Price, Quantity } from '../../ui/figures.tsx';
import { SideTag } from './side-tag.tsx';

interface OpenTradesProps {
  readonly trades: readonly BacktestOpenTrade[];
  readonly currency: string;
  readonly timeframe: string;
}

/** Trades that are open at the end of a backtest. */
export const OpenTrades = ({ trades, currency, timeframe }: OpenTradesProps) =>
  trades.length === 0 ? null : (
    <section class="stack">
      <h2>Open at the end</h2>
      <p class="muted">These trades are valued at the last close. They do not count as closed trades.</p>
      <DataTable
        caption="Trades open at the end"
        rows={trades}
        rowKey={({ symbol, entry_at, quantity }) => `${symbol} ${entry_at} ${quantity}`}
        columns={[
          { head: 'Instrument', isHead: true, cell: ({ symbol }) => symbol },
          { head: 'Side', cell: ({ side }) => <SideTag side={side} /> },
          { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
          { head: 'Entry', cell: ({ entry_at }) => <BarTime at={entry_at} timeframe={timeframe} /> },
          { head: 'Entry price', isNumber: true, cell: ({ entry_price }) => <Price value={entry_price} /> },
          { head: 'Last close', isNumber: true, cell: ({ mark }) => <Price value={mark} /> },
          {
            head: 'Open result, after the fee of the entry',
            isNumber: true,
            cell: ({ pnl }) => <Money value={pnl} currency={currency} signed />,
          },
        ]}
      />
    </section>
  );
