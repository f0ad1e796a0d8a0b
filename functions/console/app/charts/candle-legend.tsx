import { format } from '../format.ts';
import type { ChartCandle, IndicatorLine, Timeframe } from './models/candles.ts';
import { LINE_COLOURS } from './models/line-colours.ts';
import { readable } from './models/rules-chart.ts';

interface CandleLegendProps {
  readonly candles: readonly ChartCandle[];
  readonly lines: readonly IndicatorLine[];
  /** Index of the bar whose values are shown. */
  readonly index: number;
  readonly timeframe: Timeframe;
}

const SHORT = [
  ['open', 'O'],
  ['high', 'H'],
  ['low', 'L'],
  ['close', 'C'],
] as const;

const LOOKS = ['line', 'dashed', 'dotted'] as const;

const lookOf = (place: number): string =>
  `legend-${LINE_COLOURS[place % LINE_COLOURS.length]} legend-${LOOKS[Math.floor(place / LINE_COLOURS.length) % LOOKS.length]}`;

/** Prices of a bar, and the names and values of the lines at it. */
export const CandleLegend = ({ candles, lines, index, timeframe }: CandleLegendProps) => {
  const candle = candles[index];
  if (!candle) return null;
  return (
    <div class="legend candle-legend">
      <span class="muted">{format.bar(candle.start, timeframe).text}</span>
      {SHORT.map(([name, letter]) => (
        <span key={name}>
          <abbr class="muted" title={name}>
            {letter}
          </abbr>{' '}
          <strong>{format.price(candle[name])}</strong>
        </span>
      ))}
      {lines.map(({ label, place, values }) => (
        <span key={label} class="legend-line">
          <span class={`legend-sign ${lookOf(place)}`} aria-hidden="true" />
          {label} <strong>{format.price(readable(values[index]))}</strong>
        </span>
      ))}
    </div>
  );
};
