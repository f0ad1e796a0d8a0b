import type { TrackRecordItem, TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { format } from '../../../format.ts';
import {
  RECORD_FIGURES,
  RECORD_SPAN,
  RECORD_STATE,
  RECORD_TRADES,
} from '../../../strategies/record-columns.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Count, Day } from '../../../ui/figures.tsx';

interface RecordVersionsProps {
  readonly record: TrackRecordOut;
  readonly onChoose: (recordId: number) => void;
}

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
            ...RECORD_SPAN,
            ...RECORD_FIGURES,
            RECORD_TRADES,
            RECORD_STATE,
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
              cell: ({ engine_version }) => <Count value={engine_version} />,
            },
            { head: 'To', cell: ({ as_of }) => <Day at={as_of} /> },
            ...RECORD_FIGURES,
            RECORD_TRADES,
            { head: 'Hash', cell: ({ record_hash }) => <code>{record_hash}</code> },
          ]}
        />
      </section>
    )}
  </>
);
