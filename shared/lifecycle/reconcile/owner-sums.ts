import {
  asEndedEntry,
  bookingWrite,
  type EndedEntry,
  endedList,
  unbooked,
} from '../../data/books/ended-entries.ts';
import {
  addTotals,
  asEndedTotals,
  endedTotalsKeys,
  endedTotalsWrite,
  groupOf,
  isNoChange,
  NO_TOTALS,
  type Totals,
  totalsChange,
} from '../../data/books/ended-totals.ts';
import { beginningOf } from '../../data/books/summary.ts';
import { entryKey } from '../../data/numbered-list/numbered-list.ts';
import { MAX_DEPLOYMENTS, MAX_TOGETHER } from '../../data/reconcile/owned-deployments.ts';
import { repaired } from '../../data/reconcile/repaired.ts';
import type { Tally } from '../../data/reconcile/tally.ts';
import type { Item } from '../../data/table/attributes.ts';
import { keys } from '../../data/table/keys.ts';
import { type Store, TransactionContendedError, TransactionRefusedError } from '../../data/table/store.ts';
import type { Key, Write } from '../../data/table/writes.ts';

import { isSummaryRight } from './deployments.ts';

const KIND = 'ended_totals';
const LAST_SEQ = 10 ** 12 - 1;

interface Ended {
  readonly key: Key;
  readonly item: Item;
  readonly entry: EndedEntry;
}

/** Reads the entries of all ended deployments of a user; undefined if there are too many. */
const readEnded = async (store: Store, userId: string): Promise<Ended[] | undefined> => {
  const found = await Promise.all(
    [false, true].map((prediction_market) => {
      const list = endedList(userId, { prediction_market });
      return store.queryItems({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
        ExpressionAttributeValues: {
          ':pk': list.pk,
          ':low': entryKey(list, 0).sk,
          ':high': entryKey(list, LAST_SEQ).sk,
        },
        Limit: MAX_DEPLOYMENTS + 1,
        ConsistentRead: true,
      });
    }),
  );
  const items = found.flat();
  if (items.length > MAX_DEPLOYMENTS) return undefined;
  return items.map((item) => ({
    key: { pk: String(item.pk), sk: String(item.sk) },
    item,
    entry: asEndedEntry(item),
  }));
};

/** Writes what others may change at the same time. @returns false if they did. */
const transactUnlessChanged = async (store: Store, writes: readonly Write[]): Promise<boolean> => {
  try {
    await store.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError || error instanceof TransactionContendedError) return false;
    throw error;
  }
};

/** Returns the write that counts the present results of a deployment, as the message of a late event does. */
const bookWrites = async (store: Store, userId: string, { key, item, entry }: Ended): Promise<Write[]> => {
  const change = unbooked(entry);
  const sums = endedTotalsKeys(userId, entry.summary);
  const kept = await store.getMany(sums, { consistent: true });
  const span = { from: beginningOf(entry.summary), to: entry.summary.updated_at };
  return [
    bookingWrite(key, item),
    ...sums.map((sum, index) =>
      endedTotalsWrite(sum, kept[index], { ...span, group: groupOf(entry.summary), change }),
    ),
  ];
};

/** Returns whether the totals lack results of a deployment. */
const isLate = (entry: EndedEntry): boolean => !isNoChange(unbooked(entry));

/**
 * Counts results of ended deployments that are not in the totals: a message was lost, or waits. A message that is
 * entered later finds nothing left to count.
 */
const bookMissing = async (
  store: Store,
  userId: string,
  ended: readonly Ended[],
  tally: Tally,
): Promise<void> => {
  for (const { key, entry } of ended) {
    if (!isLate(entry)) continue;
    const id = entry.summary.deployment_id;
    // A wrong summary must not be counted. It is corrected with its deployment.
    if (!(await isSummaryRight(store, id))) continue;
    const [item] = await store.getMany([key], { consistent: true });
    const present = item && asEndedEntry(item);
    if (!present || !isLate(present)) continue;
    const one = { key, item, entry: present };
    const done = await transactUnlessChanged(store, await bookWrites(store, userId, one));
    tally.add(KIND, done ? 'repaired' : 'busy', `deployment ${id}`);
  }
};

interface Expected {
  readonly groups: Map<string, Totals>;
  from: string;
  to: string;
}

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/** Adds up the parts of the deployments by item and group. */
const expectedTotals = (userId: string, ended: readonly Ended[]): Map<string, Expected> => {
  const sums = new Map<string, Expected>();
  for (const { entry } of ended) {
    const { summary, booked } = entry;
    const [from, to] = [beginningOf(summary), summary.updated_at];
    for (const key of endedTotalsKeys(userId, summary)) {
      const known = sums.get(nameOf(key)) ?? { groups: new Map<string, Totals>(), from, to };
      const group = groupOf(summary);
      known.groups.set(group, addTotals(known.groups.get(group) ?? NO_TOTALS, booked));
      if (from < known.from) known.from = from;
      if (to > known.to) known.to = to;
      sums.set(nameOf(key), known);
    }
  }
  return sums;
};

interface Wrong {
  readonly key: Key;
  readonly item: Item | undefined;
  readonly group: string;
  readonly change: Totals;
  readonly from: string;
  readonly to: string;
}

const readKept = (store: Store, userId: string): Promise<Item[]> => {
  const { pk, sk } = keys.tradingTotals(userId, '');
  return store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    ConsistentRead: true,
  });
};

/** Compares the stored totals with the parts of the deployments. Reads the totals first: their versions guard the parts. */
const measureTotals = async (store: Store, userId: string) => {
  const kept = new Map<string, Item>();
  for (const item of await readKept(store, userId)) {
    kept.set(nameOf({ pk: String(item.pk), sk: String(item.sk) }), item);
  }
  const ended = await readEnded(store, userId);
  if (!ended) return undefined;
  const expected = expectedTotals(userId, ended);
  const wrong: Wrong[] = [];
  for (const name of new Set([...kept.keys(), ...expected.keys()])) {
    const [pk = '', sk = ''] = name.split('\n');
    const item = kept.get(name);
    const before = asEndedTotals(item);
    const after = expected.get(name);
    for (const group of new Set([...Object.keys(before.groups), ...(after?.groups.keys() ?? [])])) {
      const change = totalsChange(before.groups[group] ?? NO_TOTALS, after?.groups.get(group) ?? NO_TOTALS);
      if (isNoChange(change)) continue;
      const [from, to] = [after?.from ?? before.from ?? '', after?.to ?? before.to ?? ''];
      wrong.push({ key: { pk, sk }, item, group, change, from, to });
    }
  }
  // A transaction holds an item once.
  const batch = [...new Map(wrong.map((one) => [nameOf(one.key), one])).values()].slice(0, MAX_TOGETHER);
  return wrong.length > 0 ? { batch, all: wrong.length } : undefined;
};

type Measured = NonNullable<Awaited<ReturnType<typeof measureTotals>>>;

const stateOf = ({ batch }: Measured): string =>
  JSON.stringify(batch.map(({ key, item, group, change }) => [key, item?.version, group, change]));

/**
 * Checks and corrects the totals over the ended trading deployments of a user: by market, and by strategy. They equal the
 * sum over the parts of the deployments at any time, since both change together.
 */
export const reconcileSums = async (store: Store, userId: string, tally: Tally): Promise<void> => {
  tally.add(KIND, 'checked');
  const ended = await readEnded(store, userId);
  if (!ended) return tally.add(KIND, 'too_large', keys.user(userId).pk);
  await bookMissing(store, userId, ended, tally);
  for (let left = 1; left > 0; ) {
    let batch: readonly Wrong[] = [];
    const outcome = await repaired({
      store,
      measure: () => measureTotals(store, userId),
      same: (one, other) => stateOf(one) === stateOf(other),
      writes: (_, last) => {
        batch = last.batch;
        left = last.all - batch.length;
        return batch.map(({ key, item, ...change }) => endedTotalsWrite(key, item, change));
      },
    });
    if (outcome === 'right') return;
    if (outcome === 'busy') return tally.add(KIND, 'busy');
    for (const { key, group } of batch)
      tally.add(KIND, outcome, `${nameOf(key).replace('\n', ' ')} ${group}`);
  }
};
