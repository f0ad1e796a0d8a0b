import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { listRetailBrokers } from '../../shared/data/instruments/instrument-brokers.ts';
import { sharedReads } from '../../shared/data/table/timed-memory.ts';
import type { RetailBroker } from '../../shared/domain/instruments/instrument-records.ts';
import { presentRetailBroker, retailBrokerOut } from './records/broker.ts';

const retailBrokers = sharedReads<RetailBroker[]>(1);

export const getB2cBrokers = defineOperation({
  method: 'GET',
  path: '/get_b2c_brokers',
  name: 'get_b2c_brokers',
  summary: 'List the retail brokers',
  description: 'Brokers that anybody can open an account with, and the user’s connections to them.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string() }) },
  output: z.array(retailBrokerOut),
  errors: ['user_unknown'],
  table: 'read',
  cache: 'private, no-cache',
  handler: async (_input, call) => {
    const read = () => listRetailBrokers(call.store);
    const [user, brokers] = await Promise.all([call.user(), retailBrokers(call, '', read)]);
    const links = new Map(Object.values(user.brokers).map((link) => [link.broker_id, link]));
    return brokers.map((broker) => presentRetailBroker(broker, links.get(broker.broker_id)));
  },
});
