import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import {
  asTaken,
  type Connection,
  type ConnectionLink,
  connectionKey,
  connectionSchema,
  DUE_KIND,
  LEASE_MS,
  putUnclaimed,
  unlessRefused,
} from './connections.ts';

/** Returns the writes that make waiting connections due to be ended now. */
export const waitingWrites = (replaced: readonly string[], now: Date): Write[] =>
  replaced.map((id) => ({
    key: keys.unclaimedPartnerCConnection(id),
    update: 'SET due_at = :now, due_kind = :kind',
    condition: 'attribute_exists(pk)',
    values: { ':now': now.getTime(), ':kind': DUE_KIND },
  }));

/** Marks a user's connection as ending and takes its lease; undefined if there is none. */
export const beginDisconnect = async (
  store: Store,
  userId: string,
  now: Date,
): Promise<Connection | undefined> => {
  try {
    return await store.update(
      keys.partnerCConnection(userId),
      {
        update: 'SET #status = :status, due_kind = :kind, due_at = :lease',
        condition: 'attribute_exists(pk)',
        names: { '#status': 'status' },
        values: { ':status': 'disconnecting', ':kind': DUE_KIND, ':lease': now.getTime() + LEASE_MS },
      },
      connectionSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/**
 * Removes a connection that was taken and ended, with the user's link. Makes the earlier connections of the same
 * account due to be ended.
 */
export const removeConnection = (
  store: Store,
  taken: Connection,
  { link, now, extraWrites = [] }: { link: ConnectionLink; now: Date; extraWrites?: readonly Write[] },
): Promise<boolean> =>
  unlessRefused(
    store.transact([
      { delete: connectionKey(taken), if: asTaken(taken) },
      ...extraWrites,
      ...waitingWrites(taken.replaced ?? [], now),
      ...(taken.user_id === undefined
        ? []
        : [
            {
              key: keys.user(taken.user_id),
              update: 'REMOVE brokers.#key',
              condition: 'attribute_exists(pk)',
              names: { '#key': link.key },
            },
          ]),
    ]),
  );

/**
 * Keeps tokens that were renewed while their connection left its user. If the connection waits, it gets the new tokens;
 * otherwise it is stored again to be ended.
 */
export const keepRenewed = async (store: Store, renewed: Connection, now: Date): Promise<void> => {
  const { sealed } = renewed;
  try {
    await store.update(
      keys.unclaimedPartnerCConnection(renewed.connection_id),
      {
        update: 'SET sealed = :sealed',
        // A due connection may be ending with the old tokens, so the new ones are stored to be revoked as well.
        condition: 'attribute_exists(pk) AND attribute_not_exists(due_at)',
        values: { ':sealed': sealed },
      },
      connectionSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    await putUnclaimed(store, {
      ...renewed,
      status: 'disconnecting',
      replaced: undefined,
      due_at: now.getTime(),
    });
  }
};
