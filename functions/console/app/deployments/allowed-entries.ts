import type { RiskLimits } from '../../../../infra/client/package/src/index.ts';
import { TimeZone } from '../../../../shared/domain/candles/time-zone.ts';
import { isDayOpenAt, isOpenAt, nextOpening } from '../../../../shared/domain/risk/hours.ts';
import { isDayOrLonger, timeFormats } from '../format/times.ts';
import { daysWords, hoursWords } from '../risk/words.ts';

/** Time that counts for the entries of a deployment. */
export interface EntryClock {
  readonly now: number;
  readonly timeframe: string;
  /** True if an entry has the time of its bar; false if it has that of the clock. */
  readonly isOfBars: boolean;
}

type Allowed = Pick<RiskLimits, 'symbols' | 'hours'>;

/** Writes in which symbols entries are allowed, without a full stop; undefined if `symbol` is one of them. */
export const symbolRefusal = ({ symbols }: Allowed, symbol: string): string | undefined => {
  if (symbols === null || symbols.includes(symbol)) return undefined;
  return symbols.length === 0
    ? 'Its risk limits allow entries in no symbol'
    : `Its risk limits allow entries only in ${symbols.join(', ')}`;
};

/** Hours that are closed for entries. */
export interface ClosedHours {
  /** Names the time at which they are closed. */
  readonly at: string;
  /** Hours, and the time from which entries are allowed again, as sentences. */
  readonly details: readonly string[];
}

/**
 * Returns the allowed hours, if they are closed for an entry.
 *
 * @param bar start of the last bar.
 */
export const closedHours = (
  { hours }: Allowed,
  { now, timeframe, isOfBars }: EntryClock,
  bar: number,
): ClosedHours | undefined => {
  // The service may know a time zone that this browser does not.
  if (hours.some(({ time_zone }) => TimeZone.find(time_zone) === undefined)) return undefined;
  const hasTime = !(isOfBars && isDayOrLonger(timeframe));
  const moment = isOfBars ? bar : now;
  const closed = hours.find((each) => !(hasTime ? isOpenAt : isDayOpenAt)(each, moment));
  if (!closed) return undefined;
  const opening = nextOpening(hours, moment, { hasTime });
  const zone = closed.time_zone;
  const again = opening !== undefined && `${timeFormats(undefined, zone).when(opening).text} (${zone})`;
  return {
    at: isOfBars ? 'at the time of that bar' : 'at this time',
    details: [
      ...hours.map((each) =>
        hasTime
          ? `Entries are allowed from ${hoursWords(each)}.`
          : `Entries are allowed on bars of these days: ${daysWords(each)} (${each.time_zone}).`,
      ),
      again
        ? `It may enter again ${isOfBars ? 'on bars that start at or after' : 'from'} ${again}.`
        : 'These hours are never open together, so it cannot enter at all. Change the hours under Risk.',
    ],
  };
};

/** Writes which symbols and hours are closed for the entries of a deployment that another engine runs. */
export const refusalSentences = (
  limits: Allowed,
  symbols: readonly string[],
  clock: EntryClock,
): string[] => {
  const refused = symbols.filter((symbol) => symbolRefusal(limits, symbol) !== undefined);
  const reason = symbolRefusal(limits, refused[0] ?? '');
  const closed = closedHours(limits, clock, clock.now);
  return [
    ...(refused.length > 0 ? [`${reason}: entries in ${refused.join(', ')} are refused. Exits go on.`] : []),
    ...(closed ? [['Its risk limits allow no entry now.', ...closed.details].join(' ')] : []),
  ];
};
