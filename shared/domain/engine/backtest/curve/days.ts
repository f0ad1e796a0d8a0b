import type { BarDays } from '../../../candles/trading-days.ts';
import { at } from '../../memory.ts';
import type { Curve, Marks } from './state.ts';

const DAY_MS = 86_400_000;
const PERCENT = 100;

/** Sums over days in a typed array: storing a double in an object's field is slow. */
const readDays = ({ dayEquity, days, returns, mean, squares, downside }: Curve): Float64Array =>
  Float64Array.of(dayEquity, days, returns, mean, squares, downside);

const writeDays = (curve: Curve, sums: Float64Array): void => {
  curve.dayEquity = at(sums, 0);
  curve.days = at(sums, 1);
  curve.returns = at(sums, 2);
  curve.mean = at(sums, 3);
  curve.squares = at(sums, 4);
  curve.downside = at(sums, 5);
};

const closeDay = (sums: Float64Array, equity: number): void => {
  const before = at(sums, 0);
  sums[0] = equity;
  sums[1] = at(sums, 1) + 1;
  if (before <= 0) return;
  const change = Math.max(-1, (equity - before) / before);
  const returns = at(sums, 2) + 1;
  const distance = change - at(sums, 3);
  const mean = at(sums, 3) + distance / returns;
  sums[2] = returns;
  sums[3] = mean;
  sums[4] = at(sums, 4) + distance * (change - mean);
  if (change < 0) sums[5] = at(sums, 5) + change * change;
};

const closeMonth = (curve: Curve, equity: number): void => {
  const { monthEquity: before } = curve;
  curve.monthEquity = equity;
  curve.months.push([curve.month, before > 0 ? Math.max(-1, equity / before - 1) * PERCENT : 0]);
};

const EPOCH_YEAR = 1970;
const YEAR_MONTHS = 12;

/** Goes on to the month of a day. */
const enterMonth = (curve: Curve, day: number): void => {
  if (Number.isNaN(curve.month)) {
    const date = new Date(day * DAY_MS);
    curve.month = (date.getUTCFullYear() - EPOCH_YEAR) * YEAR_MONTHS + date.getUTCMonth() - 1;
  }
  do {
    curve.month += 1;
    curve.monthEnd = Date.UTC(EPOCH_YEAR, curve.month + 1, 1) / DAY_MS;
  } while (day >= curve.monthEnd);
};

/** Closes the days and months that end within the bars. */
export const addDays = (curve: Curve, marks: Marks, count: number, barDays: BarDays): void => {
  const sums = readDays(curve);
  let { day, dayEnd, equity } = curve;
  for (let index = 0; index < count; index += 1) {
    const start = at(marks.start, index);
    if (start >= dayEnd) {
      const next = barDays.numberOf(start);
      if (next !== day) {
        if (!Number.isNaN(day)) {
          closeDay(sums, equity);
          for (let missing = barDays.openBetween(day, next); missing > 0; missing -= 1)
            closeDay(sums, equity);
        }
        if (next >= curve.monthEnd) {
          if (!Number.isNaN(day)) closeMonth(curve, equity);
          enterMonth(curve, next);
        }
        day = next;
      }
      dayEnd = barDays.endOf(day);
    }
    equity = at(marks.equity, index);
  }
  curve.day = day;
  curve.dayEnd = dayEnd;
  writeDays(curve, sums);
};

/** Ends the day and the month that run. */
export const finishDays = (curve: Curve): void => {
  const sums = readDays(curve);
  closeDay(sums, curve.equity);
  writeDays(curve, sums);
  closeMonth(curve, curve.equity);
};

/** Returns the returns of the months, such as `2024-01`. */
export const monthlyReturns = ({ months }: Curve): { month: string; return_pct: number }[] =>
  months.map(([month, change]) => {
    const year = Math.floor(month / YEAR_MONTHS);
    const number = String(month - year * YEAR_MONTHS + 1).padStart(2, '0');
    return { month: `${EPOCH_YEAR + year}-${number}`, return_pct: change };
  });
