import { retryOnConflict } from '../numbered-list/retry.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Condition, Write } from '../table/writes.ts';
import {
  type Connection,
  type ConnectionLink,
  connectionItem,
  connectionKey,
  findConnection,
  linkWrite,
} from './connections.ts';
import { waitingWrites } from './ending.ts';

/** The most earlier connections of one account that wait for the current one to end; older ones are ended at once. */
const MAX_REPLACED = 20;

/** Returns the condition that a connection is as read: not renewed, ended or replaced since. */
const unchanged = (before: Connection | undefined): Condition => {
  if (!before) return { condition: 'attribute_not_exists(pk)' };
  const { connection_id: id, status, due_at: dueAt } = before;
  return {
    condition: `connection_id = :id AND #status = :status AND ${
      dueAt === undefined ? 'attribute_not_exists(due_at)' : 'due_at = :due'
    }`,
    names: { '#status': 'status' },
    values: { ':id': id, ':status': status, ...(dueAt !== undefined && { ':due': dueAt }) },
  };
};

/**
 * Moves a user's previous connection to those to be ended, and returns the ones that wait. Partner C may keep one
 * consent per account, which ends with any of its tokens: connections of the same account wait for the end of the
 * current one, all others are ended now.
 */
const replace = (
  before: Connection | undefined,
  next: Connection,
  now: Date,
): { replaced: string[]; writes: Write[] } => {
  if (!before) return { replaced: [], writes: [] };
  const isSame = before.account !== undefined && before.account === next.account;
  const earlier = before.replaced ?? [];
  // Revoked tokens need no ending at partner C.
  const moved = before.sealed ? [before.connection_id] : [];
  const waiting = isSame ? [...earlier, ...moved].slice(-MAX_REPLACED) : [];
  const isWaiting = new Set(waiting);
  const ending: Connection = {
    ...before,
    user_id: undefined,
    status: 'disconnecting',
    attempts: 0,
    replaced: undefined,
    due_at: isWaiting.has(before.connection_id) ? undefined : now.getTime(),
  };
  const over = earlier.filter((id) => !isWaiting.has(id));
  return {
    replaced: waiting,
    writes: [...moved.map(() => ({ put: connectionItem(ending) })), ...waitingWrites(over, now)],
  };
};

/**
 * Gives a user a connection. It replaces an earlier one, which is left to be ended at partner C.
 *
 * @param waiting the unclaimed connection that the user claims, if any.
 * @param found the user's current connection, if it was read already; a retry reads it again.
 * @returns false if the user is gone, or the waiting connection was claimed or is ending.
 * @throws ChangedMeanwhileError
 */
export const placeConnection = (
  store: Store,
  next: Connection & { readonly user_id: string },
  {
    link,
    now,
    waiting,
    found,
    extraWrites = [],
  }: {
    link: ConnectionLink;
    now: Date;
    waiting?: Connection;
    found?: { readonly connection: Connection | undefined } | undefined;
    /** Further writes of the same transaction. */
    extraWrites?: readonly Write[];
  },
): Promise<boolean> => {
  let known = found;
  return retryOnConflict(async () => {
    const { connection: before } = known ?? { connection: await findConnection(store, next.user_id) };
    known = undefined;
    const { replaced, writes } = replace(before, next, now);
    const required: Write[] = [
      linkWrite(next.user_id, link, next),
      ...(waiting ? [{ delete: connectionKey(waiting), if: unchanged(waiting) }] : []),
    ];
    try {
      const placed = { ...next, replaced: replaced.length > 0 ? replaced : undefined };
      await store.transact([
        ...required,
        { put: connectionItem(placed), if: unchanged(before) },
        ...writes,
        ...extraWrites,
      ]);
      return true;
    } catch (error) {
      if (error instanceof TransactionRefusedError && required.some((write) => error.has(write)))
        return false;
      throw error;
    }
  });
};
