import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { listRetailBrokers } from '../../shared/data/instruments/instrument-brokers.ts';
import { retailBrokerOut } from './instrument-records.ts';

export const getB2cBrokers = defineOperation({
  method: 'GET',
  path: '/get_b2c_brokers',
  name: 'get_b2c_brokers',
  summary: 'List the retail brokers',
  description: 'Brokers that anybody can open an account with, and the user’s connections to them.',
  caller: 'user',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.array(retailBrokerOut),
  errors: ['user_unknown'],
  table: 'read',
  handler: async (_input, call) => {
    const [user, brokers] = await Promise.all([call.user(), listRetailBrokers(call.store)]);
    const links = new Map(Object.values(user.brokers).map((link) => [link.broker_id, link]));
    return brokers.map((broker) => {
      const link = links.get(broker.broker_id);
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
    });
  },
});
