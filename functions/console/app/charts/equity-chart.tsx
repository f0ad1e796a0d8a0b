import { useMemo, useState } from 'preact/hooks';
import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Checkbox, Select } from '../ui/field.tsx';
import { BarTime, Money, Percent } from '../ui/figures.tsx';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartLine, LinesData } from './draw/lines.ts';
import { Legend } from './legend.tsx';
import {
  drawdownLine,
  type EquityPoint,
  equityLine,
  growthLine,
  type LinePoint,
  thinned,
} from './models/lines.ts';
import { hasLogarithm, type Scale, usualScale } from './models/scale.ts';
import { equitySummary } from './models/summaries.ts';

interface EquityChartProps {
  readonly label: string;
  readonly points: readonly EquityPoint[];
  readonly currency: string;
  /** Buying and holding from the first evaluated bar on. */
  readonly benchmark?:
    | { readonly return_pct: number | null; readonly equity: readonly EquityPoint[] }
    | null
    | undefined;
  /** Shows the falls from the last high below; true by default. */
  readonly drawdown?: boolean;
  /** Length of a bar; `1d` by default. Bars of a day or longer are shown without a time. */
  readonly timeframe?: string;
}

const TABLE_ROWS = 60;
const loadLines = () => import('./draw/lines.ts');

const SCALES = [
  { value: 'amount', label: 'Amounts' },
  { value: 'percent', label: 'Percent' },
  { value: 'log', label: 'Logarithmic' },
] as const;

/** Equity over time, with the falls from its last high and with what buying and holding would have made. */
export const EquityChart = (props: EquityChartProps) => {
  const { label, points, currency, benchmark, drawdown = true, timeframe = '1d' } = props;
  const [at, setAt] = useState<number>();
  const [chosen, setChosen] = useState<Scale>();
  const [isHeldShown, setHeldShown] = useState(true);
  const equity = useMemo(() => equityLine(points), [points]);
  const falls = useMemo(() => drawdownLine(points), [points]);
  const held = useMemo(() => equityLine(benchmark?.equity ?? []), [benchmark]);
  const usual = useMemo(() => usualScale(equity, held), [equity, held]);
  const scale = chosen ?? usual.scale;
  const data = useMemo((): LinesData => {
    const isPercent = scale === 'percent';
    const text = (value: number): string =>
      isPercent ? format.percent(value, { signed: true, digits: 1 }) : format.shortMoney(value, currency);
    const scaled = (line: readonly LinePoint[]) => (isPercent ? growthLine(line) : line);
    const lines: ChartLine[] = [
      { name: 'Equity', colour: 'series-1', kind: 'line', points: scaled(equity), text },
      ...(held.length > 0 && isHeldShown
        ? [{ name: 'Buy and hold', colour: 'series-2', kind: 'dashed', points: scaled(held), text } as const]
        : []),
    ];
    const below: ChartLine[] = drawdown
      ? [
          {
            name: 'Drawdown',
            colour: 'loss',
            kind: 'area',
            points: falls,
            text: (value) => format.percent(value, { digits: 1 }),
          },
        ]
      : [];
    return { lines, below, timeframe, isLogarithmic: scale === 'log' };
  }, [equity, held, isHeldShown, falls, drawdown, timeframe, currency, scale]);
  const timeText = (millis: number): string => format.bar(millis, timeframe).text;
  if (equity.length < 2) {
    return (
      <section class="card chart">
        <h2>{label}</h2>
        <p class="empty">There is nothing to draw yet: a line needs equity at two times.</p>
      </section>
    );
  }
  const fallAt = new Map(falls.map((point) => [point.at, point.value]));
  const heldAt = new Map(held.map((point) => [point.at, point.value]));
  const table = () => (
    <DataTable
      caption={`${label}, at up to ${TABLE_ROWS} times`}
      rows={thinned(equity, TABLE_ROWS)}
      rowKey={(point) => point.at}
      columns={[
        { head: 'Time', isHead: true, cell: (point) => <BarTime at={point.at} timeframe={timeframe} /> },
        {
          head: 'Equity',
          isNumber: true,
          cell: (point) => <Money value={point.value} currency={currency} />,
        },
        ...(held.length > 0
          ? [
              {
                head: 'Buy and hold',
                isNumber: true,
                cell: (point: LinePoint) => <Money value={heldAt.get(point.at)} currency={currency} />,
              },
            ]
          : []),
        ...(drawdown
          ? [
              {
                head: 'Drawdown',
                isNumber: true,
                cell: (point: LinePoint) => <Percent value={fallAt.get(point.at)} />,
              },
            ]
          : []),
      ]}
    />
  );
  return (
    <ChartFrame
      label={label}
      summary={equitySummary(
        { equity, drawdown: falls, held: benchmark?.return_pct ?? null, currency, timeframe },
        format,
      )}
      table={table}
      tools={
        <>
          {held.length > 0 && (
            <Checkbox checked={isHeldShown} onChecked={setHeldShown}>
              Buy and hold
            </Checkbox>
          )}
          <Select
            aria-label="Scale of the chart"
            value={scale}
            onValue={setChosen}
            options={SCALES.filter(
              ({ value }) =>
                (value !== 'log' || hasLogarithm([equity, held])) &&
                (value !== 'percent' || growthLine(equity).length > 0),
            )}
          />
        </>
      }
    >
      {chosen === undefined && usual.reason !== '' && <p class="muted chart-note">{usual.reason}</p>}
      <Legend lines={[...data.lines, ...data.below]} at={at} timeText={timeText} />
      <Canvas load={loadLines} data={data} onMoment={setAt} isTall={drawdown} />
    </ChartFrame>
  );
};
