import type { BacktestDrawdown } from '../../../../../infra/client/package/src/index.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { BarTime, Duration, Percent } from '../../ui/figures.tsx';

interface DrawdownsProps {
  readonly drawdowns: readonly BacktestDrawdown[];
  readonly timeframe: string;
}

/** Deepest falls of the account, with the time until they were made good. */
export const Drawdowns = ({ drawdowns, timeframe }: DrawdownsProps) => {
  if (drawdowns.length === 0) return null;
  const day = (at: string) => <BarTime at={at} timeframe={timeframe} />;
  return (
    <section class="stack">
      <h2>Deepest drawdowns</h2>
      <DataTable
        caption="Deepest drawdowns"
        rows={drawdowns}
        rowKey={({ from, trough }) => `${from} ${trough}`}
        columns={[
          { head: 'From the high on', isHead: true, cell: ({ from }) => day(from) },
          { head: 'Depth', isNumber: true, cell: ({ depth_pct }) => <Percent value={depth_pct} /> },
          { head: 'Lowest on', cell: ({ trough }) => day(trough) },
          { head: 'Recovered on', cell: ({ to }) => (to === null ? 'not yet' : day(to)) },
          {
            head: 'Length',
            cell: ({ from, to }) =>
              to === null ? 'not recovered' : <Duration value={(Date.parse(to) - Date.parse(from)) / 1000} />,
          },
        ]}
      />
    </section>
  );
};
