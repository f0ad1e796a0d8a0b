import type { BookMemory, Recalled } from '../../shared/data/books/book-memory.ts';
import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { type AccountSub, subGuard, subKey, subWrites } from '../../shared/data/engine/subscriptions.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import type { Key } from '../../shared/data/table/writes.ts';
import { closeMarketDays } from '../../shared/lifecycle/close-days.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { OutdatedError } from './passing-errors.ts';

/** The ledger has many open days before a part. */
export class DaysDueError extends Error {
  readonly at: number;
  constructor(at: number) {
    super('days have to be closed before a report is booked');
    this.name = 'DaysDueError';
    this.at = at;
  }
}

/** Part of a booking, with the deployment as it is. */
export interface Part {
  readonly index: number;
  readonly isLast: boolean;
  /** The account as it is stored. */
  readonly sub: AccountSub;
  readonly found: Deployment | undefined;
  readonly now: Date;
  readonly items: Items;
  readonly recalled: Recalled | undefined;
  /** True if the days before the part are closed as far as they can be. */
  readonly isClosed: boolean;
}

/** Names the parts of the work of an account: reports, or requests. */
export interface Parts {
  /** Number of the parts; an account without any is written alone. */
  readonly count: number;
  /** The account once a part of it is booked. */
  readonly begun: AccountSub;
  /** Cache that saves the read of the deployment. */
  readonly memory?: BookMemory;
  readonly readsOf: (index: number) => readonly Key[];
  /**
   * Decides a part; undefined if it is in the books. The last one writes the account.
   *
   * @returns `ended` if nothing is left to do for the deployment.
   * @throws DaysDueError
   */
  readonly decide: (part: Part) => Promise<Effect | 'ended' | undefined>;
}

/**
 * Books what an account did, each part in a transaction; the last one writes the account. So a crash repeats parts, which
 * changes nothing, but never loses one. The first of several marks the account: a repeat then does the same, whatever
 * happened meanwhile.
 *
 * @returns the account if nothing is left to do for its deployment; undefined once all is booked.
 * @throws OutdatedError if the account changed since it was read.
 */
export const bookParts = async (
  engine: EngineRuntime,
  given: AccountSub,
  { count, begun, memory, readsOf, decide }: Parts,
): Promise<AccountSub | undefined> => {
  const { deployment_id } = given;
  let sub = given;
  let isEnded = false;
  const book = (index: number, { isClosed }: Pick<Part, 'isClosed'>) =>
    changeDeployment(
      engine,
      deployment_id,
      async (found, now, items, recalled): Promise<Effect | undefined> => {
        if (!recalled && itemWith(items, subKey(sub))?.rev !== sub.rev) throw new OutdatedError();
        const isLast = index >= count - 1;
        const effect = await decide({ index, isLast, sub, found, now, items, recalled, isClosed });
        isEnded = effect === 'ended';
        if (!effect || effect === 'ended') return undefined;
        if (isLast) return effect;
        const mark = sub.booking ? [subGuard(sub)] : subWrites(sub, begun);
        return { ...effect, writes: [...(effect.writes ?? []), ...mark] };
      },
      [subKey(sub), ...readsOf(index)],
      memory,
    );
  for (let index = 0; index < Math.max(1, count); index += 1) {
    const changed = await book(index, { isClosed: false }).catch(async (error: unknown) => {
      if (!(error instanceof DaysDueError)) throw error;
      await closeMarketDays(engine, deployment_id, error.at, memory);
      return book(index, { isClosed: true });
    });
    if (isEnded) return sub;
    if (changed && !sub.booking) sub = { ...begun, rev: sub.rev + 1 };
  }
  return undefined;
};
