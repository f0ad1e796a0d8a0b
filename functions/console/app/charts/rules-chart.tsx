import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RulesChart as RulesChartData } from '../../../../infra/client/package/src/index.ts';
import { CandleChart } from './candle-chart.tsx';
import type { Span } from './draw/drawing.ts';
import type { ChartTrade } from './models/candles.ts';
import { rulesLines } from './models/rules-chart.ts';

interface RulesChartProps {
  readonly label: string;
  /** Answer of `/chart_rules`. */
  readonly chart: RulesChartData;
  readonly trades: readonly ChartTrade[];
  /** Gets the start of the bar that the pointer is at; undefined without one. */
  readonly onBar?: (start: number | undefined) => void;
  readonly tools?: ComponentChildren;
  /** Span to show; another one moves the chart. */
  readonly focus?: Span | undefined;
  /** True for a chart that fills the height of the screen. */
  readonly isFull?: boolean;
}

/** Candles with the indicators of rules, and the entries, exits, stops and targets of trades. */
export const RulesChart = ({ label, chart, ...more }: RulesChartProps) => {
  const { candles, lines } = useMemo(() => rulesLines(chart), [chart]);
  return <CandleChart label={label} candles={candles} lines={lines} timeframe={chart.timeframe} {...more} />;
};
