import { barAt, barCount } from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { closeTimeOf } from '../../domain/candles/close-time.ts';
import { INTRADAY_MS } from '../../domain/candles/timeframes.ts';
import type { Quote } from '../../domain/ledger/ledger-events.ts';
import { addDays, type Day, dayOf, startOf } from '../../domain/periods.ts';
import type { Timeframe } from '../../domain/strategies/strategies.ts';
import type { Store } from '../table/store.ts';
import { priceText } from './last-prices.ts';
import { type Candles, readManyCandles } from './read-candles.ts';
import type { Series } from './series.ts';
import { inUnitsOfTime } from './series.ts';

const DAY_MS = 86_400_000;

/** Returns how long before its close a bar may start. */
const reachOf = (timeframe: Timeframe): number =>
  INTRADAY_MS[timeframe] ?? (timeframe === '1d' ? 2 * DAY_MS : 9 * DAY_MS);

/** A symbol whose days close: its series, and the timeframe of the bars that count. */
export interface ClosingSymbol {
  readonly series: Series;
  readonly timeframe: Timeframe;
}

/** Returns the last close of each day from `from` to `through`. A close at midnight counts for the day that ends. */
const closesOf = ({ series, bars }: Candles, timeframe: Timeframe, from: Day, through: Day): Quote[] => {
  const calendar = calendarById(series.calendar);
  const closes = new Map<Day, Quote>();
  for (let index = 0; index < barCount(bars); index++) {
    const bar = barAt(bars, index);
    if (!bar) continue;
    const closed = closeTimeOf(calendar, timeframe, bar.start);
    const day = dayOf(closed - 1);
    if (day < from || day > through) continue;
    const at = Math.min(closed, startOf(addDays(day, 1)) - 1);
    closes.set(day, {
      symbol: series.symbol,
      price: priceText(bar.close),
      occurred_at: new Date(at).toISOString(),
    });
  }
  return [...closes.values()];
};

/**
 * Reads the last close of each day from `from` to `through`, of several symbols together, 40 items a call. A close has
 * the units of its day, as the ledger restates quotes from before a split.
 */
export const readDayCloses = async (
  store: Store,
  symbols: readonly ClosingSymbol[],
  from: Day,
  through: Day,
): Promise<Quote[]> => {
  if (symbols.length === 0 || from > through) return [];
  const to = startOf(addDays(through, 1));
  const wanted = symbols.map(({ series, timeframe }) => ({
    series: inUnitsOfTime(series),
    timeframe,
    range: { from: startOf(from) - reachOf(timeframe), to },
  }));
  const found = await readManyCandles(store, wanted);
  return found.flatMap((candles, index) =>
    closesOf(candles, wanted[index]?.timeframe ?? candles.series.timeframe, from, through),
  );
};
