import type { BacktestDrawdown } from '../../../../../infra/client/package/src/index.ts';
import { dayOfBar, isDayOrLonger } from '../../format/times.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { BarTime, Duration, Percent } from '../../ui/figures.tsx';

interface DrawdownsProps {
  readonly drawdowns: readonly BacktestDrawdown[];
  readonly timeframe: string;
}

/** Days of the exchange are whole, also where its clocks changed between them. */
const timeOf = (bar: string, timeframe: string): number =>
  isDayOrLonger(timeframe) ? dayOfBar(Date.parse(bar)) : Date.parse(bar);

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
              to === null ? (
                'not recovered'
              ) : (
                <Duration value={(timeOf(to, timeframe) - timeOf(from, timeframe)) / 1000} />
              ),
          },
        ]}
      />
    </section>
  );
};
