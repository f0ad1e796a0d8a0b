import { type BarColumns, barCount, columnsOf, sliceBars } from '../candles/bars.ts';
import type { BarDays } from '../candles/trading-days.ts';
import { advanceRun, type ReadSmaller } from '../engine/backtest/advance-run.ts';
import { NO_FACTS } from '../engine/backtest/candle-facts.ts';
import { type ReportTrade, tradeOf } from '../engine/backtest/report.ts';
import { type BacktestRun, takeTrades } from '../engine/backtest/run.ts';
import { dayOf } from '../periods.ts';
import { type DayEntry, hashed, hashOfDay, hashOfList, type SplitEntry, type UsedBars } from './chain.ts';

const DAY_MS = 86_400_000;
const NO_BARS = columnsOf([]);

/** Bars of a trading day by symbol, in the order of the legs. */
export interface DayBars {
  /** Days since the epoch. */
  readonly number: number;
  readonly legs: readonly BarColumns[];
}

/** Divides bars into trading days, oldest first. Days without bars are left out. */
export const byDays = (days: BarDays, legs: readonly BarColumns[]): DayBars[] => {
  const found = new Map<number, BarColumns[]>();
  for (const [leg, bars] of legs.entries()) {
    for (let from = 0; from < barCount(bars); ) {
      const number = days.numberOf(bars.start[from] ?? 0);
      let to = from + 1;
      while (to < barCount(bars) && days.numberOf(bars.start[to] ?? 0) === number) to += 1;
      const day = found.get(number) ?? legs.map(() => NO_BARS);
      day[leg] = sliceBars(bars, from, to);
      found.set(number, day);
      from = to;
    }
  }
  return [...found]
    .map(([number, own]) => ({ number, legs: own }))
    .toSorted((left, right) => left.number - right.number);
};

/** A day that a record has passed. */
export interface PassedDay {
  readonly entry: DayEntry;
  readonly splits: readonly SplitEntry[];
  /** Trades that ended on it. */
  readonly trades: readonly ReportTrade[];
  readonly used: readonly UsedBars[];
  /** Bars by symbol, in the order of the legs. */
  readonly legs: readonly BarColumns[];
}

/** Returns the equity of a run at its last bar, open trades included. */
const equityOf = ({ legs }: BacktestRun): number =>
  legs.reduce((sum, { account }) => sum + account.equity, 0);

/**
 * Advances a record by a trading day. The result depends on the bars of the day and on the run alone.
 *
 * @param splits that the run was restated at before the day.
 */
export const advanceDay = async (
  run: BacktestRun,
  { number, legs }: DayBars,
  readSmaller: ReadSmaller,
  splits: readonly SplitEntry[] = [],
): Promise<PassedDay> => {
  const used: UsedBars[] = [];
  const noting: ReadSmaller = async (asked) => {
    const bars = await readSmaller(asked);
    const symbol = run.legs[asked.leg]?.symbol;
    if (bars && symbol !== undefined) used.push({ symbol, start: asked.bar[0] ?? Number.NaN, bars });
    return bars;
  };
  await advanceRun(
    run,
    legs,
    legs.map(() => NO_FACTS),
    noting,
  );
  const trades = takeTrades(run).map(tradeOf);
  const bars = run.legs.map(({ symbol }, index) => ({ symbol, bars: legs[index] ?? NO_BARS }));
  return {
    entry: {
      day: dayOf(number * DAY_MS),
      bars_hash: hashOfDay(bars, used),
      equity: hashed(equityOf(run)),
      trades_count: run.trades_count,
      trades_hash: hashOfList(trades),
      splits_hash: hashOfList(splits),
    },
    splits,
    trades,
    used,
    legs,
  };
};
