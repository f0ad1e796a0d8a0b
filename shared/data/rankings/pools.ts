import * as z from 'zod';
import type { Pools } from '../../domain/rankings/rankings.ts';
import { CATEGORY_SLUGS } from '../../domain/strategies/categories.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';

const rowSchema = z.tuple([z.int(), z.number(), z.number(), z.number()]);
const poolSchema = z.object({
  /** Place in the catalogue up to which strategies are in the pool. */
  through: z.int(),
  found: packed(z.object({ rows: z.array(rowSchema) })),
});

/** Stores the pools of a round that has come up to a place in the catalogue. */
export const savePools = (store: Store, pools: Pools, through: number): Promise<void> =>
  store.batchWrite(
    CATEGORY_SLUGS.map((slug) => ({
      put: {
        ...keys.rankingPool(slug),
        entity: 'ranking_pool',
        through,
        found: pack({
          rows: (pools.get(slug) ?? []).map(({ seq, sharpe, return_pct, drawdown_pct }) => [
            seq,
            sharpe,
            return_pct,
            drawdown_pct,
          ]),
        }),
      },
    })),
  );

/** Reads the pools of a round; undefined unless all can be read and are of the same place. */
export const readPools = async (
  store: Store,
  through: number,
  onDamaged: OnDamaged,
): Promise<Pools | undefined> => {
  const items = await store.getMany(
    CATEGORY_SLUGS.map((slug) => keys.rankingPool(slug)),
    { consistent: true },
  );
  const read = (item: Item) => parseItem(poolSchema, item);
  const pools = items.map((item) => item && readable(read, item, placeByKey, onDamaged));
  if (pools.some((pool) => pool?.through !== through)) return undefined;
  return new Map(
    CATEGORY_SLUGS.map((slug, index) => [
      slug,
      (pools[index]?.found.rows ?? []).map(([seq, sharpe, return_pct, drawdown_pct]) => ({
        seq,
        sharpe,
        return_pct,
        drawdown_pct,
      })),
    ]),
  );
};
