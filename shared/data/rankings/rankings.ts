import * as z from 'zod';
import { type Pools, type Ranking, rankingsOf } from '../../domain/rankings/rankings.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

const rankingSchema = z.object({
  /** Records that all authors had begun, by which figures are deflated. */
  records_begun: z.int(),
  places: packed(z.object({ seqs: z.array(z.int()) })),
});

/** A stored ranking. */
export interface StoredRanking {
  readonly records_begun: number;
  /** Places of strategies in the catalogue, the best first. */
  readonly seqs: readonly number[];
}

/** Returns the key of a ranking. */
export const rankingKey = ({ sort, category, isLow }: Ranking): Key =>
  keys.ranking(category ?? 'all', isLow ? `${sort}#low` : sort);

/** Returns a ranking from its item; empty before the first round, and if it cannot be read until the next one. */
export const rankingIn = (item: Item | undefined, onDamaged?: OnDamaged): StoredRanking => {
  const read = (one: Item): StoredRanking => {
    const { records_begun, places } = parseItem(rankingSchema, one);
    return { records_begun, seqs: places.seqs };
  };
  const ranking = item && readable(read, item, placeByKey, onDamaged);
  return ranking ?? { records_begun: 0, seqs: [] };
};

/** Writes all rankings. */
export const writeRankings = (
  store: Store,
  pools: Pools,
  { records, now }: { records: number; now: Date },
): Promise<void> =>
  store.batchWrite(
    rankingsOf(pools).map(({ ranking, seqs }) => ({
      put: {
        ...rankingKey(ranking),
        entity: 'ranking',
        ranked_at: now.toISOString(),
        records_begun: records,
        places: pack({ seqs }),
      },
    })),
  );
