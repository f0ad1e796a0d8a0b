import { compareAccount } from '../../../shared/broker-orders/compare-account.ts';
import { accessTo, executionRuntime } from '../../../shared/broker-orders/execution-runtime.ts';
import { AccessRefusedError, BrokerLaterError } from '../../../shared/channels/execution/execution-broker.ts';
import {
  type ExecutionConnection,
  findDueConnections,
  noteConnectionStatus,
  postponeComparison,
} from '../../../shared/data/execution/connections.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { dueJob } from '../due-job.ts';

const compare = async (runtime: Runtime, connection: ExecutionConnection): Promise<void> => {
  const now = runtime.clock();
  if (!(await postponeComparison(runtime.store, connection, now))) return;
  const work = executionRuntime(runtime, {
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

/** Compares the open orders of connected accounts with those in hand, once a day, and checks the keys. */
export const compareAccounts = dueJob({
  name: 'compare-accounts',
  summary: 'Compares orders of connected accounts with those of the hub',
  expression: 'rate(15 minutes)',
  timeZone: 'UTC',
  uses: ['execution', 'encryption', 'reports'],
  find: ({ store, clock }, limit, onDamaged) => findDueConnections(store, clock(), limit, onDamaged),
  attend: compare,
  nameOf: ({ connection_id }) => connection_id,
  // Bounds the time of a run: each call to a hanging broker waits for its time limit.
  page: 50,
  called: 'accounts',
});
