import { auditList } from '../audit/audit-trail.ts';
import type { Item } from '../table/attributes.ts';
import type { BatchMember } from '../table/batch-write.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { REFERRED } from '../users/users.ts';
import { type Account, pseudonymiser } from './account.ts';
import type { Holdings, Relation } from './holdings.ts';
import { matcherOf } from './matching.ts';

/** Replaces texts that the user wrote. */
const ERASED = '[erased]';

/** Account that is being deleted. */
export interface Sweep {
  readonly deletion_id: string;
  readonly account: Account;
  readonly holdings: Holdings;
  readonly pseudonym: string;
}

const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Removes the item of a user who registered with a referral code. The count of the code stays: it moves to the
 * registrations that have no item.
 */
const removeReferred = async (store: Store, key: Key): Promise<void> => {
  const removal = { delete: key, if: { condition: 'attribute_exists(pk)' } };
  const count: Write = {
    key: { pk: key.pk, sk: 'REFERRAL' },
    update: 'SET unlisted_count = unlisted_count + :one',
    // Without the attribute, the next reconciliation counts registrations without an item.
    condition: 'attribute_exists(unlisted_count)',
    values: { ':one': 1 },
  };
  try {
    await store.transact([removal, count]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    if (error.has(count)) await store.delete(key);
  }
};

/** Writes the attributes of an item that differ from those stored; no-op if the item is gone. */
const rewrite = async (store: Store, before: Item, after: Item): Promise<void> => {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, before[name]));
  try {
    await store.transact([
      { key: keyOf(before), set: Object.fromEntries(changed), if: { condition: 'attribute_exists(pk)' } },
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
};

const recordOf = (value: unknown): Item => (typeof value === 'object' && value !== null ? { ...value } : {});

/** Account with what its items are compared with and changed by, made once. */
interface Sweeper extends Sweep {
  readonly trail: string;
  readonly claim: Key;
  readonly ofUser: (item: Item) => unknown;
  readonly ofOthers: (item: Item) => unknown;
}

const sweeperOf = (sweep: Sweep): Sweeper => ({
  ...sweep,
  trail: auditList(sweep.account.user_id).pk,
  // Holds the e-mail until the end: another user who takes it meanwhile would be taken for this one.
  claim: keys.credentials(sweep.account.email),
  ofUser: pseudonymiser(sweep.account, sweep.pseudonym, { names: true }),
  ofOthers: pseudonymiser(sweep.account, sweep.pseudonym, { names: false }),
});

type Found = readonly (readonly [Sweeper, Relation])[];

/** Part of a page: the items of the same accounts, mostly one. */
export interface PagePart {
  readonly deletionIds: readonly string[];
  readonly moved: BatchMember[];
  readonly removed: BatchMember[];
  readonly referred: Key[];
  readonly rewrites: (readonly [Item, Item])[];
}

/** Returns an item with all users replaced by their pseudonyms. */
const withoutUsers = (item: Item, found: Found): Item =>
  found.reduce((kept: Item, [{ ofUser, ofOthers }, relation]) => {
    const texts = relation === 'audit' && item.by === 'user' ? { reason: ERASED } : {};
    return { ...recordOf((relation === 'audit' ? ofUser : ofOthers)(kept)), ...texts };
  }, item);

const take = (part: PagePart, item: Item, found: Found): void => {
  const key = keyOf(item);
  if (found.some(([, relation]) => relation === 'own')) {
    if (item.entity === 'referred' && key.sk.startsWith(REFERRED)) part.referred.push(key);
    else part.removed.push({ delete: key });
    return;
  }
  const kept = withoutUsers(item, found);
  const owner = found.find(([{ trail }, relation]) => relation === 'audit' && key.pk === trail)?.[0];
  if (owner) {
    part.moved.push({ put: { ...kept, pk: auditList(owner.pseudonym).pk, sk: key.sk } });
    part.removed.push({ delete: key });
    return;
  }
  const after = { ...kept, ...key };
  if (!isSame(after, item)) part.rewrites.push([item, after]);
};

/** Number of items that a part removes or changes. */
export const sizeOf = ({ removed, referred, rewrites }: PagePart): number =>
  removed.length + referred.length + rewrites.length;

/** Returns a function that finds what items hold about the users, and divides it into parts that fail alone. */
export const partsFinder = (sweeps: readonly Sweep[]): ((items: readonly Item[]) => PagePart[]) => {
  const match = matcherOf(sweeps.map(sweeperOf));
  return (items) => {
    const parts = new Map<string, PagePart>();
    for (const item of items) {
      const found = match(item).filter(([{ claim }]) => item.pk !== claim.pk || item.sk !== claim.sk);
      if (found.length === 0) continue;
      const deletionIds = found.map(([{ deletion_id }]) => deletion_id);
      const name = deletionIds.toSorted().join(' ');
      const part = parts.get(name) ?? { deletionIds, moved: [], removed: [], referred: [], rewrites: [] };
      parts.set(name, part);
      take(part, item, found);
    }
    return [...parts.values()].filter((part) => sizeOf(part) > 0);
  };
};

/**
 * Removes what a part of a page holds about its users, and replaces them by their pseudonyms in what stays: the audit
 * trail, and records of others. Can be repeated.
 */
export const erasePart = async (
  store: Store,
  { moved, removed, referred, rewrites }: PagePart,
): Promise<void> => {
  await store.batchWrite(moved);
  await store.batchWrite(removed);
  for (const key of referred) await removeReferred(store, key);
  for (const [before, after] of rewrites) await rewrite(store, before, after);
};
