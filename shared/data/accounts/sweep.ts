import { auditList } from '../audit/audit-trail.ts';
import type { Item } from '../table/attributes.ts';
import type { BatchMember } from '../table/batch-write.ts';
import { keys } from '../table/keys.ts';
import { scanItems } from '../table/scan.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { REFERRED } from '../users/users.ts';
import { type Account, pseudonymiser } from './account.ts';
import type { Deletion } from './deletions.ts';
import { type Holdings, relationTest } from './holdings.ts';

/** Replaces texts that the user wrote. */
const ERASED = '[erased]';

/** Account that is being deleted. */
interface Sweep {
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

/**
 * Removes what a page of the table holds about the user, and replaces the user by the pseudonym in what stays: the
 * audit trail, and records of others.
 *
 * @returns the number of items that it removed or changed, and the position of the next page.
 */
export const sweepPage = async (
  store: Store,
  { account, holdings, pseudonym }: Sweep,
  from: Deletion['place'],
): Promise<{ readonly erased: number; readonly next: Deletion['place'] }> => {
  const relationOf = relationTest(account, holdings);
  const ofUser = pseudonymiser(account, pseudonym, { names: true });
  const ofOthers = pseudonymiser(account, pseudonym, { names: false });
  const trail = auditList(account.user_id).pk;
  // Holds the e-mail until the end: another user who takes it meanwhile would be taken for this one.
  const claim = keys.credentials(account.email);
  const { items, next } = await scanItems(store, from);

  const moved: BatchMember[] = [];
  const removed: BatchMember[] = [];
  const referred: Key[] = [];
  const rewrites: (readonly [Item, Item])[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const relation = relationOf(item);
    if (relation === undefined || (key.pk === claim.pk && key.sk === claim.sk)) continue;
    if (relation === 'own') {
      if (item.entity === 'referred' && key.sk.startsWith(REFERRED)) referred.push(key);
      else removed.push({ delete: key });
      continue;
    }
    const kept = recordOf((relation === 'audit' ? ofUser : ofOthers)(item));
    const texts = relation === 'audit' && item.by === 'user' ? { reason: ERASED } : {};
    if (relation === 'audit' && key.pk === trail) {
      moved.push({ put: { ...kept, ...texts, pk: auditList(pseudonym).pk, sk: key.sk } });
      removed.push({ delete: key });
      continue;
    }
    const after = { ...kept, ...texts, ...key };
    if (!isSame(after, item)) rewrites.push([item, after]);
  }

  await store.batchWrite(moved);
  await store.batchWrite(removed);
  for (const key of referred) await removeReferred(store, key);
  for (const [before, after] of rewrites) await rewrite(store, before, after);
  return { erased: removed.length + referred.length + rewrites.length, next };
};
