import { useState } from 'preact/hooks';
import type { TrackRecordItem } from '../../../../../infra/client/package/src/index.ts';
import { countText } from '../../count-text.ts';
import { format } from '../../format.ts';
import { hub } from '../../hub.ts';
import {
  RECORD_FIGURES,
  RECORD_SPAN,
  RECORD_STATE,
  RECORD_TRADES,
} from '../../strategies/record-columns.tsx';
import { barsText, symbolsText } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Shown } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';

const SIZE = 50;

/** Returns the strategies that are not public now. */
const withdrawnOf = (records: readonly TrackRecordItem[]): ReadonlySet<number> =>
  new Set(
    records
      .filter(({ hidden_at, ended_at }) => hidden_at !== null && ended_at === null)
      .map(({ strategy_id }) => strategy_id),
  );

const RecordTable = ({ records }: { readonly records: readonly TrackRecordItem[] }) => {
  const withdrawn = withdrawnOf(records);
  return (
    <DataTable
      caption="Track records of the author"
      rows={records}
      rowKey={({ record_id }) => record_id}
      columns={[
        {
          head: 'Strategy',
          isHead: true,
          cell: ({ strategy_id, strategy_name }) =>
            withdrawn.has(strategy_id) ? (
              strategy_name
            ) : (
              <a href={`#/strategies/${strategy_id}`}>{strategy_name}</a>
            ),
        },
        {
          head: 'Trades on',
          cell: ({ symbols, timeframe }) => `${symbolsText(symbols)}, ${barsText(timeframe)}`,
        },
        ...RECORD_SPAN,
        ...RECORD_FIGURES,
        {
          head: 'Sharpe ratio',
          isNumber: true,
          cell: ({ figures }) => <Shown text={format.ratio(figures.sharpe_ratio)} />,
        },
        RECORD_TRADES,
        RECORD_STATE,
      ]}
    />
  );
};

interface Listed {
  readonly records: readonly TrackRecordItem[];
  readonly next: number | null;
}

/** All track records that an author ever began, with the ended ones and those of strategies that are not public. */
export const AuthorRecords = ({ userKey }: { readonly userKey: string }) => {
  const [more, setMore] = useState<Listed>();
  const first = useResource(
    async (signal) => {
      const answer = await hub.getAuthorRecords({ user_key: userKey, size: SIZE }, { signal });
      setMore(undefined);
      return answer;
    },
    [userKey],
  );
  const loading = useAction(async (before: number, known: readonly TrackRecordItem[]) => {
    const { items, next_before } = await hub.getAuthorRecords({ user_key: userKey, before, size: SIZE });
    setMore({ records: [...known, ...items], next: next_before });
  });
  return (
    <section class="stack" aria-label="Track records">
      <h2>Track records</h2>
      <Loaded
        of={first}
        empty={({ total, items }) => total === 0 && items.length === 0 && <p>No record was begun yet.</p>}
      >
        {({ total, items, next_before }) => {
          const { records, next } = more ?? { records: items, next: next_before };
          return (
            <>
              <p class="muted">
                {countText(total, 'record')} begun, ended ones and those of strategies that are no longer
                public included. Nobody can remove one.
              </p>
              <RecordTable records={records} />
              <Problem of={loading.error} />
              {next !== null && (
                <div class="actions">
                  <Button busy={loading.isBusy} onClick={() => void loading.run(next, records)}>
                    Show more
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
};
