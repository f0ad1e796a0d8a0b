import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import type { Connection } from '../../../shared/data/partner-c/connections.ts';

export const connectionOut = extensionRecord(
  'PartnerCConnection',
  z.object({
    connected: z.boolean(),
    /** Set while no user has the connection. `/partnerc_connect` claims it. */
    connection_id: z.string().nullable(),
    scopes: z.array(z.string()),
    connected_at: timestamp(),
    token_expires_at: timestamp().nullable(),
    /** True if the connection is renewed before it expires. */
    renewable: z.boolean(),
  }),
);

/** Presents a connection to its user, without tokens. */
export const presentConnection = (connection: Connection): z.output<typeof connectionOut> => ({
  connected: connection.status === 'connected',
  connection_id: connection.user_id === undefined ? connection.connection_id : null,
  scopes: connection.scopes,
  connected_at: connection.connected_at,
  token_expires_at: connection.token_expires_at ?? null,
  renewable: connection.renewable,
});
