import { type Anchor, anchorOf, anchorText, baseCalendarId } from '../candles/anchor.ts';
import { type Calendar, calendarById, dayAt, minuteOfDay } from '../candles/calendar.ts';
import type { SeriesKind } from '../candles/checks.ts';
import { isOnGrid } from '../candles/periods.ts';
import { sessionCalendarOf } from '../candles/session-calendar.ts';
import { INTRADAY_MS, sourcesOf } from '../candles/timeframes.ts';
import { CandleFileError } from './candle-file-error.ts';

/** Part of the candles that must be on a grid. The others are refused one by one. */
const LEAST_ON_GRID = 2 / 3;

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Returns the most frequent time of the first candle of a day, the earliest of several; undefined without a candle. */
const openingIn = (starts: readonly number[], calendar: Calendar): string | undefined => {
  const firsts = new Map<number, number>();
  for (const start of starts) {
    const { start: day } = dayAt(calendar, start);
    firsts.set(day, Math.min(start, firsts.get(day) ?? start));
  }
  const times = Map.groupBy(
    [...firsts.values()].map((start) => clockText(minuteOfDay(calendar, start))),
    (time) => time,
  );
  const [most] = [...times].sort(
    ([one, { length: left }], [other, { length: right }]) => right - left || (one < other ? -1 : 1),
  );
  return most?.[0];
};

/** A calendar, and the number of candles that are on its grid. */
interface Fit {
  readonly calendar: Calendar;
  readonly fitting: number;
}

const notFitting = ({ timeframe }: SeriesKind, starts: readonly number[], fits: readonly Fit[]): string => {
  const [best] = fits.toSorted((one, other) => other.fitting - one.fitting);
  const calendar = best?.calendar;
  const odd = calendar && starts.find((start) => !isOnGrid(calendar, timeframe, start));
  if (!calendar || odd === undefined) return '';
  const smaller = sourcesOf(timeframe).find((one) =>
    starts.every((start) => fits.some((fit) => isOnGrid(fit.calendar, one, start))),
  );
  const cure = smaller ? `, or export candles of ${smaller}, which the hub puts together` : '';
  const anchors = fits.map((fit) => anchorText(fit.calendar.id));
  const misfit =
    anchors.length === 1
      ? `do not fit the anchor ${anchors[0]}`
      : `fit neither the anchor ${anchors.join(' nor ')}`;
  return `Candles of ${timeframe} of the file ${misfit} in ${calendar.timeZone.name}: one starts at ${clockText(minuteOfDay(calendar, odd))}. Check the timeframe and the time zone${cure}.`;
};

/**
 * Finds the calendar on whose grid the candles of a file start. That of the given kind is preferred, then the one of the
 * clock.
 *
 * @param starts of the first candles of the file.
 * @param given anchor that the caller names.
 * @throws CandleFileError if the candles fit no anchor, or not the given one.
 */
export const findAnchor = (
  starts: readonly number[],
  kind: SeriesKind,
  given: Anchor | undefined,
): Calendar => {
  const { calendar, timeframe } = kind;
  const clock = calendarById(baseCalendarId(calendar.id));
  if (INTRADAY_MS[timeframe] === undefined && given !== 'session') return calendar;
  const session = sessionCalendarOf(clock, timeframe, clock.opening ?? openingIn(starts, clock));
  if (given === 'session' && typeof session === 'string') {
    throw new CandleFileError(`The anchor cannot be the session: ${session}.`, 'anchor');
  }
  const found = typeof session === 'string' ? [] : [session];
  const fits = [calendar, clock, ...found]
    .filter(({ id }, index, all) => all.findIndex((one) => one.id === id) === index)
    .filter(({ id }) => given === undefined || anchorOf(id).anchor === given)
    .map(
      (one): Fit => ({
        calendar: one,
        fitting: starts.filter((start) => isOnGrid(one, timeframe, start)).length,
      }),
    );
  const [best] = fits.toSorted((one, other) => other.fitting - one.fitting);
  if (best && best.fitting >= starts.length * LEAST_ON_GRID) return best.calendar;
  throw new CandleFileError(notFitting(kind, starts, fits), given && 'anchor');
};
