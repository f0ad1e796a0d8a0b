import { useMemo, useState } from 'preact/hooks';
import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { BarTime, Percent } from '../ui/figures.tsx';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { LinesData } from './draw/lines.ts';
import { Legend } from './legend.tsx';
import {
  type EquityPoint,
  equityLine,
  evenlySpaced,
  growthLine,
  type LinePoint,
  thinned,
} from './models/lines.ts';

/** Equity with its name, for a comparison. */
interface NamedEquity {
  readonly name: string;
  readonly points: readonly EquityPoint[];
}

interface GrowthChartProps {
  readonly label: string;
  /** Up to four. */
  readonly curves: readonly NamedEquity[];
  readonly timeframe: string;
}

const SERIES = ['series-1', 'series-2', 'series-3', 'series-4'] as const;
const KINDS = ['line', 'dashed'] as const;
const TABLE_ROWS = 40;
/** More points than a wide screen has pixels. */
const MOST_MOMENTS = 4000;

const loadLines = () => import('./draw/lines.ts');

const growthText = (value: number): string => format.percent(value, { signed: true, digits: 1 });

const valueAt = (points: readonly LinePoint[], at: number): number | undefined =>
  points.findLast((point) => point.at <= at)?.value;

/** Growth of several curves of equity since their beginnings, in percent. */
export const GrowthChart = ({ label, curves, timeframe }: GrowthChartProps) => {
  const [at, setAt] = useState<number>();
  const data = useMemo((): LinesData => {
    const growth = evenlySpaced(
      curves.map(({ points }) => growthLine(equityLine(points))),
      MOST_MOMENTS,
    );
    return {
      lines: curves.map(({ name }, index) => ({
        name,
        colour: SERIES[index] ?? 'muted',
        kind: KINDS[index % 2] ?? 'line',
        points: growth[index] ?? [],
        text: growthText,
      })),
      below: [],
      timeframe,
      isLogarithmic: false,
    };
  }, [curves, timeframe]);
  const timeText = (millis: number): string => format.bar(millis, timeframe).text;
  const times = [...new Set(data.lines.flatMap(({ points }) => points.map((point) => point.at)))].sort(
    (left, right) => left - right,
  );
  const summary = data.lines
    .map(({ name, points }) => `${name} made ${format.percent(points.at(-1)?.value, { signed: true })}.`)
    .join(' ');
  const table = () => (
    <DataTable
      caption={`${label}, at up to ${TABLE_ROWS} times`}
      rows={thinned(times, TABLE_ROWS)}
      rowKey={(time) => time}
      columns={[
        { head: 'Time', isHead: true, cell: (time) => <BarTime at={time} timeframe={timeframe} /> },
        ...data.lines.map(({ name, points }) => ({
          head: name,
          isNumber: true,
          cell: (time: number) => <Percent value={valueAt(points, time)} signed />,
        })),
      ]}
    />
  );
  return (
    <ChartFrame label={label} summary={summary} table={table}>
      <Legend lines={data.lines} at={at} timeText={timeText} />
      <Canvas load={loadLines} data={data} onMoment={setAt} />
    </ChartFrame>
  );
};
