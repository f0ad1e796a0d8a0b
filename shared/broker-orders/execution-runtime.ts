import { setTimeout as wait } from 'node:timers/promises';
import { openKeys } from '../auth/execution-connections.ts';
import { putReport } from '../channels/bus.ts';
import type { ExecutionAdapter } from '../channels/execution/execution-adapter.ts';
import type { BrokerKeys, ExecutionBroker } from '../channels/execution/execution-broker.ts';
import { type ExecutionConnection, findConnection } from '../data/execution/connections.ts';
import { sourceOfAdapter } from '../domain/deployments/event-source.ts';
import { ADAPTER_FACTS } from '../domain/orders/execution-adapters.ts';
import type { Runtime } from '../runtime.ts';

/** Errors in the log when the broker and the hub differ. Each raises the alarm `broker orders in doubt`. */
export const BROKER_DOUBTS = {
  notInHand: 'an order at the broker is not in hand',
  unreadable: 'an open order at the broker has an unknown form',
  appearedLate: 'an order appeared at the broker after it was given up',
  notFound: 'the broker does not find an order',
  replaced: 'an order was replaced at the broker',
  disconnected: 'the account of an order is not connected',
  unprotected: 'a position has no stop at the broker',
  notLifted: 'an exit at the broker does not end',
  notMoved: 'a stop at the broker could not be moved',
  differs: 'a position at the broker differs from the books',
} as const;

/** Keys that a container has decrypted, by connection. A connection never changes its keys. */
export type KeyMemory = Map<string, BrokerKeys>;

/** Bounds the memory of a container. */
const MAX_KEYS = 1_000;
/** Time that a run needs to finish what it has begun, in milliseconds: three calls of the broker. */
const RESERVE_MS = 15_000;

/** Dependencies of the execution adapter. */
export interface ExecutionRuntime extends Runtime {
  readonly adapter: ExecutionAdapter;
  /** Name of its broker in texts. */
  readonly brokerName: string;
  readonly keyMemory: KeyMemory;
  /** Tells whether there is time for another step of a few seconds. */
  readonly hasTime: () => boolean;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Puts a report on an order on the bus. */
  readonly putReport: (detail: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Returns the dependencies of one run. */
export const executionRuntime = (
  runtime: Runtime,
  adapter: ExecutionAdapter,
  { keyMemory, remainingMs }: { readonly keyMemory: KeyMemory; readonly remainingMs: () => number },
): ExecutionRuntime => ({
  ...runtime,
  adapter,
  brokerName: ADAPTER_FACTS[adapter.name].title,
  keyMemory,
  hasTime: () => remainingMs() > RESERVE_MS,
  sleep: (ms) => wait(ms),
  putReport: (detail) =>
    putReport(runtime, sourceOfAdapter(adapter.name), { detailType: 'Order Updated', detail }),
});

/** A connected account, and the broker that executes its orders. */
export interface Access {
  readonly connection: ExecutionConnection;
  readonly broker: ExecutionBroker;
}

const keysOf = async (work: ExecutionRuntime, connection: ExecutionConnection): Promise<BrokerKeys> => {
  const { keyMemory } = work;
  const known = keyMemory.get(connection.connection_id);
  if (known) return known;
  const opened = await openKeys(work, connection);
  keyMemory.set(connection.connection_id, opened);
  const [oldest] = keyMemory.keys();
  if (keyMemory.size > MAX_KEYS && oldest !== undefined) keyMemory.delete(oldest);
  return opened;
};

/** Returns the broker of a connected account. */
export const accessTo = async (work: ExecutionRuntime, connection: ExecutionConnection): Promise<Access> => {
  const keys = await keysOf(work, connection);
  const { environment } = connection;
  const addresses = work.capability('execution');
  return {
    connection,
    broker: await work.adapter.open({ keys, environment, addresses, clock: work.clock }),
  };
};

/** Reads the connection of an account; undefined if it is not connected, or through another adapter. */
export const findAccess = async (
  work: ExecutionRuntime,
  { user_id: userId, account_id: accountId }: { readonly user_id: string; readonly account_id: string },
): Promise<Access | undefined> => {
  const connection = await findConnection(work.store, userId, accountId);
  return connection?.adapter === work.adapter.name ? accessTo(work, connection) : undefined;
};
