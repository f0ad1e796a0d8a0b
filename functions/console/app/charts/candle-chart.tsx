import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { BarTime, Price } from '../ui/figures.tsx';
import { CandleLegend } from './candle-legend.tsx';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { CandlesData } from './draw/candles.ts';
import type { Span } from './draw/drawing.ts';
import type { ChartCandle, ChartTrade, IndicatorLine, Timeframe } from './models/candles.ts';
import { readable } from './models/rules-chart.ts';
import { candlesSummary } from './models/summaries.ts';

interface CandleChartProps {
  readonly label: string;
  readonly candles: readonly ChartCandle[];
  readonly lines?: readonly IndicatorLine[];
  readonly trades: readonly ChartTrade[];
  readonly timeframe: Timeframe;
  /** Gets the start of the bar that the pointer is at; undefined without one. */
  readonly onBar?: (start: number | undefined) => void;
  readonly tools?: ComponentChildren;
  /** Span to show; another one moves the chart. */
  readonly focus?: Span | undefined;
  /** True for a chart that fills the height of the screen. */
  readonly isFull?: boolean;
}

const TABLE_ROWS = 100;

const NO_LINES: readonly IndicatorLine[] = [];

const loadCandles = () => import('./draw/candles.ts');

const CANDLE_PRICES = ['open', 'high', 'low', 'close'] as const;

/** Candles with lines of indicators, and the entries, exits, stops and targets of trades. */
export const CandleChart = (props: CandleChartProps) => {
  const { label, candles, lines = NO_LINES, trades, timeframe, onBar, tools, focus, isFull = false } = props;
  const [at, setAt] = useState<number>();
  const data = useMemo(
    (): CandlesData => ({ candles, lines, trades, timeframe }),
    [candles, lines, trades, timeframe],
  );
  const index = candles.findIndex(({ start }) => Date.parse(start) === at);
  const shown = index < 0 ? candles.length - 1 : index;
  if (candles.length === 0) {
    return (
      <section class="card chart">
        <h2>{label}</h2>
        <p class="empty">There are no candles in this span of time.</p>
      </section>
    );
  }
  const firstRow = Math.max(0, candles.length - TABLE_ROWS);
  const table = () => (
    <DataTable
      caption={`${label}, the last ${format.count(candles.length - firstRow)} bars`}
      rows={candles
        .slice(firstRow)
        .map((candle, place) => ({ candle, place: firstRow + place }))
        .reverse()}
      rowKey={({ candle }) => candle.start}
      columns={[
        {
          head: 'Bar',
          isHead: true,
          cell: ({ candle }) => <BarTime at={candle.start} timeframe={timeframe} />,
        },
        ...CANDLE_PRICES.map((name) => ({
          head: `${name[0]?.toUpperCase()}${name.slice(1)}`,
          isNumber: true,
          cell: ({ candle }: { readonly candle: ChartCandle }) => <Price value={candle[name]} />,
        })),
        ...lines.map(({ label: head, values }) => ({
          head,
          isNumber: true,
          cell: ({ place }: { readonly place: number }) => <Price value={readable(values[place])} />,
        })),
      ]}
    />
  );
  return (
    <ChartFrame
      label={label}
      summary={candlesSummary({ candles, lines, trades, timeframe }, format)}
      table={table}
      tools={tools}
    >
      <CandleLegend candles={candles} lines={lines} index={shown} timeframe={timeframe} />
      <Canvas
        load={loadCandles}
        data={data}
        onMoment={(moment) => {
          setAt(moment);
          onBar?.(moment);
        }}
        focus={focus}
        isTall
        isFull={isFull}
      />
    </ChartFrame>
  );
};
