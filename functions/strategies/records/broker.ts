import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { User } from '../../../shared/data/users/users.ts';
import { linkStatus, maskAccount } from '../../../shared/domain/instruments/instrument-links.ts';
import type { RetailBroker } from '../../../shared/domain/instruments/instrument-records.ts';
import { ASSET_CLASSES } from '../../../shared/domain/instruments/instruments.ts';

/** Optional fields of a link: expiry of its token, and permissions. */
type Link = User['brokers'][string] & {
  readonly token_expires_at?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
};

export const retailBrokerOut = extensionRecord(
  'RetailBroker',
  z.object({
    broker_id: integer(),
    name: z.string(),
    slug: z.string(),
    logo_url: z.string().nullable(),
    asset_classes: z.array(z.enum(ASSET_CLASSES)),
    regions: z.array(z.string()),
    connection: z.enum(['oauth', 'token', 'password']),
    /** Trading servers: values of `server` in other operations. */
    servers: z.array(z.string()),
    connected: z.boolean(),
    connected_at: timestamp().nullable(),
  }),
);

/** Presents a retail broker, with the user's link to it. */
export const presentRetailBroker = (
  broker: RetailBroker,
  link: Link | undefined,
): z.output<typeof retailBrokerOut> => {
  const connected = link?.connected ?? false;
  return {
    broker_id: broker.broker_id,
    name: broker.name,
    slug: broker.slug,
    logo_url: broker.logo_url ?? null,
    asset_classes: broker.asset_classes,
    regions: broker.regions,
    connection: broker.connection,
    servers: broker.servers,
    connected,
    connected_at: connected ? (link?.connected_at ?? null) : null,
  };
};

export const brokerLinkOut = extensionRecord(
  'BrokerLink',
  z.object({
    broker_id: integer(),
    name: z.string(),
    /** Masked to the last four characters. */
    account_id: z.string().nullable(),
    server_id: integer().nullable(),
    status: z.enum(['connected', 'expired', 'disconnected']),
    connected_at: timestamp(),
    token_expires_at: timestamp().nullable(),
    permissions: z.array(z.string()),
  }),
);

/** Presents a link to its user, with the account masked. */
export const presentLink = (link: Link, now: Date): z.output<typeof brokerLinkOut> => ({
  broker_id: link.broker_id,
  name: link.name,
  account_id: link.account_id === undefined ? null : maskAccount(link.account_id),
  server_id: link.server_id ?? null,
  status: linkStatus(link, now),
  connected_at: link.connected_at,
  token_expires_at: link.token_expires_at ?? null,
  permissions: [...(link.permissions ?? [])],
});
