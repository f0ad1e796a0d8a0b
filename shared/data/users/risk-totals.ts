import { type Totals, totalsSchema } from '../../domain/risk/overall-records.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** Finds the counts of a user over all deployments among items that were read together; undefined without any. */
export const totalsIn = (items: Items, userId: string): Totals | undefined => {
  const item = itemWith(items, keys.riskTotals(userId));
  return item && parseItem(totalsSchema, item);
};

/** Reads the counts of a user over all deployments consistently. */
export const readTotals = async (store: Store, userId: string): Promise<Totals | undefined> =>
  totalsIn(await store.getMany([keys.riskTotals(userId)], { consistent: true }), userId);

/** Returns the write of counts. Its condition fails if they changed since they were read. */
export const totalsWrite = (userId: string, before: Totals | undefined, after: Totals): Write => ({
  put: { ...after, ...keys.riskTotals(userId), entity: 'risk_totals' },
  if: before
    ? { condition: 'rev = :totals_rev', values: { ':totals_rev': before.rev } }
    : { condition: 'attribute_not_exists(pk)' },
});

/** Returns the write that removes the counts of a user. */
export const totalsRemoval = (userId: string): Write => ({ delete: keys.riskTotals(userId) });
