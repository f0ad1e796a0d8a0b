import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import { asConnection, removalWrite } from '../../shared/data/execution/connections.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import { OPEN_ORDER_STATUSES } from '../../shared/domain/orders/order-states.ts';
import { changeConnection, connectionChangeKeys } from './audit-connection.ts';
import { requireOwner } from './require-owner.ts';

const unknown = (): HubError =>
  new HubError('connection_unknown', 'There is no such connection: /get_execution_connections lists them.');

export const disconnectExecution = defineOperation({
  method: 'POST',
  path: '/disconnect_execution',
  name: 'disconnect_execution',
  summary: 'Disconnect an account for real orders',
  description:
    'Removes the stored keys. Refused with 409 while a live deployment on the account runs, or has open orders: stop it first. Positions at the broker stay open. Delete the keys at the broker too. Always requires the session of the user.',
  caller: 'user',
  scope: 'manage',
  extension: true,
  input: { query: z.object({ user_id: z.string(), account_id: z.string().max(64) }) },
  output: z.object({ disconnected: z.literal(true) }),
  errors: [
    'session_required',
    'platform_token_insufficient',
    'connection_unknown',
    'connection_used',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId, account_id: accountId } }, call) => {
    requireOwner(call);
    await retryOnConflict(async () => {
      const own = keys.executionConnection(userId, accountId);
      const [items, running] = await Promise.all([
        call.store.getMany([own, ...connectionChangeKeys(userId)], { consistent: true }),
        findRunning(call.store, userId),
      ]);
      const connection = asConnection(itemWith(items, own));
      if (!connection) throw unknown();
      const isUsed = running.some(
        ({ mode, account_id: account, status: deployed, orders }) =>
          mode === 'live' &&
          account === accountId &&
          (!isFinalDeploymentStatus(deployed) ||
            OPEN_ORDER_STATUSES.some((status) => (orders[status] ?? 0) > 0)),
      );
      if (isUsed) {
        throw new HubError(
          'connection_used',
          'A live deployment uses this account, or has open orders on it. Stop the deployment first.',
        );
      }
      await changeConnection(call, 'execution_disconnected', connection, removalWrite(connection), items);
    });
    return { disconnected: true };
  },
});
