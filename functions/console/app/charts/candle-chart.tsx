import { useMemo, useState } from 'preact/hooks';
import { format } from '../format.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Shown } from '../ui/figures.tsx';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { CandlesData } from './draw/candles.ts';
import type { ChartCandle, ChartTrade, Timeframe } from './models/candles.ts';
import { candlesSummary } from './models/summaries.ts';

interface CandleChartProps {
  readonly label: string;
  readonly candles: readonly ChartCandle[];
  readonly trades: readonly ChartTrade[];
  readonly timeframe: Timeframe;
}

const TABLE_ROWS = 100;

const loadCandles = () => import('./draw/candles.ts');

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Candles with the entries, exits, stops and targets of trades. */
export const CandleChart = ({ label, candles, trades, timeframe }: CandleChartProps) => {
  const [at, setAt] = useState<number>();
  const data = useMemo((): CandlesData => ({ candles, trades, timeframe }), [candles, trades, timeframe]);
  const shown = candles.find(({ start }) => Date.parse(start) === at) ?? candles.at(-1);
  if (!shown) {
    return (
      <section class="card chart">
        <h2>{label}</h2>
        <p class="empty">There are no candles in this span of time.</p>
      </section>
    );
  }
  const table = () => (
    <DataTable
      caption={`${label}, the last ${format.count(Math.min(TABLE_ROWS, candles.length))} bars`}
      rows={candles.slice(-TABLE_ROWS).reverse()}
      rowKey={({ start }) => start}
      columns={[
        {
          head: 'Bar',
          isHead: true,
          cell: ({ start }) => <Shown text={format.bar(start, timeframe).text} />,
        },
        ...PRICES.map((name) => ({
          head: `${name[0]?.toUpperCase()}${name.slice(1)}`,
          isNumber: true,
          cell: (candle: ChartCandle) => format.price(candle[name]),
        })),
      ]}
    />
  );
  return (
    <ChartFrame label={label} summary={candlesSummary({ candles, trades, timeframe }, format)} table={table}>
      <div class="row legend">
        <span class="muted">{format.bar(shown.start, timeframe).text}</span>
        {PRICES.map((name) => (
          <span key={name}>
            {name} <strong>{format.price(shown[name])}</strong>
          </span>
        ))}
      </div>
      <Canvas load={loadCandles} data={data} onMoment={setAt} isTall />
    </ChartFrame>
  );
};
