import { barAt, barCount } from '../../domain/candles/bars.ts';
import { calendarById } from '../../domain/candles/calendar.ts';
import { closeTimeOf } from '../../domain/candles/close-time.ts';
import { INTRADAY_MS } from '../../domain/candles/timeframes.ts';
import { barDaysOf, type TradingDays } from '../../domain/candles/trading-days.ts';
import type { Quote } from '../../domain/ledger/ledger-events.ts';
import { addDays, type Day } from '../../domain/periods.ts';
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

/** Trading days of an account, from the first to the last. */
export interface DaySpan {
  readonly days: TradingDays;
  readonly from: Day;
  readonly through: Day;
}

/**
 * Returns the last close of each day of a span. A close counts for the day that its bar belongs to, also if the bar ends
 * with that day or later.
 */
const closesOf = (
  { series, bars }: Candles,
  timeframe: Timeframe,
  { days, from, through }: DaySpan,
): Quote[] => {
  const calendar = calendarById(series.calendar);
  const barDays = barDaysOf(days, timeframe);
  const closes = new Map<Day, Quote>();
  for (let index = 0; index < barCount(bars); index++) {
    const bar = barAt(bars, index);
    if (!bar) continue;
    const closed = closeTimeOf(calendar, timeframe, bar.start);
    const at = Math.min(closed, days.endOf(barDays.numberOf(bar.start)) - 1);
    const day = days.dayOf(at);
    if (day < from || day > through) continue;
    closes.set(day, {
      symbol: series.symbol,
      price: priceText(bar.close),
      occurred_at: new Date(at).toISOString(),
    });
  }
  return [...closes.values()];
};

/**
 * Reads the last close of each day of a span, of several symbols together, 40 items a call. A close has the units of its
 * day, as the ledger restates quotes from before a split.
 */
export const readDayCloses = async (
  store: Store,
  symbols: readonly ClosingSymbol[],
  span: DaySpan,
): Promise<Quote[]> => {
  const { days, from, through } = span;
  if (symbols.length === 0 || from > through) return [];
  const to = days.startOf(addDays(through, 1));
  const wanted = symbols.map(({ series, timeframe }) => ({
    series: inUnitsOfTime(series),
    timeframe,
    range: { from: days.startOf(from) - reachOf(timeframe), to },
  }));
  const found = await readManyCandles(store, wanted);
  return found.flatMap((candles, index) =>
    closesOf(candles, wanted[index]?.timeframe ?? candles.series.timeframe, span),
  );
};
