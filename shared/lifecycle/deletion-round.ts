import { keys } from '../data/table/keys.ts';
import type { Account } from '../data/user-data/account.ts';
import type { WalkMember } from '../data/user-data/deletion-walk.ts';
import { type Deletion, findDeletion, saveDeletion } from '../data/user-data/deletions.ts';
import type { Runtime } from '../runtime.ts';

/** The deletions of a round of the walk: reading them, and ending the round for each. */

const AT_ONCE = 20;
const MAX_TRIES = 3;

/** Handles items, some in parallel. @returns the failures; one item does not stop the others. */
export const forEach = async <T>(
  items: readonly T[],
  handle: (item: T) => Promise<unknown>,
): Promise<readonly { readonly item: T; readonly error: unknown }[]> => {
  const failures: { item: T; error: unknown }[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const batch = items.slice(start, start + AT_ONCE);
    const settled = await Promise.allSettled(batch.map(handle));
    for (const [index, item] of batch.entries()) {
      const outcome = settled[index];
      if (outcome?.status === 'rejected') failures.push({ item, error: outcome.reason });
    }
  }
  return failures;
};

/** Deletion that sweeps. */
export type Sweeping = Deletion & { readonly account: Account };

const isSweeping = (deletion: Deletion | undefined): deletion is Sweeping =>
  deletion?.stage === 'sweeping' && deletion.account !== undefined && deletion.finished_at === undefined;

interface Loaded {
  readonly sweeping: readonly Sweeping[];
  /** Deletions that could not be read. */
  readonly failed: readonly { readonly item: string; readonly error: unknown }[];
}

/** Reads deletions, and keeps those that still sweep. */
export const loadSweeping = async ({ store }: Runtime, ids: readonly string[]): Promise<Loaded> => {
  const found = new Map<string, Sweeping>();
  const failed = await forEach(ids, async (id) => {
    const deletion = await findDeletion(store, id);
    if (isSweeping(deletion)) found.set(id, deletion);
  });
  return { sweeping: ids.flatMap((id) => found.get(id) ?? []), failed };
};

/** Ends a deletion, or counts its round if that found something. @returns true if it goes on. */
export const settleMember = async (
  { store, clock }: Runtime,
  round: number,
  { deletion_id, found, erased }: WalkMember,
): Promise<boolean> => {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const deletion = await findDeletion(store, deletion_id);
    if (!isSweeping(deletion)) return false;
    // A crash before the walk was saved repeats this.
    if (deletion.last_round === round) return true;
    const { account, pseudonym } = deletion;
    const counts = { erased: deletion.erased + erased, rounds: deletion.rounds + 1, last_round: round };
    const now = clock();
    if (found) {
      if (await saveDeletion(store, deletion, counts, now, { dueAt: now.getTime() })) return true;
      continue;
    }
    const over = { account: undefined, holdings: undefined, finished_at: now.toISOString() };
    const claim = { condition: 'reserved.user_id = :none', values: { ':none': pseudonym } };
    // Frees the e-mail in the transaction that forgets it.
    const freed = { delete: keys.credentials(account.email), if: claim };
    const ended = await saveDeletion(store, deletion, { ...counts, ...over }, now, { extraWrites: [freed] });
    if (ended) return false;
  }
  throw new Error('the end of a deletion was refused');
};
