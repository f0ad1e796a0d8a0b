import fc from 'fast-check';
import { type BarColumns, barCount } from '../../shared/domain/candles/bars.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { randomBars } from './random-bars.ts';
import { operandSeries } from './rule-series.ts';
import { soakable } from './soak.ts';

const BARS = 300;
const DAY_MS = 86_400_000;
const TOLERANCE = 1e-9;
const numRuns = soakable(2, 60);

export interface Prices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

type PeriodName = 'day' | 'week' | 'month';
type CalendarId = 'always' | 'us';

/** A bar with the names of its session, week and month; undefined outside of sessions. */
interface Placed extends Prices, Readonly<Record<PeriodName, string | undefined>> {
  readonly volume: number;
  /** Minutes since midnight at the exchange. */
  readonly minute: number;
}

/** The bars of a period so far, and of the whole one before. */
interface Periods {
  readonly now: readonly Placed[];
  readonly before: readonly Placed[];
  /** False for a bar outside of sessions. */
  readonly isWithin: boolean;
}

/** Holidays of the random bars of the United States, which begin with 2020. */
const HOLIDAYS: readonly string[] = ['2020-01-01', '2020-01-20', '2020-02-17', '2020-04-10', '2020-05-25'];
const OPEN = 570;
const CLOSE = 960;
const newYork = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Names the Monday of a date's week. */
const mondayOf = (date: string): string => {
  const day = Date.parse(date);
  const since = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - since * DAY_MS).toISOString().slice(0, 10);
};

const placed = (bars: BarColumns, calendar: CalendarId): Placed[] =>
  Array.from({ length: barCount(bars) }, (_, index) => {
    const at = (column: Float64Array) => column[index] ?? Number.NaN;
    const start = new Date(at(bars.start));
    const text = calendar === 'always' ? start.toISOString().replace('T', ', ') : newYork.format(start);
    const [date = '', time = ''] = text.split(', ');
    const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
    const weekday = new Date(Date.parse(date)).getUTCDay();
    const isFree = weekday === 0 || weekday === 6 || HOLIDAYS.includes(date);
    const isOutside = calendar === 'us' && (isFree || minute < OPEN || minute >= CLOSE);
    return {
      open: at(bars.open),
      high: at(bars.high),
      low: at(bars.low),
      close: at(bars.close),
      volume: at(bars.volume),
      minute,
      day: isOutside ? undefined : date,
      week: isOutside ? undefined : mondayOf(date),
      month: isOutside ? undefined : date.slice(0, 7),
    };
  });

const periodsOf = (bars: readonly Placed[], period: PeriodName): Periods[] => {
  let now: Placed[] = [];
  let before: Placed[] = [];
  return bars.map((bar) => {
    const isWithin = bar[period] !== undefined;
    if (isWithin) {
      if (now[0]?.[period] === bar[period]) now = [...now, bar];
      else [before, now] = [now, [bar]];
    }
    return { now, before, isWithin };
  });
};

/** Returns the prices of bars together; NaN of none. */
export const whole = (bars: readonly Prices[]): Prices => ({
  open: bars[0]?.open ?? Number.NaN,
  high: bars.length === 0 ? Number.NaN : Math.max(...bars.map(({ high }) => high)),
  low: bars.length === 0 ? Number.NaN : Math.min(...bars.map(({ low }) => low)),
  close: bars.at(-1)?.close ?? Number.NaN,
});

type Market = readonly [Timeframe, CalendarId, PeriodName];

const MARKETS: readonly Market[] = [
  ['15m', 'us', 'day'],
  ['15m', 'us', 'week'],
  ['1h', 'always', 'day'],
  ['1h', 'always', 'week'],
  ['1d', 'always', 'week'],
  ['1d', 'always', 'month'],
];

const check = (
  [timeframe, calendar, period]: Market,
  operand: object,
  expectedOf: (periods: Periods) => number,
): void => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const bars = randomBars(seed, BARS, timeframe);
      const expected = periodsOf(placed(bars, calendar), period).map(expectedOf);
      const actual = operandSeries(operand, bars, { timeframe, calendar });
      // Few bars of minutes may lie within one week.
      fc.pre([...expected, ...actual].some(Number.isFinite));
      const wrong = actual.flatMap((value, bar) => {
        const other = expected[bar] ?? Number.NaN;
        const isSame =
          Object.is(value, other) || Math.abs(value - other) <= TOLERANCE * Math.max(1, Math.abs(other));
        return isSame ? [] : [{ bar, value, other }];
      });
      expect(wrong).toEqual([]);
    }),
    { numRuns },
  );
};

/** Adds a test of values of days, weeks and months, on bars of several timeframes and calendars. */
export const checkPeriods = (
  title: string,
  operand: (period: PeriodName) => object,
  expectedOf: (periods: Periods) => number,
): void => {
  test(title, () => {
    for (const market of MARKETS) check(market, operand(market[2]), expectedOf);
  });
};

/** Adds a test of values of sessions, on bars of minutes and hours. */
export const checkSessions = (
  title: string,
  operand: object,
  expectedOf: (periods: Periods) => number,
): void => {
  test(title, () => {
    for (const market of MARKETS.filter(([, , period]) => period === 'day'))
      check(market, operand, expectedOf);
  });
};
