import * as z from 'zod';
import { ADAPTERS, type AdapterName } from '../../domain/deployments/event-source.ts';
import { openEnum } from '../../domain/open-enum.ts';
import type { Item } from '../table/attributes.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** Returns the kind of the connections of an adapter in the index of due items. */
const dueKindOf = (adapter: AdapterName): string => `execution_connection:${adapter}`;

/** The most accounts that a user connects. */
export const MAX_CONNECTIONS = 10;

/** A user's connection to an account at a broker, whose orders an adapter executes. */
const connectionSchema = z.object({
  /** Changes when the account is connected again with other keys. */
  connection_id: z.string(),
  user_id: z.string(),
  /** Adapter that executes orders. */
  adapter: z.enum(ADAPTERS),
  /** Paper accounts have no money. */
  environment: z.enum(['paper', 'live']),
  /** Account number at the broker. */
  account_id: z.string(),
  currency: z.string(),
  /**
   * - `connected`: the keys worked when they were last used.
   * - `refused`: the broker refuses the keys. The owner connects the account again.
   */
  status: openEnum(['connected', 'refused'], 'refused'),
  /** Keys, encrypted. */
  sealed: z.instanceof(Uint8Array<ArrayBuffer>),
  connected_at: z.string(),
  /** Last time that the status changed. */
  status_at: z.string(),
  /** Next comparison with the broker, in milliseconds. */
  due_at: z.number(),
});

export type ExecutionConnection = z.output<typeof connectionSchema>;

/** Reads all accounts that a user has connected, at most {@link MAX_CONNECTIONS}. */
export const findConnections = (store: Store, userId: string): Promise<ExecutionConnection[]> => {
  const { pk, sk } = keys.executionConnection(userId, '');
  return store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ConsistentRead: true,
    },
    connectionSchema,
  );
};

/** Reads the connection of a user to an account, by its number. */
export const findConnection = (
  store: Store,
  userId: string,
  accountId: string,
): Promise<ExecutionConnection | undefined> =>
  store.get(keys.executionConnection(userId, accountId), connectionSchema, { consistent: true });

/** Returns the write of a connection. Replaces an earlier one to the same account. */
export const connectionWrite = (connection: ExecutionConnection): Write => ({
  put: {
    ...keys.executionConnection(connection.user_id, connection.account_id),
    entity: 'execution_connection',
    ...connection,
    due_kind: dueKindOf(connection.adapter),
  },
});

/** Returns the write that removes a connection with its keys. Its condition fails if the account was connected again. */
export const removalWrite = ({ user_id, account_id, connection_id }: ExecutionConnection): Write => ({
  delete: keys.executionConnection(user_id, account_id),
  if: { condition: 'connection_id = :id', values: { ':id': connection_id } },
});

/** Parses an item as a connection. */
export const asConnection = (item: Item | undefined): ExecutionConnection | undefined =>
  item && parseItem(connectionSchema, item);

/** Notes whether the broker accepts the keys. No-op if the account was connected again or disconnected meanwhile. */
export const noteConnectionStatus = async (
  store: Store,
  connection: ExecutionConnection,
  status: 'connected' | 'refused',
  now: Date,
): Promise<void> => {
  if (connection.status === status) return;
  const { user_id: userId, account_id: accountId, connection_id: id } = connection;
  try {
    await store.update(
      keys.executionConnection(userId, accountId),
      {
        update: 'SET #status = :status, status_at = :at',
        condition: 'connection_id = :id',
        names: { '#status': 'status' },
        values: { ':status': status, ':at': now.toISOString(), ':id': id },
      },
      connectionSchema,
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/** Reads connections of an adapter whose orders are to be compared with the broker, longest due first. */
export const findDueConnections = (
  store: Store,
  adapter: AdapterName,
  due: { readonly now: Date; readonly limit: number; readonly onDamaged?: OnDamaged },
): Promise<ExecutionConnection[]> => findDueItems(store, [dueKindOf(adapter)], connectionSchema, due);

/** Time between two comparisons of an account without orders in hand. */
export const COMPARE_MS = 24 * 3_600_000;

/** Sets the time of the next comparison. Returns false if another run did, or the connection is gone. */
export const postponeComparison = async (
  store: Store,
  { user_id: userId, account_id: accountId, due_at: seen }: ExecutionConnection,
  now: Date,
): Promise<boolean> => {
  try {
    await store.update(
      keys.executionConnection(userId, accountId),
      {
        update: 'SET due_at = :next',
        condition: 'due_at = :seen',
        values: { ':next': now.getTime() + COMPARE_MS, ':seen': seen },
      },
      connectionSchema,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};
