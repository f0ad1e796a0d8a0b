import { useState } from 'preact/hooks';
import type { TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { countText } from '../../../count-text.ts';
import { hub, ME } from '../../../hub.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Count } from '../../../ui/figures.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { useResource } from '../../../ui/use-resource.ts';
import { useSteady } from '../../../ui/use-steady.ts';
import { type At, wholeOf } from '../../../ui/whole-list.ts';
import { tradeColumns } from '../../backtest/trade-columns.tsx';
import { TRADES_SIZE } from './load-record.ts';

/** Closed trades of a record, by page. */
export const RecordTrades = ({ record }: { readonly record: TrackRecordOut }) => {
  const { strategy_id, record_id, trades: first, timeframe, open_trades, rules, rules_seal } = record;
  const [page, setPage] = useState(1);
  const read = async ({ page: trades_page, size: trades_size }: At, signal?: AbortSignal) => {
    const later = await hub.getTrackRecord(
      { user_id: ME, strategy_id, record_id, trades_page, trades_size },
      { signal },
    );
    return later.trades;
  };
  const trades = useSteady(
    useResource(
      async (signal) => {
        if (page === first.page) return first;
        return read({ page, size: TRADES_SIZE }, signal);
      },
      [record_id, page, record.last_bar],
    ),
  );
  const isWithheld = rules === null && rules_seal !== null;
  return (
    <section class="stack">
      <h3>Trades</h3>
      <p class="muted">
        {countText(first.total, 'closed trade')}, in the order of closing.
        {open_trades.length > 0 &&
          ` ${countText(open_trades.length, 'open trade counts', 'open trades count')} at the last close.`}
        {isWithheld && ' The rules are closed, so trades are shown 30 days late.'}
      </p>
      {first.total > 0 && (
        <Loaded of={trades}>
          {(list) => (
            <DataTable
              caption="Closed trades of the track record"
              rows={list.items}
              loadWhole={wholeOf(list, read)}
              below={<Pager label="Pages of trades" page={page} pages={list.pages} onPage={setPage} />}
              rowKey={({ number }) => number}
              columns={[
                { head: 'Trade', isHead: true, cell: ({ number }) => <Count value={number} /> },
                ...tradeColumns(record.currency ?? '', timeframe),
              ]}
            />
          )}
        </Loaded>
      )}
    </section>
  );
};
