import { auditList } from '../audit/audit-trail.ts';
import { retryOnConflict } from '../numbered-list/retry.ts';
import type { Item } from '../table/attributes.ts';
import type { BatchMember } from '../table/batch-write.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { REFERRED } from '../users/users.ts';
import { type Account, pseudonymiser } from './account.ts';
import type { Holdings, Relation } from './holdings.ts';
import { matcherOf } from './matching.ts';

/** Replaces texts that the user wrote. */
const ERASED = '[erased]';
/** Items that are changed at the same time. One that others write to may take 12 seconds. */
const AT_ONCE = 10;

/** An item that expires within this time may be left at the end, like limits and answers for an Idempotency-Key. */
const SOON_S = 24 * 3600;
/**
 * Rounds in which records of others that mention the user, and messages, bring about another round. Later ones are those that
 * others wrote during the walk: they are changed, too, but nobody can put off the end with them.
 */
const MENTION_ROUNDS = 3;

/** Account that is being deleted. */
export interface Sweep {
  readonly deletion_id: string;
  /** Rounds before the present one that found something. */
  readonly rounds: number;
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
    // The code may have gone with its own user.
    condition: 'attribute_exists(pk)',
    values: { ':one': 1 },
  };
  try {
    await store.transact([removal, count]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    if (error.has(count)) await store.delete(key);
  }
};

/** Item of somebody else, and the function that replaces the users in it. */
interface Rewrite {
  readonly item: Item;
  readonly replaced: (item: Item) => Item;
}

/** Returns the write of the attributes that differ. Its condition fails if one of them has changed since it was read. */
const differenceWrite = (before: Item, after: Item): Write | undefined => {
  const changed = Object.keys({ ...before, ...after }).filter((name) => !isSame(after[name], before[name]));
  if (changed.length === 0) return undefined;
  const tests = changed.map((name, index) =>
    before[name] === undefined ? `attribute_not_exists(#was${index})` : `#was${index} = :was${index}`,
  );
  const values = changed.map((name, index) => [`:was${index}`, before[name]] as const);
  return {
    key: keyOf(before),
    set: Object.fromEntries(changed.map((name) => [name, after[name]])),
    if: {
      condition: ['attribute_exists(pk)', ...tests].join(' AND '),
      names: Object.fromEntries(changed.map((name, index) => [`#was${index}`, name])),
      values: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    },
  };
};

/** Replaces the users in an item; reads it again if it has changed. No-op if it is gone. */
const rewrite = async (store: Store, { item, replaced }: Rewrite): Promise<void> => {
  let found: Item | undefined = item;
  await retryOnConflict(async () => {
    found ??= (await store.getMany([keyOf(item)], { consistent: true }))[0];
    const write = found && differenceWrite(found, replaced(found));
    found = undefined;
    if (write) await store.transact([write]);
  });
};

/** Removes an item of a user whose key can pass to another user; no-op if it has. */
const removeIfOwned = async (store: Store, { key, userId }: Claim): Promise<void> => {
  try {
    await store.delete(key, { condition: 'user_id = :owner', values: { ':owner': userId } });
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
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

/** Item that belongs to a user by its attribute only, such as a device. */
interface Claim {
  readonly key: Key;
  readonly userId: string;
}

/** Part of a page: the items of the same accounts, mostly one. */
export interface PagePart {
  readonly deletionIds: readonly string[];
  /** Deletions that need another round for it. Others need one only if it cannot be removed. */
  readonly recurring: Set<string>;
  readonly moved: BatchMember[];
  readonly removed: BatchMember[];
  readonly referred: Key[];
  readonly claims: Claim[];
  readonly rewrites: Rewrite[];
}

/** Returns an entry of a trail about a user without the e-mail that the user had then. Another user may have it now. */
const withoutFormerEmail = (item: Item, { account, pseudonym }: Sweeper): Item => {
  const details = recordOf(item.details);
  return details.user_id === account.user_id && details.user_email !== undefined
    ? { ...item, details: { ...details, user_email: pseudonym } }
    : item;
};

/** Returns an item with all users replaced by their pseudonyms. */
const withoutUsers = (item: Item, found: Found): Item =>
  found.reduce((kept: Item, [sweeper, relation]) => {
    const texts = relation === 'audit' && item.by === 'user' ? { reason: ERASED } : {};
    const replaced = relation === 'audit' ? sweeper.ofUser : sweeper.ofOthers;
    return { ...recordOf(replaced(withoutFormerEmail(kept, sweeper))), ...texts };
  }, item);

/** Partitions that never pass to another user: those of a user, and of what a user holds by its number. */
const isFixed = ({ pk, sk }: Key, userId: string): boolean =>
  pk.includes(userId) || sk.includes(userId) || /^[A-Z_]+#\d+$/.test(pk);

/** Returns whether another round follows an item, as more of its kind may come. Nobody else can make it follow for ever. */
const isRecurring = (item: Item, [{ rounds }, relation]: Found[number], now: Date): boolean => {
  const { expires_at_s: expiry } = item;
  if (typeof expiry === 'number' && expiry <= now.getTime() / 1000 + SOON_S) return false;
  const isOfOthers = relation === 'mention' || String(item.entity).startsWith('outbox');
  return !isOfOthers || rounds < MENTION_ROUNDS;
};

const take = (part: PagePart, item: Item, found: Found, now: Date): void => {
  const key = keyOf(item);
  const note = (): void => {
    for (const one of found) if (isRecurring(item, one, now)) part.recurring.add(one[0].deletion_id);
  };
  if (found.some(([, relation]) => relation === 'own')) {
    note();
    const claimer = found.find(([{ account }]) => account.user_id === item.user_id)?.[0];
    if (item.entity === 'referred' && key.sk.startsWith(REFERRED)) part.referred.push(key);
    else if (claimer && !isFixed(key, claimer.account.user_id)) {
      part.claims.push({ key, userId: claimer.account.user_id });
    } else part.removed.push({ delete: key });
    return;
  }
  const replaced = (one: Item): Item => ({ ...withoutUsers(one, found), ...key });
  const owner = found.find(([{ trail }, relation]) => relation === 'audit' && key.pk === trail)?.[0];
  if (owner) {
    note();
    part.moved.push({ put: { ...replaced(item), pk: auditList(owner.pseudonym).pk } });
    part.removed.push({ delete: key });
    return;
  }
  if (!differenceWrite(item, replaced(item))) return;
  note();
  part.rewrites.push({ item, replaced });
};

/** Number of items that a part removes or changes. */
export const sizeOf = ({ removed, referred, claims, rewrites }: PagePart): number =>
  removed.length + referred.length + claims.length + rewrites.length;

const emptyPart = (deletionIds: readonly string[]): PagePart => ({
  deletionIds,
  recurring: new Set(),
  moved: [],
  removed: [],
  referred: [],
  claims: [],
  rewrites: [],
});

/** Returns a function that finds what items hold about the users, and divides it into parts that fail alone. */
export const partsFinder = (
  sweeps: readonly Sweep[],
): ((items: readonly Item[], now: Date) => PagePart[]) => {
  const match = matcherOf(sweeps.map(sweeperOf));
  return (items, now) => {
    const parts = new Map<string, PagePart>();
    for (const item of items) {
      const found = match(item).filter(([{ claim }]) => item.pk !== claim.pk || item.sk !== claim.sk);
      if (found.length === 0) continue;
      const deletionIds = found.map(([{ deletion_id }]) => deletion_id);
      const name = deletionIds.toSorted().join(' ');
      const part = parts.get(name) ?? emptyPart(deletionIds);
      parts.set(name, part);
      take(part, item, found, now);
    }
    return [...parts.values()].filter((part) => sizeOf(part) > 0);
  };
};

/** Handles items, some in parallel. A failure stops those after its batch. */
const inParallel = async <T>(items: readonly T[], handle: (item: T) => Promise<void>): Promise<void> => {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const settled = await Promise.allSettled(items.slice(start, start + AT_ONCE).map(handle));
    const failed = settled.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
};

/**
 * Removes what a part of a page holds about its users, and replaces them by their pseudonyms in what stays: the audit
 * trail, and records of others. Can be repeated.
 */
export const erasePart = async (
  store: Store,
  { moved, removed, referred, claims, rewrites }: PagePart,
): Promise<void> => {
  await store.batchWrite(moved);
  await store.batchWrite(removed);
  // Takes these one by one, as they change the count of the same code.
  for (const key of referred) await removeReferred(store, key);
  await inParallel(claims, (claim) => removeIfOwned(store, claim));
  await inParallel(rewrites, (one) => rewrite(store, one));
};
