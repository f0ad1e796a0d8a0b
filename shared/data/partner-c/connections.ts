import * as z from 'zod';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store, TransactionRefusedError } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';

/** Milliseconds for which a run has exclusive use of a connection. */
export const LEASE_MS = 60_000;
/** Kind of connections in the index of due items. */
export const DUE_KIND = 'partnerc';

/** A connection to partner C as stored. */
export const connectionSchema = z.object({
  connection_id: z.string(),
  /** Absent until a user claims the connection, and after another one replaced it. */
  user_id: z.string().optional(),
  /** Digest of the account at partner C, if partner C names it. */
  account: z.string().optional(),
  /** Ids of earlier connections of the same account; they are ended together with this one. */
  replaced: z.array(z.string()).optional(),
  /**
   * - `connected`: the tokens work and are renewed.
   * - `expired`: partner C refuses to renew the tokens.
   * - `disconnecting`: the tokens are still to be revoked at partner C.
   */
  status: z.enum(['connected', 'expired', 'disconnecting']),
  /** Partner C's tokens, encrypted; absent once they are revoked. */
  sealed: z.instanceof(Uint8Array).optional(),
  scopes: z.array(z.string()),
  connected_at: z.string(),
  token_expires_at: z.string().optional(),
  /** True if there is a refresh token. */
  renewable: z.boolean(),
  /** Consecutive failed attempts to renew or end it. */
  attempts: z.number(),
  /** Epoch milliseconds; absent if nothing is due. */
  due_at: z.number().optional(),
});

export type Connection = z.output<typeof connectionSchema>;

/** Representation of the connection among the user's brokers. */
export interface ConnectionLink {
  /** Key among the user's brokers; never equal to a sub-domain. */
  readonly key: string;
  readonly broker_id: number;
  readonly name: string;
}

/** Returns the key of a connection. */
export const connectionKey = ({ user_id: userId, connection_id: connectionId }: Connection): Key =>
  userId === undefined ? keys.unclaimedPartnerCConnection(connectionId) : keys.partnerCConnection(userId);

/** Returns the item of a connection. */
export const connectionItem = (connection: Connection) => ({
  ...connectionKey(connection),
  entity: 'partnerc_connection',
  ...connection,
  due_kind: connection.due_at === undefined ? undefined : DUE_KIND,
});

/** Returns the write that shows the connection among the user's brokers. */
export const linkWrite = (
  userId: string,
  { key, broker_id, name }: ConnectionLink,
  connection: Connection,
): Write => ({
  key: keys.user(userId),
  update: 'SET brokers.#key = :link',
  condition: 'attribute_exists(pk)',
  names: { '#key': key },
  values: {
    ':link': {
      broker_id,
      name,
      connected: connection.status !== 'disconnecting',
      connected_at: connection.connected_at,
      token_expires_at: connection.token_expires_at,
      permissions: connection.scopes,
    },
  },
});

/** Returns whether a write applied; false if its condition failed. */
export const unlessRefused = async (work: Promise<void>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError || error instanceof ConditionFailedError) return false;
    throw error;
  }
};

/** Stores a connection that waits for a user, or to be ended. */
export const putUnclaimed = (store: Store, connection: Connection): Promise<void> =>
  store.put(connectionItem({ ...connection, user_id: undefined }));

/** Reads the connection of a user. */
export const findConnection = (store: Store, userId: string): Promise<Connection | undefined> =>
  store.get(keys.partnerCConnection(userId), connectionSchema, { consistent: true });

/** Reads a connection that waits for a user. */
export const findUnclaimed = (store: Store, connectionId: string): Promise<Connection | undefined> =>
  store.get(keys.unclaimedPartnerCConnection(connectionId), connectionSchema, { consistent: true });

/** Reads connections to renew or end, longest due first. */
export const findDueConnections = (
  store: Store,
  now: Date,
  limit: number,
  onDamaged?: OnDamaged,
): Promise<Connection[]> => findDueItems(store, [DUE_KIND], connectionSchema, { now, limit, onDamaged });

/**
 * Takes the lease of a due connection; undefined if it changed since it was found. An unclaimed connection is marked
 * as ending, so no user can claim it any more.
 */
export const takeConnection = async (
  store: Store,
  found: Connection,
  now: Date,
): Promise<Connection | undefined> => {
  try {
    return await store.update(
      connectionKey(found),
      {
        update: 'SET due_at = :lease, attempts = attempts + :one, #status = :status',
        condition: 'connection_id = :id AND due_at = :seen AND #status = :found',
        names: { '#status': 'status' },
        values: {
          ':status': found.user_id === undefined ? 'disconnecting' : found.status,
          ':found': found.status,
          ':lease': now.getTime() + LEASE_MS,
          ':one': 1,
          ':id': found.connection_id,
          ':seen': found.due_at,
        },
      },
      connectionSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Returns the condition that a connection is still as taken. */
export const asTaken = (taken: Connection) => ({
  condition: 'connection_id = :id AND #status = :status AND due_at = :taken',
  names: { '#status': 'status' },
  values: { ':id': taken.connection_id, ':status': taken.status, ':taken': taken.due_at },
});

/** Stores the result for a connection that was taken. @returns false if it changed meanwhile. */
export const settleConnection = (
  store: Store,
  taken: Connection,
  next: Connection,
  link: ConnectionLink,
): Promise<boolean> =>
  unlessRefused(
    store.transact([
      { put: connectionItem(next), if: asTaken(taken) },
      ...(next.user_id === undefined ? [] : [linkWrite(next.user_id, link, next)]),
    ]),
  );
