import { type IChartApi, type IPriceLine, type ISeriesApi, LineSeries, LineStyle } from 'lightweight-charts';
import { format } from '../../format.ts';
import type { IndicatorLine } from '../models/candles.ts';
import { LINE_COLOURS } from '../models/line-colours.ts';
import { MOST_PANES, readable } from '../models/rules-chart.ts';
import type { Colours } from './colours.ts';
import { asTime } from './drawing.ts';

/** Styles by the round of colours, so that lines of one colour differ. */
const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted] as const;

/** Height of the price pane, in panes of indicators. */
const PRICE_SHARE = 3;

interface Drawn {
  readonly series: ISeriesApi<'Line'>;
  readonly levels: readonly IPriceLine[];
  readonly line: IndicatorLine;
}

const optionsOf = ({ place }: IndicatorLine, colours: Colours) => ({
  color: colours(LINE_COLOURS[place % LINE_COLOURS.length] ?? 'series-1'),
  lineStyle: STYLES[Math.floor(place / LINE_COLOURS.length) % STYLES.length] ?? LineStyle.Solid,
});

const shapeOf = (lines: readonly IndicatorLine[]): string =>
  JSON.stringify(lines.map(({ label, pane, place, levels }) => [label, pane, place, levels]));

/** Draws lines of indicators over the candles, and in panes below. */
export const indicatorLines = (chart: IChartApi) => {
  let drawn: readonly Drawn[] = [];
  let shape = '';

  const build = (lines: readonly IndicatorLine[], colours: Colours): void => {
    for (const { series } of drawn) chart.removeSeries(series);
    drawn = lines
      .filter(({ pane }) => pane <= MOST_PANES)
      .toSorted((left, right) => left.pane - right.pane)
      .map((line) => {
        const series = chart.addSeries(
          LineSeries,
          {
            ...optionsOf(line, colours),
            lineWidth: 2,
            priceLineVisible: false,
            lastValueVisible: line.pane > 0,
            crosshairMarkerRadius: 3,
            priceFormat: {
              type: 'custom',
              formatter: (value: number) => format.price(readable(value)),
              minMove: 1e-8,
            },
          },
          line.pane,
        );
        const levels = line.levels.map((price) =>
          series.createPriceLine({
            price,
            color: colours('muted'),
            lineWidth: 1,
            lineStyle: LineStyle.Dashed,
            axisLabelVisible: true,
          }),
        );
        return { series, levels, line };
      });
    for (const [index, pane] of chart.panes().entries()) pane.setStretchFactor(index === 0 ? PRICE_SHARE : 1);
  };

  return {
    fill: (
      lines: readonly IndicatorLine[],
      times: readonly (number | undefined)[],
      colours: Colours,
    ): void => {
      const next = shapeOf(lines);
      if (next !== shape) build(lines, colours);
      shape = next;
      for (const { series, line } of drawn) {
        const { values } = lines.find(({ place }) => place === line.place) ?? line;
        series.setData(
          times.flatMap((time, index) => {
            const value = values[index];
            if (time === undefined) return [];
            return value === null || value === undefined
              ? [{ time: asTime(time) }]
              : [{ time: asTime(time), value }];
          }),
        );
      }
    },
    recolour: (colours: Colours): void => {
      for (const { series, levels, line } of drawn) {
        series.applyOptions(optionsOf(line, colours));
        for (const level of levels) level.applyOptions({ color: colours('muted') });
      }
    },
  };
};
