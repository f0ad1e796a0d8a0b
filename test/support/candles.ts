import type { SeriesFacts } from '../../shared/data/candles/series.ts';
import { type BarColumns, columnsOf } from '../../shared/domain/candles/bars.ts';
import { calendarById, dayAt } from '../../shared/domain/candles/calendar.ts';

/** A series of daily bars of a share. */
export const DAILY: SeriesFacts = {
  symbol: 'SPY',
  timeframe: '1d',
  asset_class: 'equity',
  calendar: 'us',
  source: 'test',
  adjustment: 'splits_dividends',
};

/** Returns daily bars of every session of New York from a day on; the prices go up and down. */
export const sessionBars = (from: string, count: number): BarColumns => {
  const calendar = calendarById(DAILY.calendar);
  const bars = [];
  let day = dayAt(calendar, calendar.timeZone.instantOf(Date.parse(`${from}T00:00Z`)));
  for (let index = 0; bars.length < count; index++) {
    if (!Number.isNaN(day.open)) {
      const open = 100 + (index % 40);
      bars.push({
        start: day.start,
        open,
        high: open + 2,
        low: open - 2,
        close: open + 1,
        volume: 1000 + index,
      });
    }
    day = dayAt(calendar, day.end);
  }
  return columnsOf(bars);
};
