import {
  CandlestickSeries,
  createSeriesMarkers,
  HistogramSeries,
  PriceScaleMode,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { isDayOrLonger } from '../../format/times.ts';
import { format } from '../../format.ts';
import {
  type ChartCandle,
  type ChartTrade,
  type IndicatorLine,
  lengthOf,
  markersOf,
  type Timeframe,
} from '../models/candles.ts';
import { isWide } from '../models/lines.ts';
import { type TimeAxis, timeAxisOf } from '../models/time-axis.ts';
import type { Colours } from './colours.ts';
import { asTime, drawerOf, type Scene } from './drawing.ts';
import { indicatorLines } from './indicator-lines.ts';
import { tradeZones } from './trade-zones.ts';

/** Candles of an instrument, with indicators and trades. */
export interface CandlesData {
  readonly candles: readonly ChartCandle[];
  readonly lines: readonly IndicatorLine[];
  readonly trades: readonly ChartTrade[];
  readonly timeframe: Timeframe;
}

/** The most marks that have texts. */
const MOST_TEXTS = 16;
/** Part of the height that volumes take. */
const VOLUME_TOP = 0.85;

const axisOf = ({ candles, timeframe }: CandlesData): TimeAxis =>
  timeAxisOf(
    candles.map(({ start }) => Date.parse(start)),
    { isDaily: isDayOrLonger(timeframe) },
  );

const candleColours = (colour: Colours) => ({
  upColor: colour('gain'),
  downColor: colour('loss'),
  borderUpColor: colour('gain'),
  borderDownColor: colour('loss'),
  wickUpColor: colour('gain'),
  wickDownColor: colour('loss'),
});

/** Returns the scale of prices: a logarithmic one if they change so much that the low ones would look flat. */
const scaleOf = (candles: readonly ChartCandle[]): PriceScaleMode =>
  isWide(candles.map(({ start, close }) => ({ at: Date.parse(start), value: close })))
    ? PriceScaleMode.Logarithmic
    : PriceScaleMode.Normal;

const addSeries = (scene: Scene<CandlesData>) => {
  const { chart } = scene;
  const candles = chart.addSeries(CandlestickSeries, {
    ...candleColours(scene.colours),
    priceLineVisible: false,
    priceFormat: { type: 'custom', formatter: (price: number) => format.price(price), minMove: 1e-8 },
  });
  const markers = createSeriesMarkers<Time>(candles, []);
  candles.attachPrimitive(tradeZones(scene, candles));
  const volumes = chart.addSeries(HistogramSeries, {
    color: scene.colours('muted', 0.25),
    priceScaleId: 'volume',
    priceLineVisible: false,
    lastValueVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });
  const indicators = indicatorLines(chart);
  const markerOf = (marker: ReturnType<typeof markersOf>[number], hasText: boolean): SeriesMarker<Time> => {
    const isBuy = marker.action === 'buy';
    return {
      time: asTime(marker.time),
      position: isBuy ? 'belowBar' : 'aboveBar',
      shape: isBuy ? 'arrowUp' : 'arrowDown',
      color: scene.colours(marker.tone === 'plain' ? 'series-1' : marker.tone),
      ...(hasText && { text: marker.text }),
    };
  };
  const drawTrades = (): void => {
    const percentText = (points: number): string => format.percent(points, { signed: true, digits: 1 });
    const { candles: bars, trades, timeframe } = scene.data;
    const marks = markersOf(trades, bars, scene.axis, lengthOf(timeframe), percentText);
    markers.setMarkers(marks.map((mark) => markerOf(mark, marks.length <= MOST_TEXTS)));
  };
  return {
    fill: (before: CandlesData | undefined): boolean => {
      const { data, axis, colours } = scene;
      const times = data.candles.map(({ start }) => axis.secondsOf(Date.parse(start)));
      const eachBar = <T>(map: (candle: ChartCandle) => T): (T & { time: UTCTimestamp })[] =>
        data.candles.flatMap((candle, index) => {
          const time = times[index];
          return time === undefined ? [] : [{ time: asTime(time), ...map(candle) }];
        });
      candles.setData(eachBar(({ open, high, low, close }) => ({ open, high, low, close })));
      candles.priceScale().applyOptions({ mode: scaleOf(data.candles) });
      volumes.setData(eachBar(({ volume = 0 }) => ({ value: volume })));
      indicators.fill(data.lines, times, colours);
      drawTrades();
      return before?.candles[0]?.start !== data.candles[0]?.start;
    },
    recolour: (): void => {
      candles.applyOptions(candleColours(scene.colours));
      volumes.applyOptions({ color: scene.colours('muted', 0.25) });
      indicators.recolour(scene.colours);
      drawTrades();
    },
  };
};

/** Draws candles and indicators with the entries, exits, stops and targets of trades. */
export const draw = drawerOf<CandlesData>({ axisOf, hasWheel: true, addSeries });
