import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { EXECUTION_ENVIRONMENTS } from '../../../shared/channels/execution/execution-broker.ts';
import type { ExecutionConnection } from '../../../shared/data/execution/connections.ts';

export const executionConnectionOut = extensionRecord(
  'ExecutionConnection',
  z.object({
    adapter: z.string(),
    environment: z.enum(EXECUTION_ENVIRONMENTS),
    account_id: z.string(),
    currency: z.string(),
    status: z.enum(['connected', 'refused']),
    connected_at: timestamp(),
    status_at: timestamp(),
  }),
);

/** Presents a connection to its user, without keys. */
export const presentConnection = (
  connection: ExecutionConnection,
): z.output<typeof executionConnectionOut> => ({
  adapter: connection.adapter,
  environment: connection.environment,
  account_id: connection.account_id,
  currency: connection.currency,
  status: connection.status,
  connected_at: connection.connected_at,
  status_at: connection.status_at,
});
