import type { ComponentChildren } from 'preact';
import { type Axis, PLOT_BOX, type PlotBox, placeOn } from './models/plot.ts';

/** Returns the places of values in a plot. */
export const placesIn = (
  across: Axis,
  up: Axis,
  { width, height, left, right, top, bottom }: PlotBox = PLOT_BOX,
) => ({
  x: placeOn(across, left, width - right),
  y: placeOn(up, height - bottom, top),
});

interface PlotProps {
  readonly across: Axis;
  readonly up: Axis;
  readonly acrossText: (value: number) => string;
  readonly upText: (value: number) => string;
  /** Names of the axes; empty for an axis that names itself. */
  readonly acrossName: string;
  readonly upName: string;
  readonly box?: PlotBox;
  readonly children: ComponentChildren;
}

/** Axes of a small drawing. The sentence before it describes it to people who do not see it. */
export const Plot = (props: PlotProps) => {
  const { across, up, acrossText, upText, box = PLOT_BOX } = props;
  const { width, height, left, right, top, bottom } = box;
  const { x, y } = placesIn(across, up, box);
  return (
    <svg class="plot" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {up.ticks.map((tick) => (
        <g key={tick}>
          <line class="plot-grid" x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4} text-anchor="end">
            {upText(tick)}
          </text>
        </g>
      ))}
      {across.ticks.map((tick, index) => (
        <text
          key={tick}
          x={x(tick)}
          y={height - bottom + 16}
          text-anchor={index === across.ticks.length - 1 ? 'end' : 'middle'}
        >
          {acrossText(tick)}
        </text>
      ))}
      <line class="plot-axis" x1={left} x2={width - right} y1={height - bottom} y2={height - bottom} />
      <text class="plot-name" x={(left + width - right) / 2} y={height - 6} text-anchor="middle">
        {props.acrossName}
      </text>
      <text
        class="plot-name"
        transform={`translate(12 ${(top + height - bottom) / 2}) rotate(-90)`}
        text-anchor="middle"
      >
        {props.upName}
      </text>
      {props.children}
    </svg>
  );
};
