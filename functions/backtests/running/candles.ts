import { itemsToRead, type Reading } from '../../../shared/data/candles/read-bars.ts';
import {
  barsBehind,
  type Candles,
  readManyCandles,
  type WantedCandles,
} from '../../../shared/data/candles/read-candles.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { type BarColumns, columnsOf } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { addCandles, type CandleFacts } from '../../../shared/domain/engine/backtest/candle-facts.ts';
import type { BacktestSetup } from '../../../shared/domain/engine/backtest/setup.ts';

/** Items that one call reads. */
const ITEMS_PER_CALL = 40;
const NONE = columnsOf([]);

/** Returns the candles of each leg between two times. Legs without candles there have none to read. */
const wantedOf = (
  { legs, timeframe, read_from }: BacktestSetup,
  series: readonly Series[],
  from = read_from,
  to = Number.POSITIVE_INFINITY,
): (WantedCandles | undefined)[] =>
  legs.map((leg, index) => {
    const held = series[index];
    const range = { from: Math.max(from, read_from), to: Math.min(to, leg.to) };
    return held && range.from < range.to ? { series: held, timeframe, range } : undefined;
  });

/** Returns whether one call reads all candles of a backtest. */
export const isOneRead = (setup: BacktestSetup, series: readonly Series[]): boolean => {
  const wanted = wantedOf(setup, series).filter((one) => one !== undefined);
  return itemsToRead(wanted.map(barsBehind)) <= ITEMS_PER_CALL;
};

/** Reads the candles of each leg from one time to another; all of them without times. */
export const readLegs = async (
  store: Store,
  setup: BacktestSetup,
  series: readonly Series[],
  { from, to, ...reading }: { readonly from?: number; readonly to?: number } & Reading = {},
): Promise<(Candles | undefined)[]> => {
  const wanted = wantedOf(setup, series, from, to);
  const found = await readManyCandles(
    store,
    wanted.filter((one) => one !== undefined),
    reading,
  );
  let next = 0;
  return wanted.map((one) => {
    if (!one) return undefined;
    next += 1;
    return found[next - 1];
  });
};

export type LegBars = Pick<Candles, 'bars' | 'incomplete'>;

/** Returns the bars of each leg. */
export const barsOf = (legs: readonly (LegBars | undefined)[]): BarColumns[] =>
  legs.map((candles) => candles?.bars ?? NONE);

/** Adds the candles of whole months to the facts of each leg. */
export const addFacts = (
  facts: readonly CandleFacts[],
  setup: BacktestSetup,
  legs: readonly (LegBars | undefined)[],
): CandleFacts[] =>
  facts.map((before, index) => {
    const candles = legs[index];
    const leg = setup.legs[index];
    if (!candles || !leg) return before;
    const kind = {
      calendar: calendarById(leg.calendar),
      timeframe: setup.timeframe,
      assetClass: leg.asset_class,
    };
    return addCandles(before, candles.bars, kind, candles.incomplete);
  });
