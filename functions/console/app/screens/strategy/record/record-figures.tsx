import type { TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Count, Money, Month, Percent, Ratio } from '../../../ui/figures.tsx';

type Part = Pick<TrackRecordOut, 'figures' | 'worst_month' | 'fees'>;
type Cell = (part: Part) => preact.ComponentChildren;

/** Rows of the figures. Both parts have the same ones, under the same terms. */
const rowsOf = (currency: string): readonly { readonly name: string; readonly cell: Cell }[] => [
  { name: 'Return', cell: ({ figures }) => <Percent value={figures.total_return_pct} signed /> },
  { name: 'Return a year', cell: ({ figures }) => <Percent value={figures.cagr_pct} signed /> },
  { name: 'Drawdown', cell: ({ figures }) => <Percent value={figures.max_drawdown_pct} /> },
  {
    name: 'Worst month',
    cell: ({ worst_month: worst }) =>
      worst === null ? (
        <Percent value={null} />
      ) : (
        <>
          <Percent value={worst.return_pct} signed /> (<Month month={worst.month} />)
        </>
      ),
  },
  { name: 'Sharpe ratio', cell: ({ figures }) => <Ratio value={figures.sharpe_ratio} /> },
  { name: 'Volatility a year', cell: ({ figures }) => <Percent value={figures.volatility_pct} /> },
  { name: 'Win rate', cell: ({ figures }) => <Percent value={figures.win_rate_pct} /> },
  { name: 'Closed trades', cell: ({ figures }) => <Count value={figures.trades_count} /> },
  { name: 'Costs of all trades', cell: ({ fees }) => <Money value={fees} currency={currency} /> },
];

/** Figures of a record next to those of the backtest of before. */
export const RecordFigures = ({ record }: { readonly record: TrackRecordOut }) => {
  const { backtest } = record;
  const { figures } = backtest;
  return (
    <DataTable
      caption="Figures of the track record and of the backtest of before"
      rows={rowsOf(record.currency ?? '')}
      rowKey={({ name }) => name}
      columns={[
        { head: 'Figure', isHead: true, cell: ({ name }) => name },
        { head: 'Track record', isNumber: true, cell: ({ cell }) => cell(record) },
        {
          head: 'Backtest of before',
          isNumber: true,
          cell: ({ cell }) => (figures === null ? <Percent value={null} /> : cell({ ...backtest, figures })),
        },
      ]}
    />
  );
};
