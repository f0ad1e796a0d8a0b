import * as z from 'zod';
import { keys } from '../table/keys.ts';
import {
  ConditionFailedError,
  type Key,
  type Store,
  TransactionRefusedError,
  type Write,
} from '../table/store.ts';

/** How long whoever takes a connection has for it before the next run may. */
export const LEASE_MS = 60_000;
/** Of connections in the index of what is due. */
export const DUE_KIND = 'partnerc';

/** A connection as it is kept. */
export const connectionSchema = z.object({
  connection_id: z.string(),
  /** Absent until a user takes the connection over, and once another one is in its place. */
  user_id: z.string().optional(),
  /** A digest of whose consent it is at partner C, where partner C says so. */
  account: z.string().optional(),
  /** Connections of the same account that this one took the place of: they are ended with it. */
  replaced: z.array(z.string()).optional(),
  /**
   * - `connected`: the tokens work and are renewed.
   * - `expired`: partner C renews them no more.
   * - `disconnecting`: partner C has yet to be told that they are over.
   */
  status: z.enum(['connected', 'expired', 'disconnecting']),
  /** Partner C's tokens; absent once they are over. */
  sealed: z.instanceof(Uint8Array).optional(),
  scopes: z.array(z.string()),
  connected_at: z.string(),
  token_expires_at: z.string().optional(),
  /** Whether there is a refresh token. */
  renewable: z.boolean(),
  /** Failed attempts in a row at renewing or ending it. */
  attempts: z.number(),
  /** Epoch milliseconds; absent where nothing is to be done. */
  due_at: z.number().optional(),
});

export type Connection = z.output<typeof connectionSchema>;

/** What is known under the user's brokers of the connection. */
export interface ConnectionLink {
  /** Its name among the user's brokers: no sub-domain has one like it. */
  readonly key: string;
  readonly broker_id: number;
  readonly name: string;
}

/** Where a connection is kept. */
export const connectionKey = ({ user_id: userId, connection_id: connectionId }: Connection): Key =>
  userId === undefined ? keys.unclaimedPartnerCConnection(connectionId) : keys.partnerCConnection(userId);

/** The item of a connection. */
export const connectionItem = (connection: Connection) => ({
  ...connectionKey(connection),
  entity: 'partnerc_connection',
  ...connection,
  due_kind: connection.due_at === undefined ? undefined : DUE_KIND,
});

/** Puts the connection, as it is now, among the user's brokers. */
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

/** Whether a write applied. */
export const unlessRefused = async (work: Promise<void>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof TransactionRefusedError || error instanceof ConditionFailedError) return false;
    throw error;
  }
};

/** Stores a connection that waits for a user, or for its end. */
export const putUnclaimed = (store: Store, connection: Connection): Promise<void> =>
  store.put(connectionItem({ ...connection, user_id: undefined }));

/** The connection of a user. */
export const findConnection = (store: Store, userId: string): Promise<Connection | undefined> =>
  store.get(keys.partnerCConnection(userId), connectionSchema, { consistent: true });

/** A connection that waits for a user to take it over. */
export const findUnclaimed = (store: Store, connectionId: string): Promise<Connection | undefined> =>
  store.get(keys.unclaimedPartnerCConnection(connectionId), connectionSchema, { consistent: true });

/** Connections that are to be renewed or ended, the longest due first. */
export const findDueConnections = (store: Store, now: Date, limit: number): Promise<Connection[]> =>
  store.query(
    {
      IndexName: 'due',
      KeyConditionExpression: 'due_kind = :kind AND due_at <= :now',
      ExpressionAttributeValues: { ':kind': DUE_KIND, ':now': now.getTime() },
      Limit: limit,
    },
    connectionSchema,
  );

/**
 * Takes a connection that is due for the time of a lease; undefined where it changed since it was found. One
 * that no user has taken over is about to be ended, and from now on nobody can.
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

/** Only the connection as it was taken: not one that was made, ended or taken since. */
export const asTaken = (taken: Connection) => ({
  condition: 'connection_id = :id AND #status = :status AND due_at = :taken',
  names: { '#status': 'status' },
  values: { ':id': taken.connection_id, ':status': taken.status, ':taken': taken.due_at },
});

/** Writes what became of a connection that was taken; false where it changed meanwhile. */
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
