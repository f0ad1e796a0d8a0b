import {
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { format } from '../../format.ts';
import type { TimeAxis } from '../models/time-axis.ts';
import { type Colours, coloursAt } from './colours.ts';

/** Span of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Drawn chart. */
export interface Drawing<D> {
  /** Shows other data. The visible part of the chart stays; all of the data stays all of it, where it can become longer. */
  readonly update: (data: D) => void;
  /** Takes the colours of the theme over. */
  readonly recolour: () => void;
  /** Shows more or less time: half of it with 0.5, twice as much with 2. */
  readonly zoom: (factor: number) => void;
  /** Moves by a part of the visible time. Negative is earlier. */
  readonly pan: (part: number) => void;
  /** Shows all data. */
  readonly fit: () => void;
  /** Shows the bars of a span, and as many around it that they are legible. */
  readonly show: (span: Span) => void;
  readonly remove: () => void;
}

/** Function that draws a chart into an element. It reports the moment that the pointer is at. */
export type Draw<D> = (
  element: HTMLElement,
  data: D,
  onMoment: (millis: number | undefined) => void,
) => Drawing<D>;

/** Converts seconds to the library's type of times. */
export const asTime = (seconds: number): UTCTimestamp => {
  const isTime = (value: number): value is UTCTimestamp => Number.isFinite(value);
  if (!isTime(seconds)) throw new Error('a time of a chart is not a number');
  return seconds;
};

/** Types of ticks, as the library numbers them. */
const TICKS: Readonly<Record<number, Intl.DateTimeFormatOptions>> = {
  0: { year: 'numeric' },
  1: { month: 'short' },
  2: { day: 'numeric', month: 'short' },
  3: { hour: 'numeric', minute: '2-digit' },
  4: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

const tickText = (time: Time, type: number): string =>
  typeof time === 'number'
    ? new Intl.DateTimeFormat(undefined, { ...TICKS[type], timeZone: 'UTC' }).format(time * 1000)
    : '';

const themeOf = (colour: Colours) => ({
  layout: {
    background: { type: ColorType.Solid, color: colour('surface') },
    textColor: colour('muted'),
    panes: { separatorColor: colour('line'), separatorHoverColor: colour('line') },
  },
  grid: { vertLines: { color: colour('line', 0.4) }, horzLines: { color: colour('line', 0.4) } },
  timeScale: { borderColor: colour('line') },
  rightPriceScale: { borderColor: colour('line') },
  crosshair: {
    vertLine: { color: colour('muted'), labelBackgroundColor: colour('series-1') },
    horzLine: { color: colour('muted'), labelBackgroundColor: colour('series-1') },
  },
});

/** Data of a chart, with its axis and colours at present. */
export interface Scene<D> {
  readonly chart: IChartApi;
  data: D;
  axis: TimeAxis;
  colours: Colours;
}

/** Series of a kind of chart. */
interface Series<D> {
  /** Shows the data of the scene, which had other data before. Returns whether all of it is to be shown. */
  readonly fill: (before: D | undefined) => boolean;
  /** Takes over the colours of the scene. */
  readonly recolour: () => void;
}

interface ChartKind<D> {
  readonly axisOf: (data: D) => TimeAxis;
  /** True if the wheel of a mouse changes the visible time. The page does not scroll meanwhile. */
  readonly hasWheel: boolean;
  /** Adds the series to an empty chart. */
  readonly addSeries: (scene: Scene<D>) => Series<D>;
}

const controlsOf = (chart: IChartApi): Pick<Drawing<never>, 'zoom' | 'pan' | 'fit' | 'remove'> => {
  const scale = chart.timeScale();
  const change = (next: (from: number, to: number) => readonly [number, number]): void => {
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    const [from, to] = next(range.from, range.to);
    scale.setVisibleLogicalRange({ from, to });
  };
  return {
    zoom: (factor) =>
      change((from, to) => {
        const half = Math.max(2, ((to - from) * factor) / 2);
        const middle = (from + to) / 2;
        return [middle - half, middle + half];
      }),
    pan: (part) => change((from, to) => [from + part * (to - from), to + part * (to - from)]),
    fit: () => scale.fitContent(),
    remove: () => chart.remove(),
  };
};

/** Fewest bars that a span is shown with. */
const LEAST_BARS = 60;

/** Moves the visible time to a span. */
const showSpan = ({ chart, axis }: Pick<Scene<unknown>, 'chart' | 'axis'>, { from, to }: Span): void => {
  const scale = chart.timeScale();
  const [first, last] = [from, to].map((millis) => {
    const seconds = axis.secondsAt(millis);
    return seconds === undefined ? null : scale.timeToIndex(asTime(seconds), true);
  });
  if (typeof first !== 'number' || typeof last !== 'number') return;
  const room = Math.max((last - first) / 4, (LEAST_BARS - (last - first)) / 2);
  scale.setVisibleLogicalRange({ from: first - room, to: last + room });
};

/** Makes an empty chart in an element. It follows the size of the element. */
const emptyChart = (
  element: HTMLElement,
  colours: Colours,
  hasWheel: boolean,
  timeText: (seconds: number) => string,
): IChartApi =>
  createChart(element, {
    autoSize: true,
    ...themeOf(colours),
    layout: {
      ...themeOf(colours).layout,
      // The logo brings a style element, which the content policy refuses. A link below the chart replaces it.
      attributionLogo: false,
      fontFamily: getComputedStyle(element).fontFamily,
    },
    crosshair: { ...themeOf(colours).crosshair, mode: CrosshairMode.Normal },
    handleScroll: { mouseWheel: hasWheel, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
    handleScale: { mouseWheel: hasWheel, pinch: true },
    localization: { timeFormatter: (time: Time) => (typeof time === 'number' ? timeText(time) : '') },
    timeScale: {
      ...themeOf(colours).timeScale,
      timeVisible: true,
      // A narrow screen shows all points of several lines.
      minBarSpacing: 0.02,
      secondsVisible: false,
      lockVisibleTimeRangeOnResize: true,
      tickMarkFormatter: tickText,
    },
  });

/** Makes the function that draws a kind of chart. */
export const drawerOf =
  <D extends { readonly timeframe: string }>({ axisOf, hasWheel, addSeries }: ChartKind<D>): Draw<D> =>
  (element, first, onMoment) => {
    const colours = coloursAt(element);
    const chart = emptyChart(element, colours, hasWheel, (seconds) => {
      const { axis, data } = scene;
      return format.bar(axis.millisOf(seconds), data.timeframe).text;
    });
    const scene: Scene<D> = { chart, data: first, axis: axisOf(first), colours };
    chart.subscribeCrosshairMove(({ time }: MouseEventParams) => {
      onMoment(typeof time === 'number' ? scene.axis.millisOf(time) : undefined);
    });
    const controls = controlsOf(chart);
    const series = addSeries(scene);
    series.fill(undefined);
    controls.fit();
    return {
      ...controls,
      show: (span) => showSpan(scene, span),
      update: (next) => {
        const before = scene.data;
        scene.data = next;
        scene.axis = axisOf(next);
        if (series.fill(before)) controls.fit();
      },
      recolour: () => {
        scene.colours = coloursAt(element);
        chart.applyOptions(themeOf(scene.colours));
        series.recolour();
      },
    };
  };
