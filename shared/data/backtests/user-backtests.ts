import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

const entrySchema = z.object({ backtest_id: z.number(), strategy_id: z.number().optional() });
const sweepSchema = z.object({ sweep_id: z.number(), strategy_id: z.number().optional() });
const listSchema = z.object({
  /** Oldest first. */
  entries: z.array(entrySchema),
  sweeps: z.array(sweepSchema),
});
const indexSchema = z.object({ rev: z.number(), list: packed(listSchema) });

/** A backtest among those of its owner. */
export type OwnedBacktest = z.output<typeof entrySchema>;

/** A sweep among those of its owner. */
export type OwnedSweep = z.output<typeof sweepSchema>;

/** Backtests and sweeps of a user, oldest first. The quota bounds them. */
export interface OwnedBacktests {
  readonly rev: number;
  readonly list: z.output<typeof listSchema>;
}

/** Parses the item with the backtests of a user. */
export const ownedBacktests = (item: Item | undefined): OwnedBacktests => {
  return item ? parseItem(indexSchema, item) : { rev: 0, list: { entries: [], sweeps: [] } };
};

/** Returns the write of a user's backtests or sweeps. Fails if one of them changed since they were read. */
export const ownedBacktestsWrite = (
  userId: string,
  before: OwnedBacktests,
  change: { readonly entries: readonly OwnedBacktest[] } | { readonly sweeps: readonly OwnedSweep[] },
): Write => ({
  key: keys.backtestsOf(userId),
  set: { entity: 'backtests', rev: before.rev + 1, list: pack({ ...before.list, ...change }) },
  if:
    before.rev === 0
      ? { condition: 'attribute_not_exists(rev)' }
      : { condition: 'rev = :rev', values: { ':rev': before.rev } },
});
