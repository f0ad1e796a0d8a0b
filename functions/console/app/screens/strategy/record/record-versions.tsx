import type { TrackRecordItem, TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { format } from '../../../format.ts';
import { recordStates } from '../../../strategies/record-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Percent, Shown } from '../../../ui/figures.tsx';

interface RecordVersionsProps {
  readonly record: TrackRecordOut;
  readonly onChoose: (recordId: number) => void;
}

const day = (at: string | null) => <Shown text={format.day(at).text} />;

/** All records of the strategy with their dates and reasons, and the figures by former versions of the engine. */
export const RecordVersions = ({ record, onChoose }: RecordVersionsProps) => (
  <>
    {record.versions.length > 1 && (
      <section class="stack">
        <h3>Records of this strategy</h3>
        <DataTable<TrackRecordItem>
          caption="Records of this strategy"
          rows={record.versions}
          rowKey={({ record_id }) => record_id}
          columns={[
            {
              head: 'Version',
              isHead: true,
              cell: ({ record_id, version }) => (
                <Button
                  kind="quiet"
                  aria-label={`Show version ${version} of the record`}
                  aria-pressed={record_id === record.record_id}
                  onClick={() => onChoose(record_id)}
                >
                  {format.count(version)}
                </Button>
              ),
            },
            { head: 'From', cell: ({ started_at }) => day(started_at) },
            { head: 'To', cell: ({ ended_at, as_of }) => day(ended_at ?? as_of) },
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
            { head: 'Trades', isNumber: true, cell: ({ figures }) => format.count(figures.trades_count) },
            { head: 'State', cell: (one) => recordStates(one).join(' ') || 'It goes on.' },
          ]}
        />
      </section>
    )}
    {record.former.length > 0 && (
      <section class="stack">
        <h3>By former versions of the engine</h3>
        <p class="muted">A new version of the engine computes a record again from its first bar.</p>
        <DataTable
          caption="Figures by former versions of the engine"
          rows={record.former}
          rowKey={({ engine_version, as_of }) => `${engine_version} ${as_of}`}
          columns={[
            {
              head: 'Version of the engine',
              isHead: true,
              cell: ({ engine_version }) => format.count(engine_version),
            },
            { head: 'To', cell: ({ as_of }) => day(as_of) },
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
            { head: 'Trades', isNumber: true, cell: ({ figures }) => format.count(figures.trades_count) },
            { head: 'Hash', cell: ({ record_hash }) => <code>{record_hash}</code> },
          ]}
        />
      </section>
    )}
  </>
);
