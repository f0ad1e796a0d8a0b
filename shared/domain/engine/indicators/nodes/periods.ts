import { CLOSE, type Group, HIGH, LOW, OPEN, START, type Value } from '../../group.ts';
import { at } from '../../memory.ts';
import type { PeriodName, PeriodsOf } from '../declare.ts';

type PriceField = 'open' | 'high' | 'low' | 'close';

const FIELDS: readonly PriceField[] = ['open', 'high', 'low', 'close'];

/** Places of the prices of a session, week or month so far, and of the one before. */
interface PeriodPlaces {
  /** Place of the start of the period of the last bar in one. */
  readonly start: number;
  readonly now: Readonly<Record<PriceField, number>>;
  readonly before: Readonly<Record<PriceField, number>>;
}

/** Returns a function that tells the session, week or month of a bar by its start; NaN if it is in none. */
export const startsOf = (periodsOf: PeriodsOf, period: PeriodName): ((barStart: number) => number) =>
  periodsOf(period === 'month' ? period : period === 'week' ? '1w' : '1d').startOf;

/** Joins bars to sessions, weeks or months. A bar outside of them changes nothing. */
const periodOf = (group: Group, periodsOf: PeriodsOf, period: PeriodName): PeriodPlaces => {
  const placesAt = (first: number) => ({ open: first, high: first + 1, low: first + 2, close: first + 3 });
  const { bar } = group;
  const startOf = startsOf(periodsOf, period);
  const size = 2 * FIELDS.length;
  const { slot: start } = group.node(`period:${period}`, 0, 1 + size, (slot) => {
    const now = placesAt(slot + 1);
    const last = slot + 1 + FIELDS.length;
    return (m) => {
      const begins = startOf(at(m, bar + START));
      if (Number.isNaN(begins)) return;
      if (begins !== at(m, slot)) {
        const isFirst = Number.isNaN(at(m, slot));
        for (let field = 0; field < FIELDS.length; field += 1) {
          m[last + field] = isFirst ? Number.NaN : at(m, now.open + field);
        }
        m[slot] = begins;
        m[now.open] = at(m, bar + OPEN);
        m[now.high] = at(m, bar + HIGH);
        m[now.low] = at(m, bar + LOW);
      } else {
        m[now.high] = Math.max(at(m, now.high), at(m, bar + HIGH));
        m[now.low] = Math.min(at(m, now.low), at(m, bar + LOW));
      }
      m[now.close] = at(m, bar + CLOSE);
    };
  });
  return { start, now: placesAt(start + 1), before: placesAt(start + 1 + FIELDS.length) };
};

/**
 * Returns a value of the session, week or month of the bar and the one before; missing before the first.
 *
 * @param compute takes the memory and the places of their prices.
 */
export const periodValue = (
  group: Group,
  periodsOf: PeriodsOf,
  period: PeriodName,
  key: string,
  compute: (m: Float64Array, places: PeriodPlaces) => number,
): Value => {
  const places = periodOf(group, periodsOf, period);
  return group.node(`${key}:${period}`, 0, 1, (slot) => (m) => {
    m[slot] = Number.isNaN(at(m, places.start)) ? Number.NaN : compute(m, places);
  });
};
