import type { ChartLine } from './draw/lines.ts';
import type { LinePoint } from './models/lines.ts';

interface LegendProps {
  readonly lines: readonly ChartLine[];
  /** Moment that the pointer is at; undefined for the newest. */
  readonly at: number | undefined;
  readonly timeText: (millis: number) => string;
}

/** Returns the last point at or before a moment. */
const pointAt = (points: readonly LinePoint[], at: number): LinePoint | undefined =>
  points.findLast((point) => point.at <= at);

/** Names of the lines with their values at the pointer, or their newest values. */
export const Legend = ({ lines, at, timeText }: LegendProps) => {
  const newest = Math.max(...lines.map(({ points }) => points.at(-1)?.at ?? Number.NEGATIVE_INFINITY));
  const moment = at ?? newest;
  return (
    <div class="row legend">
      <span class="muted">{Number.isFinite(moment) ? timeText(moment) : ''}</span>
      {lines.map((line) => {
        const point = pointAt(line.points, moment);
        return (
          <span key={line.name} class="legend-line">
            <span class={`legend-sign legend-${line.colour} legend-${line.kind}`} aria-hidden="true" />
            {line.name} <strong>{point ? line.text(point.value) : '–'}</strong>
          </span>
        );
      })}
    </div>
  );
};
