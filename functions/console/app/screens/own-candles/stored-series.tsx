import type { OwnCandles, OwnCandlesList } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { BarTime, Count } from '../../ui/figures.tsx';

const nameOf = ({ symbol, timeframe }: OwnCandles): string => `${symbol}, ${timeframe}`;

const startOf = ({ timeframe, session_open }: OwnCandles): string => {
  if (timeframe === '1w') return 'With the week';
  if (timeframe === '1d') return 'With the day';
  return session_open === null ? 'With the clock' : `With the session (${session_open})`;
};

interface StoredSeriesProps {
  readonly list: OwnCandlesList;
  readonly onRemoved: () => void;
}

/** Series that the user imported. Each can be removed. */
export const StoredSeries = ({ list, onRemoved }: StoredSeriesProps) => {
  const { items, most_series, most_candles } = list;
  const removal = useConfirmed(async ({ symbol, timeframe }: OwnCandles) => {
    await hub.removeOwnCandles({ user_id: ME, symbol, timeframe });
    onRemoved();
  });
  const held = items.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="card" aria-label="Imported candles">
      <h2>Imported</h2>
      <p class="muted">
        {format.count(items.length)} of {format.count(most_series)} series, {format.count(held)} of{' '}
        {format.count(most_candles)} candles that you may have.
      </p>
      {items.length > 0 && (
        <DataTable
          caption="Candles that you imported"
          rows={items}
          rowKey={nameOf}
          columns={[
            { head: 'Candles', isHead: true, cell: nameOf },
            { head: 'Number', isNumber: true, cell: ({ count }) => <Count value={count} /> },
            { head: 'First', cell: ({ first, timeframe }) => <BarTime at={first} timeframe={timeframe} /> },
            { head: 'Last', cell: ({ last, timeframe }) => <BarTime at={last} timeframe={timeframe} /> },
            { head: 'Start', cell: startOf },
            { head: 'Source', cell: ({ source }) => source },
            {
              head: 'Remove',
              isCommands: true,
              cell: (one) => (
                <Button kind="quiet" aria-label={`Remove ${nameOf(one)}`} onClick={() => removal.ask(one)}>
                  Remove
                </Button>
              ),
            },
          ]}
        />
      )}
      <Confirm title="Remove these candles?" action="Remove them" {...removal.dialog}>
        <p>
          The candles of {removal.asked && nameOf(removal.asked)} are removed. Results of tests on them stay;
          a test that runs on them fails.
        </p>
      </Confirm>
    </section>
  );
};
