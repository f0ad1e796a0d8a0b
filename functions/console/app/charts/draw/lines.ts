import {
  AreaSeries,
  type IChartApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { isDayOrLonger } from '../../format/times.ts';
import type { LinePoint } from '../models/lines.ts';
import { type TimeAxis, timeAxisOf } from '../models/time-axis.ts';
import type { Colours, ColourToken } from './colours.ts';
import { asTime, drawerOf, type Scene } from './drawing.ts';
import { type Mark, markOf } from './mark.ts';

export interface ChartLine {
  readonly name: string;
  readonly colour: ColourToken;
  /** Dashed lines are for comparison; areas hang from the top of the lower part. */
  readonly kind: 'line' | 'dashed' | 'area';
  readonly points: readonly LinePoint[];
  /** Writes a value of the line. */
  readonly text: (value: number) => string;
}

/** Lines of a chart. The lower part is optional. */
export interface LinesData {
  readonly lines: readonly ChartLine[];
  /** Areas in the lower part of the chart, on the same axis of time. */
  readonly below: readonly ChartLine[];
  /** Length of a bar; days and weeks are shown without a time. */
  readonly timeframe: string;
  readonly isLogarithmic: boolean;
  readonly mark?: Mark;
}

interface Series {
  readonly setData: (points: { readonly time: UTCTimestamp; readonly value: number }[]) => void;
  /** Takes over how the values of a line are written. */
  readonly describe: (line: ChartLine) => void;
  readonly recolour: (colours: Colours) => void;
  readonly remove: () => void;
}

const formatOf = ({ text }: ChartLine) => ({
  priceFormat: { type: 'custom' as const, formatter: text, minMove: 1e-8 },
});

const commonOptions = (line: ChartLine) => ({
  lineWidth: 2 as const,
  priceLineVisible: false,
  ...formatOf(line),
});

const areaColours = ({ colour: token }: ChartLine, colour: Colours) => ({
  lineColor: colour(token),
  topColor: colour(token, 0.05),
  bottomColor: colour(token, 0.35),
});

const addLine = (chart: IChartApi, line: ChartLine, pane: number, colour: Colours): Series => {
  if (line.kind === 'area') {
    const area = chart.addSeries(
      AreaSeries,
      { ...commonOptions(line), ...areaColours(line, colour), invertFilledArea: true },
      pane,
    );
    return {
      setData: (points) => area.setData(points),
      describe: (next) => area.applyOptions(formatOf(next)),
      recolour: (next) => area.applyOptions(areaColours(line, next)),
      remove: () => chart.removeSeries(area),
    };
  }
  const lineStyle = line.kind === 'dashed' ? LineStyle.Dashed : LineStyle.Solid;
  const series = chart.addSeries(
    LineSeries,
    { ...commonOptions(line), color: colour(line.colour), lineStyle },
    pane,
  );
  return {
    setData: (points) => series.setData(points),
    describe: (next) => series.applyOptions(formatOf(next)),
    recolour: (next) => series.applyOptions({ color: next(line.colour) }),
    remove: () => chart.removeSeries(series),
  };
};

const axisOf = ({ lines, below, timeframe }: LinesData): TimeAxis =>
  timeAxisOf(
    [...lines, ...below].flatMap(({ points }) => points.map(({ at }) => at)),
    { isDaily: isDayOrLonger(timeframe) },
  );

const linesOf = ({ lines, below }: LinesData): ChartLine[] => [...lines, ...below];

/** Tells whether a chart shows the lines from their beginning to their end. */
const isWhole = (chart: IChartApi, data: LinesData): boolean => {
  const shown = chart.timeScale().getVisibleLogicalRange();
  const last = Math.max(0, ...linesOf(data).map(({ points }) => points.length)) - 1;
  // The first and the last point may be half cut off.
  return shown !== null && shown.from <= 0.5 && shown.to >= last - 0.5;
};

const addSeries = (scene: Scene<LinesData>) => {
  const { chart } = scene;
  let series: Series[] = [];
  const rebuild = (): void => {
    const { data, colours } = scene;
    for (const one of series) one.remove();
    series = linesOf(data).map((line, index) =>
      addLine(chart, line, index < data.lines.length ? 0 : 1, colours),
    );
    const [upper, lower] = chart.panes();
    upper?.setStretchFactor(3);
    lower?.setStretchFactor(1);
    upper?.getSeries()[0]?.attachPrimitive(markOf(scene));
  };
  return {
    fill: (before: LinesData | undefined): boolean => {
      const { data, axis } = scene;
      const { lines, below, isLogarithmic } = data;
      const wasWhole = before !== undefined && isWhole(chart, before);
      if (lines.length !== before?.lines.length || below.length !== before.below.length) rebuild();
      for (const [index, line] of linesOf(data).entries()) {
        series[index]?.describe(line);
        series[index]?.setData(
          line.points.flatMap(({ at, value }) => {
            const seconds = axis.secondsOf(at);
            return seconds === undefined ? [] : [{ time: asTime(seconds), value }];
          }),
        );
      }
      chart.priceScale('right', 0).applyOptions({
        mode: isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
      });
      return wasWhole;
    },
    recolour: (): void => {
      for (const one of series) one.recolour(scene.colours);
    },
  };
};

/** Draws lines, with areas below them on the same axis of time. */
export const draw = drawerOf<LinesData>({ axisOf, hasWheel: false, addSeries });
