import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { integer } from '../../../shared/api/fields.ts';
import { cutPage, pageQueryOf } from '../../../shared/api/pages.ts';
import { unknownUser } from '../../../shared/api/refusals.ts';
import { type OwnedBacktests, ownedBacktests } from '../../../shared/data/backtests/user-backtests.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { placeByKey, readable } from '../../../shared/data/table/damaged-items.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';

/** Query parameters of a list of a user's backtests or sweeps. */
export const ownedQuery = z.object({
  user_id: z.string(),
  strategy_id: integer().optional(),
  ...pageQueryOf(20),
});

/** Describes a kind of owned record: backtests or sweeps. */
interface OwnedKind<Entry, Out> {
  /** Returns the entries of the kind, oldest first. */
  readonly entriesOf: (list: OwnedBacktests['list']) => readonly Entry[];
  readonly keyOf: (entry: Entry) => Key;
  /** Presents a stored item; undefined for one that was removed. */
  readonly present: (item: Item | undefined) => Out | undefined;
}

/**
 * Returns a page of a user's backtests or sweeps, newest first, with the items of the page.
 *
 * @throws HubError user_unknown
 */
export const listOwned = async <Entry extends { readonly strategy_id?: number | undefined }, Out>(
  { store, onDamaged }: Call,
  { user_id: userId, strategy_id: strategyId, ...choice }: z.output<typeof ownedQuery>,
  { entriesOf, keyOf, present }: OwnedKind<Entry, Out>,
) => {
  const own = { user: keys.user(userId), owned: keys.backtestsOf(userId) };
  const first = await store.getMany(Object.values(own), { consistent: true });
  if (!itemWith(first, own.user)) throw unknownUser();
  const chosen = entriesOf(ownedBacktests(itemWith(first, own.owned)).list)
    .filter(({ strategy_id }) => strategyId === undefined || strategy_id === strategyId)
    .toReversed();
  const page = cutPage(chosen, choice);
  const wanted = page.items.map(keyOf);
  const items = wanted.length === 0 ? [] : await store.getMany(wanted, { consistent: true });
  // An item that was removed between the two reads is left out.
  return { ...page, items: items.flatMap((item) => readable(present, item, placeByKey, onDamaged) ?? []) };
};
