import { useMemo, useState } from 'preact/hooks';
import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Checkbox } from '../ui/field.tsx';
import { BarTime, Money } from '../ui/figures.tsx';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { LinesData } from './draw/lines.ts';
import { Legend } from './legend.tsx';
import {
  type EquityPoint,
  equityLine,
  evenlySpaced,
  isWide,
  type LinePoint,
  thinned,
} from './models/lines.ts';
import { recordSummary } from './models/summaries.ts';

interface RecordChartProps {
  readonly label: string;
  /** Equity of the backtest over the bars before the publication. */
  readonly before: readonly EquityPoint[];
  readonly record: readonly EquityPoint[];
  readonly publishedAt: string;
  readonly currency: string;
  readonly timeframe: string;
}

const TABLE_ROWS = 30;
/** More points than a wide screen has pixels. */
const MOST_MOMENTS = 4000;

const BACKTEST = 'Backtest of before';
const RECORD = 'Track record';

const loadLines = () => import('./draw/lines.ts');

/** Row of the table. */
interface Row extends LinePoint {
  readonly part: string;
}

const rowsOf = (part: string, line: readonly LinePoint[]): Row[] =>
  thinned(line, TABLE_ROWS).map((point) => ({ ...point, part }));

/** Equity of a track record and of the backtest of before, with the day of publication as a line. */
export const RecordChart = (props: RecordChartProps) => {
  const { label, before, record, publishedAt, currency, timeframe } = props;
  const [at, setAt] = useState<number>();
  const [chosen, setLogarithmic] = useState<boolean>();
  const lines = useMemo(() => [equityLine(before), equityLine(record)] as const, [before, record]);
  const isScaled = useMemo(() => isWide(lines.flat()), [lines]);
  // A logarithmic scale shows equal growth as equal slopes, before and after the publication.
  const isLogarithmic = chosen ?? isScaled;
  const data = useMemo((): LinesData => {
    const text = (value: number): string => format.shortMoney(value, currency);
    const [backtestPoints = [], recordPoints = []] = evenlySpaced(lines, MOST_MOMENTS);
    return {
      lines: [
        { name: BACKTEST, colour: 'series-2', kind: 'dashed', points: backtestPoints, text },
        { name: RECORD, colour: 'series-1', kind: 'line', points: recordPoints, text },
      ],
      below: [],
      timeframe,
      isLogarithmic,
      mark: { at: Date.parse(publishedAt), text: `Published ${format.day(publishedAt).text}` },
    };
  }, [lines, timeframe, currency, isLogarithmic, publishedAt]);
  if (lines.every(({ length }) => length < 2)) {
    return (
      <section class="card chart">
        <h2>{label}</h2>
        <p class="empty">There is nothing to draw yet: a line needs equity at two times.</p>
      </section>
    );
  }
  const timeText = (millis: number): string => format.bar(millis, timeframe).text;
  const table = () => (
    <DataTable
      caption={`${label}, each at up to ${TABLE_ROWS} times`}
      rows={[...rowsOf(BACKTEST, lines[0]), ...rowsOf(RECORD, lines[1])]}
      rowKey={(row) => `${row.part} ${row.at}`}
      columns={[
        { head: 'Time', isHead: true, cell: ({ at: time }) => <BarTime at={time} timeframe={timeframe} /> },
        { head: 'Part', cell: ({ part }) => part },
        { head: 'Equity', isNumber: true, cell: ({ value }) => <Money value={value} currency={currency} /> },
      ]}
    />
  );
  return (
    <ChartFrame
      label={label}
      summary={recordSummary({ before, record, publishedAt, currency, timeframe }, format)}
      table={table}
      tools={
        isScaled && (
          <Checkbox checked={isLogarithmic} onChecked={setLogarithmic}>
            Logarithmic scale
          </Checkbox>
        )
      }
    >
      <Legend lines={data.lines} at={at} timeText={timeText} />
      <Canvas load={loadLines} data={data} onMoment={setAt} />
    </ChartFrame>
  );
};
