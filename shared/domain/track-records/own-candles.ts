import { type BarColumns, columnsOf } from '../candles/bars.ts';
import { barDaysOf, tradingDaysOf } from '../candles/trading-days.ts';
import { byDays } from './advance-day.ts';
import type { InputsLine } from './export.ts';

const DAY_MS = 86_400_000;
/** Reach of the start of a daily or weekly bar before the trading day that it belongs to. */
const REACH_MS = 8 * DAY_MS;
const NO_BARS = columnsOf([]);

/** Candles of a symbol that an export left out, between two moments. */
export type CandlesOf = (symbol: string, from: number, to: number) => BarColumns;

/** Returns the bars of a trading day from candles of the caller's own. */
export const ownBarsOf = (
  { legs, timeframe, started_at }: InputsLine['inputs'],
  day: string,
  end: number,
  candlesOf: CandlesOf,
): BarColumns[] => {
  const days = tradingDaysOf(legs.map(({ calendar }) => calendar));
  const number = Date.parse(day) / DAY_MS;
  const from = Math.max(started_at, days.endOf(number - 1) - REACH_MS);
  const to = Math.min(end, days.endOf(number) + REACH_MS);
  const bars = legs.map(({ symbol }) => candlesOf(symbol, from, to));
  const found = byDays(barDaysOf(days, timeframe), bars).find((one) => one.number === number);
  return legs.map((_, index) => found?.legs[index] ?? NO_BARS);
};
