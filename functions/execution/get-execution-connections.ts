import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { findConnections } from '../../shared/data/execution/connections.ts';
import { executionConnectionOut, presentConnection } from './records/execution-connection.ts';
import { requireOwner } from './require-owner.ts';

export const getExecutionConnections = defineOperation({
  method: 'GET',
  path: '/get_execution_connections',
  name: 'get_execution_connections',
  summary: 'List the connected accounts for real orders',
  description:
    'Lists at most 10 accounts, without their keys. An account whose keys the broker refuses has the status `refused`: connect it again. Always requires the session of the user.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: { description: 'Lists the accounts at brokers that the user has connected, without keys.' },
  input: { query: z.object({ user_id: z.string() }) },
  output: z.object({ connections: z.array(executionConnectionOut) }),
  errors: ['session_required', 'platform_token_insufficient', 'user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id: userId } }, call) => {
    requireOwner(call);
    const [, connections] = await Promise.all([call.user(), findConnections(call.store, userId)]);
    return { connections: connections.map(presentConnection) };
  },
});
