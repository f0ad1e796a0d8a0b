import type { BarDays } from '../../../candles/trading-days.ts';
import { at } from '../../memory.ts';
import { addDays, finishDays } from './days.ts';
import { addDrawdowns, finishDrawdowns } from './drawdowns.ts';
import { addPoints, finishPoints } from './points.ts';
import type { Curve, Marks } from './state.ts';

const addBenchmark = (curve: Curve, { benchmark }: Marks, count: number): void => {
  let peak = curve.benchmarkPeak;
  let deepest = curve.benchmarkDepth;
  for (let index = 0; index < count; index += 1) {
    const value = at(benchmark, index);
    if (value >= peak) peak = value;
    else if (peak - value > deepest * peak) deepest = (peak - value) / peak;
  }
  curve.benchmarkPeak = peak;
  curve.benchmarkDepth = deepest;
};

/** Adds the first `count` of the closes that follow. Each pass over them is a loop of its own over few variables. */
export const addMarks = (curve: Curve, marks: Marks, count: number, days: BarDays): void => {
  if (count === 0) return;
  if (curve.bars === 0) curve.firstAt = at(marks.start, 0);
  addDays(curve, marks, count, days);
  addDrawdowns(curve, marks, count);
  addBenchmark(curve, marks, count);
  addPoints(curve, marks, count);
  curve.bars += count;
  curve.lastAt = at(marks.start, count - 1);
  curve.equity = at(marks.equity, count - 1);
  curve.benchmark = at(marks.benchmark, count - 1);
};

/** Ends the day, the month and the drawdown that run. Nothing can be added afterwards. */
export const finishCurve = (curve: Curve): void => {
  if (curve.bars === 0) return;
  finishDays(curve);
  finishPoints(curve);
  finishDrawdowns(curve);
};
