import type { ISeriesApi, ISeriesPrimitive, Logical, Time } from 'lightweight-charts';
import type { ChartTrade } from '../models/candles.ts';
import type { TimeAxis } from '../models/time-axis.ts';
import { asTime, type Scene } from './drawing.ts';

/** Data of a chart with trades on candles. */
interface Traded {
  readonly candles: readonly { readonly start: string }[];
  readonly trades: readonly ChartTrade[];
}

/** Stop and target of a trade, from its entry to its exit. */
interface Zone {
  /** Times of the chart. */
  readonly from: number;
  readonly to: number;
  readonly entry: number;
  readonly stop: number | undefined;
  readonly target: number | undefined;
}

const DASHES = [4, 3];
const LABEL_WIDTH = 44;
const FILL = 0.1;

const zonesOf = ({ candles, trades }: Traded, axis: TimeAxis): Zone[] => {
  const first = Date.parse(candles[0]?.start ?? '');
  const last = Date.parse(candles.at(-1)?.start ?? '');
  return trades.flatMap(({ entry_at, exit_at, entry_price, stop_loss, take_profit }) => {
    const [opened, closed] = [Date.parse(entry_at), Date.parse(exit_at ?? '') || last];
    if (closed < first || opened > last || !(stop_loss || take_profit)) return [];
    const from = axis.secondsAt(Math.max(first, opened));
    const to = axis.secondsAt(Math.min(last, closed));
    if (from === undefined || to === undefined) return [];
    return [{ from, to, entry: entry_price, stop: stop_loss ?? undefined, target: take_profit ?? undefined }];
  });
};

/** Draws the stops and targets of trades as zones between their prices and the entry, while a trade is open. */
export const tradeZones = <D extends Traded>(
  scene: Scene<D>,
  series: ISeriesApi<'Candlestick'>,
): ISeriesPrimitive<Time> => {
  let known: { readonly data: D; readonly zones: readonly Zone[] } | undefined;
  const zones = (): readonly Zone[] => {
    if (known?.data !== scene.data) known = { data: scene.data, zones: zonesOf(scene.data, scene.axis) };
    return known.zones;
  };
  const drawZone = (context: CanvasRenderingContext2D, zone: Zone, width: number): void => {
    const scale = scene.chart.timeScale();
    const half = scale.options().barSpacing / 2;
    const [start, end, entry] = [
      scale.timeToCoordinate(asTime(zone.from)),
      scale.timeToCoordinate(asTime(zone.to)),
      series.priceToCoordinate(zone.entry),
    ];
    if (start === null || end === null || entry === null || end + half < 0 || start - half > width) return;
    const [left, right] = [start - half, end + half];
    const level = (price: number | undefined, token: 'gain' | 'loss', text: string): void => {
      const place = price === undefined ? null : series.priceToCoordinate(price);
      if (place === null) return;
      context.fillStyle = scene.colours(token, FILL);
      context.fillRect(left, Math.min(entry, place), right - left, Math.abs(place - entry));
      context.strokeStyle = scene.colours(token);
      context.beginPath();
      context.moveTo(left, place);
      context.lineTo(right, place);
      context.stroke();
      if (right - left < LABEL_WIDTH) return;
      context.fillStyle = scene.colours(token);
      context.fillText(text, Math.max(left, 0) + 2, place - 2);
    };
    level(zone.stop, 'loss', 'Stop');
    level(zone.target, 'gain', 'Target');
  };
  return {
    paneViews: () => [
      {
        zOrder: () => 'bottom',
        renderer: () => ({
          draw: (target) =>
            target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
              const { fontSize, fontFamily } = scene.chart.options().layout;
              context.font = `${fontSize - 1}px ${fontFamily}`;
              context.textBaseline = 'bottom';
              context.lineWidth = 1;
              context.setLineDash(DASHES);
              for (const zone of zones()) drawZone(context, zone, width);
            }),
        }),
      },
    ],
    autoscaleInfo: (from: Logical, to: Logical) => {
      const scale = scene.chart.timeScale();
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const zone of zones()) {
        const [opened, closed] = [scale.timeToIndex(asTime(zone.from)), scale.timeToIndex(asTime(zone.to))];
        if (opened === null || closed === null || closed < from || opened > to) continue;
        for (const price of [zone.stop, zone.target]) {
          if (price === undefined) continue;
          low = Math.min(low, price);
          high = Math.max(high, price);
        }
      }
      return low > high ? null : { priceRange: { minValue: low, maxValue: high } };
    },
  };
};
