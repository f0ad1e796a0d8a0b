import {
  CandlestickSeries,
  createSeriesMarkers,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts';
import { isDayOrLonger } from '../../format/times.ts';
import { format } from '../../format.ts';
import { type ChartCandle, type ChartTrade, lengthOf, markersOf, type Timeframe } from '../models/candles.ts';
import { type TimeAxis, timeAxisOf } from '../models/time-axis.ts';
import type { Colours } from './colours.ts';
import { asTime, drawerOf, type Scene } from './drawing.ts';

/** Candles of an instrument, and trades on them. */
export interface CandlesData {
  readonly candles: readonly ChartCandle[];
  readonly trades: readonly ChartTrade[];
  readonly timeframe: Timeframe;
}

/** Trades whose stops and targets are drawn: each takes a line of its own. */
const MOST_LEVELS = 20;

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

/** Stop or target of a trade, while it is open. */
interface Level {
  readonly title: 'Stop' | 'Target';
  readonly price: number;
  readonly from: number;
  readonly to: number;
}

const levelsOf = ({ candles, trades }: CandlesData, axis: TimeAxis): Level[] => {
  const first = Date.parse(candles[0]?.start ?? '');
  const last = Date.parse(candles.at(-1)?.start ?? '');
  return trades.slice(-MOST_LEVELS).flatMap(({ entry_at, exit_at, stop, target }) => {
    const from = axis.secondsAt(Math.max(first, Date.parse(entry_at)));
    const to = axis.secondsAt(Math.min(last, Date.parse(exit_at ?? '') || last));
    if (from === undefined || to === undefined || to < from) return [];
    return [
      ...(stop ? [{ title: 'Stop', price: stop, from, to } as const] : []),
      ...(target ? [{ title: 'Target', price: target, from, to } as const] : []),
    ];
  });
};

const addSeries = (scene: Scene<CandlesData>) => {
  const { chart } = scene;
  const candles = chart.addSeries(CandlestickSeries, {
    ...candleColours(scene.colours),
    priceLineVisible: false,
    priceFormat: { type: 'custom', formatter: (price: number) => format.price(price), minMove: 1e-8 },
  });
  const markers = createSeriesMarkers<Time>(candles, []);
  let levels: ISeriesApi<'Line'>[] = [];
  const markerOf = (marker: ReturnType<typeof markersOf>[number]): SeriesMarker<Time> => {
    const isBuy = marker.action === 'buy';
    return {
      time: asTime(marker.time),
      position: isBuy ? 'belowBar' : 'aboveBar',
      shape: isBuy ? 'arrowUp' : 'arrowDown',
      color: scene.colours(marker.tone === 'plain' ? 'series-1' : marker.tone),
      text: marker.text,
    };
  };
  const drawTrades = (): void => {
    const percentText = (points: number): string => format.percent(points, { signed: true, digits: 1 });
    const { data, axis, colours } = scene;
    const { candles: bars, trades, timeframe } = data;
    markers.setMarkers(markersOf(trades, bars, axis, lengthOf(timeframe), percentText).map(markerOf));
    for (const level of levels) chart.removeSeries(level);
    levels = levelsOf(data, axis).map(({ title, price, from, to }) => {
      const level = chart.addSeries(LineSeries, {
        color: colours(title === 'Stop' ? 'loss' : 'gain'),
        lineWidth: 2,
        lineStyle: LineStyle.Dashed,
        title,
        priceLineVisible: false,
        crosshairMarkerVisible: false,
      });
      level.setData(
        from === to
          ? [{ time: asTime(from), value: price }]
          : [
              { time: asTime(from), value: price },
              { time: asTime(to), value: price },
            ],
      );
      return level;
    });
  };
  return {
    fill: (before: CandlesData | undefined): boolean => {
      const { data, axis } = scene;
      candles.setData(
        data.candles.flatMap(({ start, open, high, low, close }) => {
          const seconds = axis.secondsOf(Date.parse(start));
          return seconds === undefined ? [] : [{ time: asTime(seconds), open, high, low, close }];
        }),
      );
      drawTrades();
      return before?.candles[0]?.start !== data.candles[0]?.start;
    },
    recolour: (): void => {
      candles.applyOptions(candleColours(scene.colours));
      drawTrades();
    },
  };
};

/** Draws candles with the entries, exits, stops and targets of trades. */
export const draw = drawerOf<CandlesData>({ axisOf, hasWheel: true, addSeries });
