import { compareAccount } from '../../../shared/broker-orders/compare-account.ts';
import { accessTo, executionRuntime } from '../../../shared/broker-orders/execution-runtime.ts';
import type { ExecutionAdapter } from '../../../shared/channels/execution/execution-adapter.ts';
import { AccessRefusedError, BrokerLaterError } from '../../../shared/channels/execution/execution-broker.ts';
import {
  type ExecutionConnection,
  findDueConnections,
  noteConnectionStatus,
  postponeComparison,
} from '../../../shared/data/execution/connections.ts';
import { ADAPTER_FACTS } from '../../../shared/domain/orders/execution-adapters.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { dueJob } from '../due-job.ts';
import type { Job } from '../job.ts';

const compare = async (
  runtime: Runtime,
  adapter: ExecutionAdapter,
  connection: ExecutionConnection,
): Promise<void> => {
  const now = runtime.clock();
  if (!(await postponeComparison(runtime.store, connection, now))) return;
  const work = executionRuntime(runtime, adapter, {
    keyMemory: new Map(),
    remainingMs: () => Number.POSITIVE_INFINITY,
  });
  try {
    await compareAccount(work, await accessTo(work, connection));
    await noteConnectionStatus(runtime.store, connection, 'connected', now);
  } catch (error) {
    if (error instanceof AccessRefusedError) {
      await noteConnectionStatus(runtime.store, connection, 'refused', now);
    } else if (error instanceof BrokerLaterError) {
      runtime.log.warn('a broker does not answer', { reason: error.message });
    } else throw error;
  }
};

/** Returns the job that compares the open orders of connected accounts with those in hand, once a day, and checks the keys. */
export const comparisonOf = (adapter: ExecutionAdapter, name: string): Job =>
  dueJob({
    name,
    summary: `Compares orders of accounts at ${ADAPTER_FACTS[adapter.name].title} with those of the hub`,
    expression: 'rate(15 minutes)',
    timeZone: 'UTC',
    uses: ['execution', 'encryption', 'reports'],
    find: ({ store, clock }, limit, onDamaged) =>
      findDueConnections(store, adapter.name, { now: clock(), limit, onDamaged }),
    attend: (runtime, connection) => compare(runtime, adapter, connection),
    nameOf: ({ connection_id }) => connection_id,
    // Bounds the time of a run: each call to a hanging broker waits for its time limit.
    page: 50,
    called: 'accounts',
  });
