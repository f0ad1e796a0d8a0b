import type { Operation } from '../../shared/api/operation.ts';
import { connectExecution } from './connect-execution.ts';
import { disconnectExecution } from './disconnect-execution.ts';
import { getBrokerState } from './get-broker-state.ts';
import { getExecutionConnections } from './get-execution-connections.ts';
import { placeProtection } from './place-protection.ts';

/** Connections of users to accounts at brokers. */
export const executionOperations: readonly Operation[] = [
  connectExecution,
  getExecutionConnections,
  getBrokerState,
  placeProtection,
  disconnectExecution,
];
