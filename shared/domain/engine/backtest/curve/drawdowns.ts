import { at } from '../../memory.ts';
import type { Curve, Marks } from './state.ts';

/** Deepest drawdowns that are listed. */
const LISTED_DRAWDOWNS = 5;

/** Part of the peak from which on equity counts as at the peak: sums of the same trades may differ by rounding. */
const AT_PEAK = 1 - 1e-12;

/** Returns the part of the peak by which equity is below it: all of it for negative equity. */
export const fallBelow = (peak: number, equity: number): number =>
  peak > 0 && equity < peak * AT_PEAK ? Math.min(1, (peak - equity) / peak) : 0;

/** Ends the drawdown that runs. @param end the bar that regains the peak, or the last one. */
const finishDrawdown = (curve: Curve, to: number | null, end: number): void => {
  const depth = fallBelow(curve.peak, curve.trough);
  curve.trough = Number.POSITIVE_INFINITY;
  curve.drawdowns += 1;
  curve.depths += depth;
  curve.maxDepth = Math.max(curve.maxDepth, depth);
  curve.longestMs = Math.max(curve.longestMs, end - curve.peakAt);
  const { deepest } = curve;
  const last = deepest.at(-1);
  if (deepest.length === LISTED_DRAWDOWNS && last && last.depth >= depth) return;
  deepest.push({ from: curve.peakAt, trough: curve.troughAt, to, depth });
  deepest.sort((left, right) => right.depth - left.depth);
  if (deepest.length > LISTED_DRAWDOWNS) deepest.pop();
};

/** Follows the peak and the drawdowns. */
export const addDrawdowns = (curve: Curve, marks: Marks, count: number): void => {
  let { peak, peakAt, trough } = curve;
  let level = peak * AT_PEAK;
  if (curve.bars === 0) peakAt = at(marks.start, 0);
  for (let index = 0; index < count; index += 1) {
    const equity = at(marks.equity, index);
    if (equity >= level) {
      if (trough < level) {
        curve.peak = peak;
        curve.peakAt = peakAt;
        curve.trough = trough;
        const start = at(marks.start, index);
        finishDrawdown(curve, start, start);
        trough = Number.POSITIVE_INFINITY;
      }
      if (equity > peak) {
        peak = equity;
        level = peak * AT_PEAK;
      }
      peakAt = at(marks.start, index);
    } else if (equity < trough) {
      trough = equity;
      curve.troughAt = at(marks.start, index);
    }
    marks.peak[index] = peak;
  }
  curve.peak = peak;
  curve.peakAt = peakAt;
  curve.trough = trough;
};

/** Ends the drawdown that runs at the last bar. */
export const finishDrawdowns = (curve: Curve): void => {
  if (curve.trough < curve.peak) finishDrawdown(curve, null, curve.lastAt);
};
