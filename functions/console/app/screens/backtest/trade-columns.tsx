import type { BacktestTrade } from '../../../../../infra/client/package/src/index.ts';
import { BarTime, Count, Money, Percent, Price, Quantity } from '../../ui/figures.tsx';
import type { Column } from '../../ui/table/table-props.ts';
import { SideTag } from './side-tag.tsx';

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

/** Columns of closed trades, without one that names the row. */
export const tradeColumns = (currency: string, timeframe: string): readonly Column<BacktestTrade>[] => {
  const bar = (at: string) => <BarTime at={at} timeframe={timeframe} />;
  return [
    { head: 'Instrument', cell: ({ symbol }) => symbol },
    { head: 'Side', cell: ({ side }) => <SideTag side={side} /> },
    { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
    { head: 'Entry', cell: ({ entry_at }) => bar(entry_at) },
    { head: 'Entry price', isNumber: true, cell: ({ entry_price }) => <Price value={entry_price} /> },
    { head: 'Exit', cell: ({ exit_at }) => bar(exit_at) },
    { head: 'Exit price', isNumber: true, cell: ({ exit_price }) => <Price value={exit_price} /> },
    { head: 'Closed by', cell: ({ exit_reason }) => REASONS[exit_reason] ?? exit_reason },
    { head: 'Bars', isNumber: true, cell: ({ bars }) => <Count value={bars} /> },
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
  ];
};
