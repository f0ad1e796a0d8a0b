import type { LinePoint } from '../../charts/models/lines.ts';
import { type Axis, axisOf, logAxisOf, type PlotBox } from '../../charts/models/plot.ts';
import { Plot, placesIn } from '../../charts/plot.tsx';
import { format } from '../../format.ts';

const BOX: PlotBox = { width: 900, height: 300, left: 104, right: 20, top: 12, bottom: 24 };
const DRAWDOWN_BOX: PlotBox = { ...BOX, height: 120 };
const TICKS = 6;

const timeAxis = (lines: readonly (readonly LinePoint[])[]): Axis => {
  const moments = lines.flatMap((line) => [line[0]?.at, line.at(-1)?.at].filter((at) => at !== undefined));
  const [from, to] = [Math.min(...moments), Math.max(...moments)];
  const step = (to - from) / (TICKS - 1);
  return { from, to, ticks: Array.from({ length: TICKS }, (_, index) => from + index * step) };
};

const pathOf = (
  line: readonly LinePoint[],
  x: (at: number) => number,
  y: (value: number) => number,
): string => `M${line.map(({ at, value }) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`;

const dayText = (at: number): string => format.bar(at, '1d').text;

interface EquityDrawingProps {
  readonly equity: readonly LinePoint[];
  readonly held: readonly LinePoint[];
  readonly isLogarithmic: boolean;
  readonly currency: string;
}

/** Equity with buying and holding, as a drawing of its own. */
export const EquityDrawing = ({ equity, held, isLogarithmic, currency }: EquityDrawingProps) => {
  const lines = [equity, held].filter(({ length }) => length > 1);
  const values = lines.flat().map(({ value }) => value);
  const up = isLogarithmic ? logAxisOf(values) : axisOf(values);
  const across = timeAxis(lines);
  const { x, y } = placesIn(across, up, BOX);
  const scaled = (line: readonly LinePoint[]): readonly LinePoint[] =>
    isLogarithmic ? line.map(({ at, value }) => ({ at, value: Math.log10(value) })) : line;
  return (
    <Plot
      across={across}
      up={up}
      acrossText={dayText}
      upText={(value) => format.shortMoney(isLogarithmic ? 10 ** value : value, currency)}
      acrossName=""
      upName=""
      box={BOX}
    >
      {held.length > 1 && <path class="line line-held" d={pathOf(scaled(held), x, y)} />}
      <path class="line line-equity" d={pathOf(scaled(equity), x, y)} />
    </Plot>
  );
};

/** Falls of the equity from its last high, on the same axis of time. */
export const DrawdownDrawing = ({
  falls,
  held,
}: {
  readonly falls: readonly LinePoint[];
  readonly held: readonly LinePoint[];
}) => {
  const across = timeAxis([falls, held].filter(({ length }) => length > 1));
  const up = axisOf([0, ...falls.map(({ value }) => value)], 3);
  const { x, y } = placesIn(across, up, DRAWDOWN_BOX);
  const [first, last] = [falls[0]?.at ?? 0, falls.at(-1)?.at ?? 0];
  return (
    <Plot
      across={across}
      up={up}
      acrossText={dayText}
      upText={(value) => format.percent(value, { digits: 0 })}
      acrossName=""
      upName=""
      box={DRAWDOWN_BOX}
    >
      <path class="area" d={`${pathOf(falls, x, y)}L${x(last)} ${y(0)}L${x(first)} ${y(0)}Z`} />
    </Plot>
  );
};
