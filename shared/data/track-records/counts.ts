import * as z from 'zod';
import { dayOf } from '../../domain/periods.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

const countSchema = z.object({
  count: z.int(),
  /** Day of the last one, and how many began on it. */
  day: z.string().optional(),
  of_day: z.int().optional(),
});

/** Returns the number of records that an author, or all authors, ever began. */
export const countIn = (item: Item | undefined): number => (item ? parseItem(countSchema, item).count : 0);

/**
 * Returns the writes that count a record among those that its author ever began, and among those of all authors.
 *
 * @param item count of the author.
 * @returns the number of the record among all of its author, and among those that began on the same day.
 */
export const countWrites = (
  author: string,
  item: Item | undefined,
  now: Date,
): { number: number; numberOfDay: number; writes: Write[] } => {
  const stored = item && parseItem(countSchema, item);
  const before = stored?.count ?? 0;
  const day = dayOf(now.getTime());
  const numberOfDay = (stored?.day === day ? (stored.of_day ?? 0) : 0) + 1;
  return {
    number: before + 1,
    numberOfDay,
    writes: [
      {
        key: keys.recordCount(author),
        set: { entity: 'record_count', count: before + 1, day, of_day: numberOfDay },
        if:
          before === 0
            ? { condition: 'attribute_not_exists(#count)', names: { '#count': 'count' } }
            : {
                condition: '#count = :before',
                names: { '#count': 'count' },
                values: { ':before': before },
              },
      },
      {
        key: keys.allRecordsCount(),
        update: 'SET #count = if_not_exists(#count, :none) + :one, entity = :entity',
        names: { '#count': 'count' },
        values: { ':none': 0, ':one': 1, ':entity': 'record_count' },
      },
    ],
  };
};
