import * as z from 'zod';
import { packBars } from '../../domain/candles/packing.ts';
import { type ChainedDay, chainedDaySchema, type UsedBars } from '../../domain/track-records/chain.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';

const MONTH_LENGTH = 7;

const monthSchema = z.object({ days: packed(z.object({ days: z.array(chainedDaySchema) })) });

/** Returns the month of a day, such as `2026-03`. */
export const monthOf = (day: string): string => day.slice(0, MONTH_LENGTH);

/** Returns the key of the days of a month. */
export const monthKey = (recordId: number, start: number, month: string): Key =>
  keys.recordDays(recordId, start, month);

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
export const usedWrites = (recordId: number, day: string, used: readonly UsedBars[]): Write[] =>
  used.length === 0
    ? []
    : [
        {
          put: {
            ...keys.recordUsedBars(recordId, day),
            entity: 'record_used_bars',
            used: used.map(({ symbol, start, bars }) => ({ symbol, start, bars: packBars(bars) })),
          },
        },
      ];
