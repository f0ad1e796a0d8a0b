import type { TrackRecordItem } from '../../../../infra/client/package/src/index.ts';
import { Count, Day, Percent } from '../ui/figures.tsx';
import type { Column } from '../ui/table/table-props.ts';
import { recordStates } from './record-texts.ts';

type WithFigures = Pick<TrackRecordItem, 'figures'>;

/** Columns of the time of track records. */
export const RECORD_SPAN: readonly Column<TrackRecordItem>[] = [
  { head: 'From', cell: ({ started_at }) => <Day at={started_at} /> },
  { head: 'To', cell: ({ ended_at, as_of }) => <Day at={ended_at ?? as_of} /> },
];

/** Columns of the return and the drawdown of track records. */
export const RECORD_FIGURES: readonly Column<WithFigures>[] = [
  {
    head: 'Return',
    isNumber: true,
    cell: ({ figures }) => <Percent value={figures.total_return_pct} signed />,
  },
  {
    head: 'Drawdown',
    isNumber: true,
    cell: ({ figures }) => <Percent value={figures.max_drawdown_pct} />,
  },
];

/** Column of the number of trades of track records. */
export const RECORD_TRADES: Column<WithFigures> = {
  head: 'Trades',
  isNumber: true,
  cell: ({ figures }) => <Count value={figures.trades_count} />,
};

/** Column of the state of track records. */
export const RECORD_STATE: Column<TrackRecordItem> = {
  head: 'State',
  cell: (record) => recordStates(record).join(' ') || 'It goes on.',
};
