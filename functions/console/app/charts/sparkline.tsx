import { format } from '../format.ts';
import { SPARK_BOX, sparkPath } from './models/spark.ts';

interface SparklineProps {
  /** Percentages in the order of time. */
  readonly points: readonly number[];
  /** Name of the line, for screen readers. */
  readonly label: string;
}

const shown = (value: number | undefined): string => format.percent(value, { signed: true });

/** Small line of percentages without axes; nothing with fewer than two. */
export const Sparkline = ({ points, label }: SparklineProps) =>
  points.length < 2 ? null : (
    <svg
      class="sparkline"
      role="img"
      aria-label={`${label}: now ${shown(points.at(-1))}, lowest ${shown(Math.min(...points))}, highest ${shown(Math.max(...points))}`}
      viewBox={`0 0 ${SPARK_BOX.width} ${SPARK_BOX.height}`}
      preserveAspectRatio="none"
    >
      <path d={sparkPath(points)} vector-effect="non-scaling-stroke" />
    </svg>
  );
