import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import type { User } from '../../shared/data/users/users.ts';
import { linkStatus, maskAccount } from '../../shared/domain/instruments/instrument-links.ts';
import { brokerLinkOut } from './instrument-records.ts';

/** Optional fields of a link: expiry of its token, and permissions. */
type Link = User['brokers'][string] & {
  readonly token_expires_at?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
};

const presentLink = (link: Link, now: Date): z.output<typeof brokerLinkOut> => ({
  broker_id: link.broker_id,
  name: link.name,
  account_id: link.account_id === undefined ? null : maskAccount(link.account_id),
  server_id: link.server_id ?? null,
  status: linkStatus(link, now),
  connected_at: link.connected_at,
  token_expires_at: link.token_expires_at ?? null,
  permissions: [...(link.permissions ?? [])],
});

export const getConnectedBrokerDetails = defineOperation({
  method: 'GET',
  path: '/get_connected_broker_details_v2',
  name: 'get_connected_broker_details_v2',
  summary: "Show a user's link to a broker",
  description: 'Account numbers are masked to the last four characters.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string(), broker_id: integer() }) },
  output: brokerLinkOut,
  errors: ['user_unknown', 'broker_unknown'],
  table: 'read',
  handler: async ({ query: { broker_id: brokerId } }, call) => {
    const user = await call.user();
    const link = Object.values(user.brokers).find((one) => one.broker_id === brokerId);
    if (!link) throw new HubError('broker_unknown', 'This user is not linked to this broker.');
    return presentLink(link, call.now);
  },
});
