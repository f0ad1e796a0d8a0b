import * as z from 'zod';
import { extensionRecord, timestamp } from '../../shared/api/fields.ts';
import type { Connection } from '../../shared/data/partner-c/connections.ts';

export const connectionOut = extensionRecord(
  'PartnerCConnection',
  z.object({
    connected: z.boolean(),
    /** Present where no user has the connection yet: who sends it to /partnerc_connect takes it over. */
    connection_id: z.string().nullable(),
    scopes: z.array(z.string()),
    connected_at: timestamp(),
    token_expires_at: timestamp().nullable(),
    /** Whether it is renewed before it ends. */
    renewable: z.boolean(),
  }),
);

/** A connection as its user sees it: never a token. */
export const presentConnection = (connection: Connection): z.output<typeof connectionOut> => ({
  connected: connection.status === 'connected',
  connection_id: connection.user_id === undefined ? connection.connection_id : null,
  scopes: connection.scopes,
  connected_at: connection.connected_at,
  token_expires_at: connection.token_expires_at ?? null,
  renewable: connection.renewable,
});
