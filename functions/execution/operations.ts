import type { Operation } from '../../shared/api/operation.ts';
import { connectExecution } from './connect-execution.ts';
import { disconnectExecution } from './disconnect-execution.ts';
import { getExecutionConnections } from './get-execution-connections.ts';

/** Connections of users to accounts at brokers. */
export const executionOperations: readonly Operation[] = [
  connectExecution,
  getExecutionConnections,
  disconnectExecution,
];
