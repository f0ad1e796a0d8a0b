/** Width and height of the drawing of a plot, with the space for its axes. */
export interface PlotBox {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const PLOT_BOX: PlotBox = { width: 480, height: 280, left: 56, right: 12, top: 12, bottom: 44 };

const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Smallest step: less is the rounding of sums. */
const LEAST_STEP = 1e-9;

/** Returns the smallest round step that is not below a value. */
export const roundStep = (value: number): number => {
  if (!(value > LEAST_STEP) || !Number.isFinite(value)) return LEAST_STEP;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((step) => step * power >= value * (1 - 1e-9)) ?? 10) * power;
};

/** Range of an axis, with the values that it names. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** Returns an axis with round ends and about `count` ticks that holds all values. */
export const axisOf = (values: Iterable<number>, count = 5): Axis => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) [least, most] = [0, 1];
  const step = roundStep((most - least || Math.abs(most) || 1) / count);
  const from = Math.floor(least / step + 1e-9) * step;
  const to = Math.max(Math.ceil(most / step - 1e-9) * step, from + step);
  const ticks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) =>
    // Sums of steps would show 0.30000000000000004.
    Number((from + index * step).toPrecision(12)),
  );
  return { from, to, ticks };
};

/** Returns the place of a value on an axis, in units of the drawing. */
export const placeOn = ({ from, to }: Axis, start: number, end: number) => {
  const scale = (end - start) / (to - from);
  return (value: number): number => start + (value - from) * scale;
};

const DIGITS = [1, 2, 5] as const;
/** Most ticks of a logarithmic axis. */
const MOST_TICKS = 7;

/** Returns an axis of the logarithms of values above zero. Its ticks are those of round values. */
export const logAxisOf = (values: Iterable<number>): Axis => {
  const logs = [...values].filter((value) => value > 0).map(Math.log10);
  const { from, to } = { from: Math.min(...logs), to: Math.max(...logs) };
  if (logs.length === 0) return axisOf([]);
  const room = Math.max((to - from) * 0.05, 0.01);
  const powers = Array.from(
    { length: Math.ceil(to + room) - Math.floor(from - room) + 1 },
    (_, index) => Math.floor(from - room) + index,
  );
  const all = powers.flatMap((power) => DIGITS.map((digit) => Math.log10(digit) + power));
  const inside = all.filter((tick) => tick >= from - room && tick <= to + room);
  const whole = inside.filter((tick) => Number.isInteger(tick));
  const ticks = inside.length > MOST_TICKS && whole.length > 1 ? whole : inside;
  return { from: from - room, to: to + room, ticks };
};
