import { scanItems } from '../data/table/scan.ts';
import { type DeletionWalk, findWalk, saveWalk } from '../data/user-data/deletion-walk.ts';
import { findSweeping } from '../data/user-data/deletions.ts';
import { erasePart, type PagePart, partsFinder, sizeOf } from '../data/user-data/sweep.ts';
import type { Runtime } from '../runtime.ts';
import { forEach, loadSweeping, type Sweeping, settleMember } from './deletion-round.ts';

/** Largest number of accounts of a round, which are in memory at once. Others wait for the next round. */
const MAX_MEMBERS = 1000;
/** Pause before the next round for a member, in which messages of the last changes are delivered. */
const PAUSE_MS = 60_000;
/** Pause after a round, in times of its length and at most. Reading a large table without a pause costs too much. */
const PAUSE_TIMES = 3;
const MAX_PAUSE_MS = 24 * 3_600_000;
const NOTHING = { deployments: [], strategies: [], backtests: [], sweeps: [] };

/** Report of a run of the walk. */
interface WalkReport {
  /** True if the round is not over, and nothing but time was missing. */
  readonly more: boolean;
  readonly errors: readonly unknown[];
}

/** Worker of the walk: holds its lease, and what it looks for. */
class Walker {
  readonly #runtime: Runtime;
  readonly errors: unknown[] = [];
  #walk: DeletionWalk;
  #partsOf: ReturnType<typeof partsFinder> | undefined;

  constructor(runtime: Runtime, walk: DeletionWalk) {
    this.#runtime = runtime;
    this.#walk = walk;
  }

  get isBetweenRounds(): boolean {
    return this.#walk.members.length === 0;
  }

  #fail(deletionId: string, cause: unknown): void {
    this.errors.push(new Error(`the walk failed for the deletion ${deletionId}`, { cause }));
  }

  /** Saves the walk. @returns false if another worker has taken it. */
  async save(change: Parameters<typeof saveWalk>[2], freeAt?: number): Promise<boolean> {
    const { store, clock } = this.#runtime;
    const saved = await saveWalk(store, this.#walk, change, clock(), freeAt);
    if (saved) this.#walk = saved;
    return saved !== undefined;
  }

  /** Marks members that need another round: before anything of them is removed, and after failures. */
  #mark(ids: ReadonlySet<string>): Promise<boolean> {
    const { members } = this.#walk;
    const isNews = members.some(({ deletion_id, found }) => !found && ids.has(deletion_id));
    if (!isNews) return Promise.resolve(true);
    return this.save({
      members: members.map((one) => (ids.has(one.deletion_id) ? { ...one, found: true } : one)),
    });
  }

  #watch(sweeping: readonly Sweeping[]): void {
    this.#partsOf = partsFinder(
      sweeping.map(({ deletion_id, rounds, account, holdings = NOTHING, pseudonym }) => ({
        deletion_id,
        rounds,
        account,
        holdings,
        pseudonym,
      })),
    );
  }

  /** Begins a round for those that wait. @returns false if nobody waits, or another worker has taken the walk. */
  async begin(waiting: readonly string[]): Promise<boolean> {
    const { sweeping, failed } = await loadSweeping(this.#runtime, waiting);
    for (const { item, error } of failed) this.#fail(item, error);
    if (sweeping.length === 0) return false;
    this.#watch(sweeping);
    const members = sweeping.map(({ deletion_id }) => ({ deletion_id, found: false, erased: 0 }));
    const began_at = this.#runtime.clock().getTime();
    return this.save({ round: this.#walk.round + 1, place: undefined, began_at, is_read: false, members });
  }

  /** Reads the members of a round that another run began. @returns false if another worker has taken the walk. */
  async #resume(): Promise<boolean> {
    const { sweeping, failed } = await loadSweeping(
      this.#runtime,
      this.#walk.members.map(({ deletion_id }) => deletion_id),
    );
    for (const { item, error } of failed) this.#fail(item, error);
    this.#watch(sweeping);
    // The round passes by those that could not be read.
    if (failed.length > 0 && !(await this.#mark(new Set(failed.map(({ item }) => item))))) return false;
    // Without an account to look for, the round is over.
    return sweeping.length > 0 || failed.length > 0 || this.save({ place: undefined, is_read: true });
  }

  /** Removes the parts of a page. @returns the number of removed items by deletion, and the deletions with failures. */
  async #erase(
    parts: readonly PagePart[],
  ): Promise<{ readonly erased: ReadonlyMap<string, number>; readonly failed: readonly string[] }> {
    const erased = new Map<string, number>();
    const failures = await forEach(parts, async (part) => {
      await erasePart(this.#runtime.store, part);
      for (const id of part.deletionIds) erased.set(id, (erased.get(id) ?? 0) + sizeOf(part));
    });
    for (const { item, error } of failures) this.#fail(item.deletionIds.join(' '), error);
    return { erased, failed: failures.flatMap(({ item }) => item.deletionIds) };
  }

  async #page(partsOf: ReturnType<typeof partsFinder>): Promise<boolean> {
    const { store, clock } = this.#runtime;
    const { items, next } = await scanItems(store, this.#walk.place);
    const parts = partsOf(items, clock());
    if (!(await this.#mark(new Set(parts.flatMap(({ recurring }) => [...recurring]))))) return false;
    const { erased, failed } = await this.#erase(parts);
    // The next round comes back to what could not be removed.
    if (!(await this.#mark(new Set(failed)))) return false;
    const members = this.#walk.members.map((one) => ({
      ...one,
      erased: one.erased + (erased.get(one.deletion_id) ?? 0),
    }));
    return this.save({ place: next, is_read: next === undefined, ...(erased.size > 0 && { members }) });
  }

  /** Ends the round for all members. */
  async #end(): Promise<boolean> {
    let left = 0;
    const { round, members, began_at } = this.#walk;
    const failures = await forEach(members, async (member) => {
      if (await settleMember(this.#runtime, round, member)) left += 1;
    });
    for (const { item, error } of failures) this.#fail(item.deletion_id, error);
    this.#partsOf = undefined;
    const now = this.#runtime.clock().getTime();
    const pause = Math.min(PAUSE_TIMES * (now - began_at), MAX_PAUSE_MS);
    const least = left + failures.length > 0 ? PAUSE_MS : 0;
    await this.save({ members: [], is_read: false }, now + Math.max(pause, least));
    this.#runtime.log.info('a round of the deletion of accounts is over', {
      round,
      members: members.length,
      left,
    });
    return false;
  }

  /** Goes on with the round by a page. @returns false at its end, or if another worker has taken the walk. */
  async step(): Promise<boolean> {
    if (this.#walk.is_read) return this.#end();
    if (!this.#partsOf) return this.#resume();
    return this.#page(this.#partsOf);
  }
}

/**
 * Goes on with the walk through the table for all deletions that sweep. Any number of workers may call it: the walk has
 * one lease, and every page is saved, so the work goes on after a crash or a time limit. Without a deletion it reads
 * no page.
 *
 * @param maxMembers largest number of deletions that take part in a round. Others wait for the next one.
 */
export const walkForDeletions = async (
  runtime: Runtime,
  hasTime: () => boolean,
  maxMembers = MAX_MEMBERS,
): Promise<WalkReport> => {
  const { store, clock } = runtime;
  if (!hasTime()) return { more: false, errors: [] };
  const damaged: Error[] = [];
  const waiting = await findSweeping(store, maxMembers, (error) => damaged.push(error));
  const nothing: WalkReport = { more: false, errors: damaged };
  if (waiting.length === 0) return nothing;
  const found = await findWalk(store);
  if (clock().getTime() < found.free_at) return nothing;
  const walker = new Walker(runtime, found);
  // Takes the lease.
  let goesOn = await walker.save({});
  if (!goesOn) return nothing;
  if (walker.isBetweenRounds) goesOn = await walker.begin(waiting);
  if (walker.isBetweenRounds) {
    await walker.save({}, clock().getTime());
    return { more: false, errors: [...damaged, ...walker.errors] };
  }
  while (goesOn && hasTime()) goesOn = await walker.step();
  // Lets the next run begin at once. Without the lease, this is refused.
  if (goesOn) await walker.save({}, clock().getTime());
  return { more: goesOn, errors: [...damaged, ...walker.errors] };
};
