import type { Group, Value } from '../../group.ts';
import { combined, mapped } from './arithmetic.ts';
import { scanned, sma, wma } from './windows.ts';

/** Returns the outputs of the line of least squares through the last `length` values, at least two. */
export const regression = (group: Group, value: Value, length: number) => {
  const mean = sma(group, value, length);
  const weighted = wma(group, value, length);
  /** Distance of the line's end from the mean. */
  const rise = () => combined(group, 'rise', [weighted, mean], (heavy, plain) => 3 * (heavy - plain));
  /** Sum of squared distances from the line, divided by that from the mean if `share`. */
  const squares = (key: string, of: (rest: number, all: number) => number): Value =>
    scanned(group, key, value, length, (back) => {
      let sum = 0;
      let moment = 0;
      const middle = (length - 1) / 2;
      for (let bars = 0; bars < length; bars += 1) sum += back(bars) - back(0);
      const centre = sum / length;
      for (let bars = 0; bars < length; bars += 1)
        moment += (middle - bars) * (back(bars) - back(0) - centre);
      const slope = moment / ((length * (length * length - 1)) / 12);
      let rest = 0;
      let all = 0;
      for (let bars = 0; bars < length; bars += 1) {
        const distance = back(bars) - back(0) - centre;
        all += distance * distance;
        rest += (distance - slope * (middle - bars)) ** 2;
      }
      return of(rest, all);
    });
  return {
    value: () => combined(group, 'line-end', [mean, rise()], (centre, up) => centre + up),
    slope: () => mapped(group, `slope:${length}`, rise(), (up) => (2 * up) / (length - 1)),
    r_squared: () => squares('r-squared', (rest, all) => (all === 0 ? 0 : 1 - rest / all)),
    error: () => squares('line-error', (rest) => Math.sqrt(rest / (length - 2))),
  };
};
