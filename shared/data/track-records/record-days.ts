import * as z from 'zod';
import { packBars } from '../../domain/candles/packing.ts';
import { dayOf } from '../../domain/periods.ts';
import { type ChainedDay, chainedDaySchema, type UsedBars } from '../../domain/track-records/chain.ts';
import { packedBars } from '../candles/packed-bars.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';

const DAY_MS = 86_400_000;
const MONTH_LENGTH = 7;

const monthSchema = z.object({ days: packed(z.object({ days: z.array(chainedDaySchema) })) });

const usedSchema = z.object({
  used: z.array(z.object({ symbol: z.string(), start: z.number(), bars: packedBars })),
});

/** Returns the month of a day, such as `2026-03`. */
export const monthOf = (day: string): string => day.slice(0, MONTH_LENGTH);

/** Returns the key of the days of a month. */
export const monthKey = (recordId: number, start: number, month: string): Key =>
  keys.recordDays(recordId, start, month);

/** Lists the months between two days that are given in days since the epoch. */
export const monthsBetween = (first: number, last: number): string[] => {
  const months: string[] = [];
  const date = new Date(first * DAY_MS);
  date.setUTCDate(1);
  for (; date.getTime() <= last * DAY_MS; date.setUTCMonth(date.getUTCMonth() + 1)) {
    months.push(monthOf(dayOf(date.getTime())));
  }
  return months;
};

/** Parses the days of a month; none without an item. */
export const daysIn = (item: Item | undefined): ChainedDay[] =>
  item ? parseItem(monthSchema, item).days.days : [];

/**
 * Returns the writes of new days, one per month.
 *
 * @param present days of the month of the first one that are stored.
 */
export const dayWrites = (
  recordId: number,
  start: number,
  present: readonly ChainedDay[],
  days: readonly ChainedDay[],
): Write[] => {
  const [first] = days;
  if (!first) return [];
  const byMonth = Map.groupBy(days, ({ day }) => monthOf(day));
  return [...byMonth].map(([month, own]) => ({
    key: monthKey(recordId, start, month),
    set: {
      entity: 'record_days',
      days: pack({ days: month === monthOf(first.day) ? [...present, ...own] : own }),
    },
  }));
};

/** Returns the write of the smaller bars that decided about fills of a day; none without any. */
export const usedWrites = (
  recordId: number,
  start: number,
  day: string,
  used: readonly UsedBars[],
): Write[] =>
  used.length === 0
    ? []
    : [
        {
          put: {
            ...keys.recordUsedBars(recordId, start, day),
            entity: 'record_used_bars',
            used: used.map(({ symbol, start, bars }) => ({ symbol, start, bars: packBars(bars) })),
          },
        },
      ];

/** Parses the smaller bars of a day; none without an item. */
export const usedIn = (item: Item | undefined): UsedBars[] => (item ? parseItem(usedSchema, item).used : []);
