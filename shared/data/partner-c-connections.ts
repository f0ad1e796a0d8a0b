import * as z from 'zod';
import { keys } from './keys.ts';
import { ConditionFailed, type Key, type Store, TransactionRefused, type Write } from './store.ts';

/** How long whoever takes a connection has for it before the next run may. */
const LEASE_MS = 60_000;
const DUE_KIND = 'partnerc';

const connectionSchema = z.object({
  connection_id: z.string(),
  /** Absent until a user takes the connection over. */
  user_id: z.string().optional(),
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

const keyOf = ({ user_id: userId, connection_id: connectionId }: Connection): Key =>
  userId === undefined ? keys.unclaimedPartnerCConnection(connectionId) : keys.partnerCConnection(userId);

const itemOf = (connection: Connection) => ({
  ...keyOf(connection),
  entity: 'partnerc_connection',
  ...connection,
  due_kind: connection.due_at === undefined ? undefined : DUE_KIND,
});

/** Puts the connection, as it is now, among the user's brokers. */
const linkWrite = (
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

const unlessRefused = async (work: Promise<void>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused || error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** Stores a new connection, in place of any that its user had; false where the user is gone. */
export const putConnection = (store: Store, connection: Connection, link: ConnectionLink): Promise<boolean> =>
  unlessRefused(
    store.transact([
      { put: itemOf(connection) },
      ...(connection.user_id === undefined ? [] : [linkWrite(connection.user_id, link, connection)]),
    ]),
  );

/** The connection of a user. */
export const findConnection = (store: Store, userId: string): Promise<Connection | undefined> =>
  store.get(keys.partnerCConnection(userId), connectionSchema, { consistent: true });

/** A connection that waits for a user to take it over. */
export const findUnclaimed = (store: Store, connectionId: string): Promise<Connection | undefined> =>
  store.get(keys.unclaimedPartnerCConnection(connectionId), connectionSchema, { consistent: true });

/** Gives a waiting connection to a user; false where somebody was faster. */
export const claimConnection = (
  store: Store,
  waiting: Connection,
  claimed: Connection & { readonly user_id: string },
  link: ConnectionLink,
): Promise<boolean> =>
  unlessRefused(
    store.transact([
      {
        delete: keyOf(waiting),
        if: {
          condition: '#status = :status',
          names: { '#status': 'status' },
          values: { ':status': 'connected' },
        },
      },
      { put: itemOf(claimed) },
      linkWrite(claimed.user_id, link, claimed),
    ]),
  );

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

/** Takes a connection that is due for the time of a lease; undefined where it changed since it was found. */
export const takeConnection = async (
  store: Store,
  found: Connection,
  now: Date,
): Promise<Connection | undefined> => {
  try {
    return await store.update(
      keyOf(found),
      {
        update: 'SET due_at = :lease, attempts = attempts + :one',
        condition: 'connection_id = :id AND due_at = :seen',
        values: {
          ':lease': now.getTime() + LEASE_MS,
          ':one': 1,
          ':id': found.connection_id,
          ':seen': found.due_at,
        },
      },
      connectionSchema,
    );
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};

/** Only the connection as it was taken: not one that was made, ended or taken since. */
const asTaken = (taken: Connection) => ({
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
      { put: itemOf(next), if: asTaken(taken) },
      ...(next.user_id === undefined ? [] : [linkWrite(next.user_id, link, next)]),
    ]),
  );

/** Marks a user's connection as one to be ended, and takes it; undefined where there is none. */
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
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};

/** Removes a connection that was taken and is over, and with it the user's link. */
export const removeConnection = (store: Store, taken: Connection, link: ConnectionLink): Promise<boolean> =>
  unlessRefused(
    store.transact([
      { delete: keyOf(taken), if: asTaken(taken) },
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
