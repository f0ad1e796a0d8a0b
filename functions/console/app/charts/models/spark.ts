import { thinned } from './lines.ts';

/** Width and height of the drawing of a small line. */
export const SPARK_BOX = { width: 120, height: 36 } as const;

const MOST_POINTS = 120;
/** Space for the width of the line. */
const MARGIN = 2;

/** Returns the path of a small line in an SVG of {@link SPARK_BOX}; empty with fewer than two numbers. */
export const sparkPath = (values: readonly number[]): string => {
  const shown = thinned(values.filter(Number.isFinite), MOST_POINTS);
  if (shown.length < 2) return '';
  const least = shown.reduce((lowest, value) => Math.min(lowest, value));
  const most = shown.reduce((highest, value) => Math.max(highest, value));
  const step = SPARK_BOX.width / (shown.length - 1);
  const space = SPARK_BOX.height - 2 * MARGIN;
  const heightOf = (value: number): number =>
    // Halves keep the span of very large numbers finite.
    most === least ? 0.5 : (value / 2 - least / 2) / (most / 2 - least / 2);
  const points = shown.map((value, index) => {
    const x = (index * step).toFixed(1);
    const y = (MARGIN + (1 - heightOf(value)) * space).toFixed(1);
    return `${x} ${y}`;
  });
  return `M${points.join('L')}`;
};
